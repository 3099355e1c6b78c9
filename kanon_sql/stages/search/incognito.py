"""Incognito: subsets of the quasi-identifiers by size; what fails in a subset fails in every larger one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from kanon_sql.artifacts import Verdict
from kanon_sql.lattice import Node
from kanon_sql.stages.search.findings import Findings
from kanon_sql.stages.search.flash import flash

Subset = tuple[int, ...]
Levels = tuple[int, ...]  # of the subset's quasi-identifiers
Survivors = dict[Subset, set[Levels]]


def incognito(findings: Findings) -> None:
    """Finds every accepted node, then the best of them."""
    if not findings.inherits:
        flash(findings)
        return
    columns = range(len(findings.lattice.heights))
    survivors: Survivors = {(): {()}}
    known = dict(findings.verdicts)
    for size in columns:
        joined = {subset: _join(findings, subset, survivors) for subset in combinations(columns, size)}
        survivors = _breadth_first(findings, joined, known) if size else survivors
    candidates = _join(findings, tuple(columns), survivors)
    findings.pruned = findings.sets.all & ~_as_set(findings, candidates) & ~findings.checked
    findings.rule_out(findings.pruned)
    for height in range(findings.sets.span + 1):
        unknown = list(findings.sets.nodes(findings.sets.at_height(height) & findings.open))
        findings.learn([known[node] for node in unknown if node in known])
        findings.ask(node for node in unknown if findings.sets.bit(node) & findings.open)
    findings.settle()


def _join(findings: Findings, subset: Subset, survivors: Survivors) -> set[Levels]:
    """The nodes of a subset all of whose parts, each without one quasi-identifier, have survived."""
    if not subset:
        return {()}
    *first, last = subset
    others = [(place, survivors[subset[:place] + subset[place + 1 :]]) for place in range(len(subset) - 1)]
    found = set()
    for start in survivors[tuple(first)]:
        for level in findings.lattice.ranges[last]:
            levels = (*start, level)
            if all(levels[:place] + levels[place + 1 :] in survived for place, survived in others):
                found.add(levels)
    return found


def _breadth_first(findings: Findings, joined: Survivors, known: dict[Node, Verdict]) -> Survivors:
    """The accepted nodes of every subset, height by height: what is above an accepted node is accepted."""
    accepted: Survivors = {subset: set() for subset in joined}
    heights = sorted({sum(levels) for nodes in joined.values() for levels in nodes})
    by_height: dict[int, list[tuple[Subset, Levels]]] = {height: [] for height in heights}
    for subset, nodes in joined.items():
        for levels in sorted(nodes):
            by_height[sum(levels)].append((subset, levels))
    for height in heights:
        waiting = [(subset, levels) for subset, levels in by_height[height] if levels not in accepted[subset]]
        findings.consult([_full(findings, *pair) for pair in waiting], known)
        passed = [(s, levels) for s, levels in waiting if findings.accepts(known[_full(findings, s, levels)])]
        for subset, levels in passed:
            accepted[subset].add(levels)
        for subset, levels in by_height[height]:
            if levels in accepted[subset]:
                accepted[subset] |= joined[subset] & set(_successors(levels))
    return accepted


def _successors(levels: Levels) -> Iterable[Levels]:
    return ((*levels[:place], level + 1, *levels[place + 1 :]) for place, level in enumerate(levels))


def _full(findings: Findings, subset: Subset, levels: Levels) -> Node:
    """A node of a subset as one of all quasi-identifiers: the others are at their roots."""
    node = list(findings.lattice.heights)
    for index, level in zip(subset, levels, strict=True):
        node[index] = level
    return tuple(node)


def _as_set(findings: Findings, nodes: Iterable[Node]) -> int:
    found = bytearray(findings.sets.size // 8 + 1)
    for node in nodes:
        place = findings.sets.index(node)
        found[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(found, "little")
