"""Samarati: bisect the height for the lowest one with an accepted node, and choose the cheapest node of that height."""

from __future__ import annotations

from collections.abc import Callable

from kanon_sql.common.countdown import Countdown
from kanon_sql.lattice import Node
from kanon_sql.stages.search.findings import ROUND, Findings
from kanon_sql.stages.search.node_sets import NodeSet


def samarati(findings: Findings) -> None:
    """Find the lowest height with an accepted node, and evaluate all nodes of that height."""
    low, high = 0, findings.sets.span
    while low < high:
        middle = (low + high) // 2
        if _has(findings, middle, lambda: findings.not_ruled_out):
            high = middle
        else:
            low = middle + 1
    # If a node above an accepted one may be rejected, a node that is not ruled out may still be rejected.
    while low < findings.sets.span and not _has(findings, low, lambda: findings.accepted):
        low += 1
    findings.evaluate(_unknown(findings, low))
    findings.add_costs_of([findings.verdicts[node] for node in lowest_accepted(findings)])


def lowest_accepted(findings: Findings) -> list[Node]:
    """Return the evaluated accepted nodes of the lowest height that has any."""
    accepted = [node for node, verdict in findings.verdicts.items() if findings.accepts(verdict) and node in findings.lattice]
    height = min((sum(node) for node in accepted), default=0)
    return [node for node in accepted if sum(node) == height]


def _has(findings: Findings, height: int, wanted: Callable[[], NodeSet]) -> bool:
    """Return whether a height has a node of the wanted set; evaluate a few nodes at a time until one is found."""
    of_height, countdown = findings.sets.at_height(height), Countdown("samarati")
    while not of_height & wanted():
        unknown = _unknown(findings, height)
        if not unknown:
            return False
        countdown.require_less(len(unknown))
        findings.evaluate(unknown[:ROUND])
    return True


def _unknown(findings: Findings, height: int) -> list[Node]:
    return sorted(findings.sets.nodes(findings.sets.at_height(height) & findings.open), key=findings.ranking.bound_of)
