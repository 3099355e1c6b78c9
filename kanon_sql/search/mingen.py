"""MinGen: looks at every node and takes the best; slow, and beyond doubt."""

from __future__ import annotations

from kanon_sql.search.findings import ROUND, Findings


def mingen(findings: Findings) -> None:
    """Checks all nodes, the most general first, so that a good one is known early."""
    for height in range(findings.sets.span, -1, -1):
        findings.ask(findings.sets.nodes(findings.sets.at_height(height)))
    findings.price([verdict for verdict in findings.verdicts.values() if findings.accepts(verdict)])


def check_candidates(findings: Findings) -> None:
    """Checks every node that may be the best, where nothing can be inferred; the most promising first."""
    while findings.candidates:
        findings.ask(sorted(findings.sets.nodes(findings.candidates), key=findings.contest.bound_of)[:ROUND])
