"""Samarati: bisects the height for the lowest one that has an accepted node; of that height the best by cost."""

from __future__ import annotations

from kanon_sql.lattice import Node
from kanon_sql.search.findings import ROUND, Findings


def samarati(findings: Findings) -> None:
    """Finds the lowest height with an accepted node, and checks all its nodes."""
    low, high = 0, findings.sets.span
    while low < high:
        # Where a node above an accepted one may be rejected, a height says nothing of the next.
        middle = (low + high) // 2 if findings.inherits else low
        if _has_accepted(findings, middle):
            high = middle
        else:
            low = middle + 1
    findings.ask(_unknown(findings, low))
    findings.price([findings.verdicts[node] for node in lowest_accepted(findings)])


def lowest_accepted(findings: Findings) -> list[Node]:
    """The checked accepted nodes of the lowest height that has any."""
    accepted = [node for node, verdict in findings.verdicts.items() if findings.accepts(verdict) and node in findings.lattice]
    height = min((sum(node) for node in accepted), default=0)
    return [node for node in accepted if sum(node) == height]


def _has_accepted(findings: Findings, height: int) -> bool:
    """Whether a height has an accepted node; asks for a few at a time until one is found."""
    of_height = findings.sets.at_height(height)
    while not of_height & findings.accepted:
        unknown = _unknown(findings, height)
        if not unknown:
            return False
        findings.ask(unknown[:ROUND])
    return True


def _unknown(findings: Findings, height: int) -> list[Node]:
    return sorted(findings.sets.nodes(findings.sets.at_height(height) & findings.open), key=findings.contest.bound_of)
