"""Incognito: evaluate subsets of the quasi-identifiers by size; levels that fail for a subset fail for every superset."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from kanon_sql.artifacts import Verdict
from kanon_sql.lattice import Node
from kanon_sql.stages.search.findings import Findings
from kanon_sql.stages.search.flash import flash

Subset = tuple[int, ...]
Levels = tuple[int, ...]  # one per quasi-identifier of the subset
NodesBySubset = dict[Subset, set[Levels]]


def incognito(findings: Findings) -> None:
    """Find every accepted node, then the best of them."""
    if not findings.inherits:
        flash(findings)
        return
    columns = range(len(findings.lattice.heights))
    accepted: NodesBySubset = {(): {()}}
    known = dict(findings.verdicts)
    for size in columns:
        joined = {subset: _join(findings, subset, accepted) for subset in combinations(columns, size)}
        accepted = _breadth_first(findings, joined, known) if size else accepted
    candidates = _join(findings, tuple(columns), accepted)
    findings.pruned = findings.sets.all & ~_as_set(findings, candidates) & ~findings.evaluated
    findings.rule_out(findings.pruned)
    for height in range(findings.sets.span + 1):
        unknown = list(findings.sets.nodes(findings.sets.at_height(height) & findings.open))
        findings.add_verdicts([known[node] for node in unknown if node in known])
        findings.evaluate(node for node in unknown if findings.sets.bit(node) & findings.open)
    findings.evaluate_accepted()


def _join(findings: Findings, subset: Subset, accepted: NodesBySubset) -> set[Levels]:
    """Return the nodes of a subset that are accepted without any one of its quasi-identifiers."""
    if not subset:
        return {()}
    *first, last = subset
    others = [(index, accepted[subset[:index] + subset[index + 1 :]]) for index in range(len(subset) - 1)]
    found = set()
    for start in accepted[tuple(first)]:
        for level in findings.lattice.ranges[last]:
            levels = (*start, level)
            if all(levels[:index] + levels[index + 1 :] in nodes for index, nodes in others):
                found.add(levels)
    return found


def _breadth_first(findings: Findings, joined: NodesBySubset, known: dict[Node, Verdict]) -> NodesBySubset:
    """Return the accepted nodes of every subset, height by height; a node above an accepted node is accepted."""
    accepted: NodesBySubset = {subset: set() for subset in joined}
    heights = sorted({sum(levels) for nodes in joined.values() for levels in nodes})
    by_height: dict[int, list[tuple[Subset, Levels]]] = {height: [] for height in heights}
    for subset, nodes in joined.items():
        for levels in sorted(nodes):
            by_height[sum(levels)].append((subset, levels))
    for height in heights:
        waiting = [(subset, levels) for subset, levels in by_height[height] if levels not in accepted[subset]]
        findings.evaluate_for_subsets([_full(findings, *pair) for pair in waiting], known)
        passed = [(s, levels) for s, levels in waiting if findings.accepts(known[_full(findings, s, levels)])]
        for subset, levels in passed:
            accepted[subset].add(levels)
        for subset, levels in by_height[height]:
            if levels in accepted[subset]:
                accepted[subset] |= joined[subset] & set(_successors(levels))
    return accepted


def _successors(levels: Levels) -> Iterable[Levels]:
    return ((*levels[:index], level + 1, *levels[index + 1 :]) for index, level in enumerate(levels))


def _full(findings: Findings, subset: Subset, levels: Levels) -> Node:
    """Return a node of a subset as a node of all quasi-identifiers, the others at their roots."""
    node = list(findings.lattice.heights)
    for index, level in zip(subset, levels, strict=True):
        node[index] = level
    return tuple(node)


def _as_set(findings: Findings, nodes: Iterable[Node]) -> int:
    found = bytearray(findings.sets.size // 8 + 1)
    for node in nodes:
        index = findings.sets.index(node)
        found[index >> 3] |= 1 << (index & 7)
    return int.from_bytes(found, "little")
