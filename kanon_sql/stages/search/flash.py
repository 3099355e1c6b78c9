"""Flash: bisect paths from candidates up to the top, with predictive tagging and lower bounds on the cost."""

from __future__ import annotations

from collections.abc import Iterator

from kanon_sql.common.countdown import Countdown
from kanon_sql.lattice import Node
from kanon_sql.stages.search.findings import Findings
from kanon_sql.stages.search.node_sets import NodeSet
from kanon_sql.stages.search.rounds import WIDTH, Walk, bisect_path, walk_together

MAX_STARTS = 200  # nodes compared as the start of a path


def flash(findings: Findings) -> None:
    """Find the best accepted node; skip nodes that cannot cost less than the best so far.

    If a node above an accepted one may be rejected, each path is bisected for its lowest node that is not ruled out, and every
    candidate above that node is evaluated separately.
    """
    first_path(findings)
    countdown = Countdown("flash")
    while findings.candidates:
        countdown.require_less(findings.candidates.bit_count())
        _descend(findings)
        walk_together(findings, iter(list(_walks(findings))))


def first_path(findings: Findings) -> None:
    """Find a good first node: the lowest accepted node on the path of smallest lower bounds."""
    lattice = findings.lattice
    path = [lattice.bottom]
    while open_columns := lattice.can_rise(path[-1]):
        path.append(min((lattice.raised(path[-1], index) for index in open_columns), key=findings.ranking.bound_of))
    walk_together(findings, iter([bisect_path(findings, path, to_accepted=True)]))


def _descend(findings: Findings) -> None:
    """Evaluate the direct predecessors of the best node until none is better; a better best node leaves fewer candidates."""
    before, countdown = None, Countdown("the descent of flash")
    while (best := findings.ranking.best) is not None and best is not before:
        countdown.require_less(findings.sets.size - len(findings.ranking.costs))
        before, lattice = best, findings.lattice
        below = [lattice.lowered(best.node, index) for index in lattice.can_sink(best.node)]
        findings.evaluate(node for node in below if findings.sets.bit(node) & findings.candidates)


def _walks(findings: Findings) -> Iterator[Walk]:
    """Yield the paths of one round; each starts at a node that the earlier paths of the round cannot classify."""
    remaining, taken = findings.candidates, 0
    for _ in range(WIDTH):
        if not remaining:
            return
        start = _most_general(findings, remaining)
        if findings.sets.bit(start) & findings.not_ruled_out:
            remaining &= ~findings.sets.bit(start)
            yield iter([start])  # no other node allows an inference about it
        else:
            path = _path(findings, start, remaining, taken)
            for node in path:
                taken |= findings.sets.bit(node)
            remaining &= ~findings.sets.down(path[len(path) // 2])
            yield bisect_path(findings, path)


def _most_general(findings: Findings, remaining: NodeSet) -> Node:
    """Return the maximal candidate with the most candidates below it, because rejecting it rejects all of them."""
    tops = list(findings.sets.nodes(findings.sets.tops(remaining)))
    step = 1 + len(tops) // MAX_STARTS
    return max(tops[::step], key=lambda node: (findings.sets.down(node) & remaining).bit_count())


def _path(findings: Findings, start: Node, remaining: NodeSet, taken: NodeSet) -> list[Node]:
    """Return a path upwards from the start through open nodes, preferring nodes with many candidates below."""
    path = [start]
    unknown = findings.open & ~findings.not_ruled_out & ~taken
    while True:
        successors = [findings.lattice.raised(path[-1], index) for index in findings.lattice.can_rise(path[-1])]
        successors = [node for node in successors if findings.sets.bit(node) & unknown]
        if not successors:
            return path
        path.append(
            max(successors, key=lambda node: ((findings.sets.down(node) & remaining).bit_count(), -findings.ranking.bound_of(node)[0]))
        )
