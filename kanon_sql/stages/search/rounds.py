"""Walks through the lattice side by side: each asks one node at a time, a round asks those of all walks together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kanon_sql.lattice import Node
from kanon_sql.stages.search.findings import Findings

WIDTH = 8

Walk = Iterator[Node]


def walk_together(findings: Findings, walks: Iterator[Walk]) -> None:
    """Runs walks to their ends, a few at a time; a walk sees all verdicts so far whenever it goes on."""
    active: list[tuple[Walk, Node]] = []
    while True:
        while len(active) < WIDTH and (walk := next(walks, None)) is not None:
            active += _step(walk)
        if not active:
            return
        findings.ask(node for _, node in active)
        active = [step for walk, _ in active for step in _step(walk)]


def _step(walk: Walk) -> list[tuple[Walk, Node]]:
    """The walk with the next node it asks, or nothing at its end."""
    return [(walk, node) for node in (next(walk, None),) if node is not None]


def bisect_path(findings: Findings, path: Sequence[Node], *, to_accepted: bool = False) -> Walk:
    """Asks for the lowest node of a path that goes up which is not ruled out, or one that is accepted, skipping what is known."""
    low, high = 0, len(path)
    while low < high:
        middle = (low + high) // 2
        bit = findings.sets.bit(path[middle])
        if not bit & (findings.accepted | findings.rejected if to_accepted else findings.hopeful | findings.ruled_out):
            yield path[middle]
        if bit & (findings.accepted if to_accepted else findings.hopeful):
            high = middle
        else:
            low = middle + 1
