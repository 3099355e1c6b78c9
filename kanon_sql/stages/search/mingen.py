"""MinGen: looks at every node and takes the best; slow, and beyond doubt."""

from __future__ import annotations

from kanon_sql.stages.search.findings import Findings


def mingen(findings: Findings) -> None:
    """Checks all nodes, the most general first, so that a good one is known early."""
    for height in range(findings.sets.span, -1, -1):
        findings.ask(findings.sets.nodes(findings.sets.at_height(height)))
    findings.price([verdict for verdict in findings.verdicts.values() if findings.accepts(verdict)])
