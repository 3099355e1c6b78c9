"""Datafly: generalize the quasi-identifier with the most distinct values until few enough rows fail."""

from __future__ import annotations

from kanon_sql.artifacts import Verdict
from kanon_sql.lattice import Lattice
from kanon_sql.search.evaluator import Evaluator


def datafly(lattice: Lattice, evaluator: Evaluator, allowed_rows: int, before: Verdict) -> Verdict:
    """The verdict on the first node of Datafly's path whose failing rows may be suppressed, or on the path's end."""
    verdict = before if before.node == lattice.bottom else evaluator.verdicts([lattice.bottom])[0]
    while verdict.failing_rows > allowed_rows:
        node = verdict.node
        open_columns = lattice.can_rise(node)
        if not open_columns:
            return verdict
        distinct = evaluator.distinct_labels(node)
        widest = max(open_columns, key=lambda index: (distinct[index], -index))
        verdict = evaluator.verdicts([lattice.raised(node, widest)])[0]
    return verdict
