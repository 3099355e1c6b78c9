"""Flash: paths from candidates up to the top, each searched by bisection, with predictive tagging and cost bounds."""

from __future__ import annotations

from collections.abc import Iterator

from kanon_sql.common.countdown import Countdown
from kanon_sql.lattice import Node
from kanon_sql.stages.search.findings import Findings
from kanon_sql.stages.search.node_sets import NodeSet
from kanon_sql.stages.search.rounds import WIDTH, Walk, bisect_path, walk_together

STARTS = 200  # how many starts of paths are compared


def flash(findings: Findings) -> None:
    """Finds the best accepted node; nodes that cannot cost less than the best so far are left out.

    Where a node above an accepted one may be rejected, paths are searched for where nodes cease to be ruled out, and every node
    above that may be the best is checked by itself.
    """
    first_path(findings)
    countdown = Countdown("flash")
    while findings.candidates:
        countdown.require_less(findings.candidates.bit_count())
        _descend(findings)
        walk_together(findings, iter(list(_walks(findings))))


def first_path(findings: Findings) -> None:
    """A good node to begin with: the lowest accepted one on the path that always costs least."""
    lattice = findings.lattice
    path = [lattice.bottom]
    while open_columns := lattice.can_rise(path[-1]):
        path.append(min((lattice.raised(path[-1], index) for index in open_columns), key=findings.contest.bound_of))
    walk_together(findings, iter([bisect_path(findings, path, to_accepted=True)]))


def _descend(findings: Findings) -> None:
    """From the best node down to better ones right below it: the better the best, the fewer nodes may still win."""
    before, countdown = None, Countdown("the descent of flash")
    while (best := findings.contest.best) is not None and best is not before:
        countdown.require_less(findings.sets.size - len(findings.contest.costs))
        before, lattice = best, findings.lattice
        below = [lattice.lowered(best.node, index) for index in lattice.can_sink(best.node)]
        findings.ask(node for node in below if findings.sets.bit(node) & findings.candidates)


def _walks(findings: Findings) -> Iterator[Walk]:
    """A round of paths, each begun where the paths before it will not tell."""
    left, taken = findings.candidates, 0
    for _ in range(WIDTH):
        if not left:
            return
        start = _widest(findings, left)
        if findings.sets.bit(start) & findings.hopeful:
            left &= ~findings.sets.bit(start)
            yield iter([start])  # no other node will tell more of it
        else:
            path = _path(findings, start, left, taken)
            for node in path:
                taken |= findings.sets.bit(node)
            left &= ~findings.sets.down(path[len(path) // 2])
            yield bisect_path(findings, path)


def _widest(findings: Findings, left: NodeSet) -> Node:
    """The most general candidate with the most candidates below it: if it is rejected, so are they."""
    tops = list(findings.sets.nodes(findings.sets.tops(left)))
    step = 1 + len(tops) // STARTS
    return max(tops[::step], key=lambda node: (findings.sets.down(node) & left).bit_count())


def _path(findings: Findings, start: Node, left: NodeSet, taken: NodeSet) -> list[Node]:
    """A path from the start upwards through nodes of which nothing is known, towards those with most candidates below."""
    path = [start]
    unknown = findings.open & ~findings.hopeful & ~taken
    while True:
        successors = [findings.lattice.raised(path[-1], index) for index in findings.lattice.can_rise(path[-1])]
        successors = [node for node in successors if findings.sets.bit(node) & unknown]
        if not successors:
            return path
        path.append(max(successors, key=lambda node: ((findings.sets.down(node) & left).bit_count(), -findings.contest.bound_of(node)[0])))
