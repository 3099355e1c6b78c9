"""Parallel walks through the lattice: each yields one node at a time, and a round evaluates the nodes of all walks together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kanon_sql.lattice import Node
from kanon_sql.stages.search.findings import Findings

WIDTH = 8

Walk = Iterator[Node]


def walk_together(findings: Findings, walks: Iterator[Walk]) -> None:
    """Run walks to their ends, a few at a time; each continues with the verdicts of all walks."""
    active: list[tuple[Walk, Node]] = []
    while True:
        while len(active) < WIDTH and (walk := next(walks, None)) is not None:
            active += _step(walk)
        if not active:
            return
        findings.evaluate(node for _, node in active)
        active = [step for walk, _ in active for step in _step(walk)]


def _step(walk: Walk) -> list[tuple[Walk, Node]]:
    """Return the walk with its next node, or an empty list at its end."""
    return [(walk, node) for node in (next(walk, None),) if node is not None]


def bisect_path(findings: Findings, path: Sequence[Node], *, to_accepted: bool = False) -> Walk:
    """Yield the nodes to evaluate to find the lowest node of a rising path that is not ruled out, or that is accepted."""
    low, high = 0, len(path)
    while low < high:
        middle = (low + high) // 2
        bit = findings.sets.bit(path[middle])
        if not bit & (findings.accepted | findings.rejected if to_accepted else findings.not_ruled_out | findings.ruled_out):
            yield path[middle]
        if bit & (findings.accepted if to_accepted else findings.not_ruled_out):
            high = middle
        else:
            low = middle + 1
