"""MinGen: evaluate every node and choose the best."""

from __future__ import annotations

from kanon_sql.stages.search.findings import Findings


def mingen(findings: Findings) -> None:
    """Evaluate all nodes, the most general first, because these are the most likely to be accepted."""
    for height in range(findings.sets.span, -1, -1):
        findings.evaluate(findings.sets.nodes(findings.sets.at_height(height)))
    findings.add_costs_of([verdict for verdict in findings.verdicts.values() if findings.accepts(verdict)])
