"""Datafly: generalize the quasi-identifier with the most distinct values until few enough rows fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.artifacts import Solution
from kanon_sql.errors import NoSolutionError
from kanon_sql.lattice import Lattice

if TYPE_CHECKING:
    from kanon_sql.search import Evaluator


def datafly(lattice: Lattice, evaluator: Evaluator, allowed_rows: int) -> Solution:
    """The first node on Datafly's path whose failing rows may be suppressed."""
    node = lattice.bottom
    before = verdict = evaluator.verdicts([node])[0]
    while verdict.failing_rows > allowed_rows:
        open_columns = lattice.can_rise(node)
        if not open_columns:
            raise NoSolutionError(
                f"even with every quasi-identifier at its root {verdict.failing_rows} rows fail, "
                f"and the suppression limit allows {allowed_rows}; lower k or raise the limit"
            )
        distinct = evaluator.distinct_labels(node)
        widest = max(open_columns, key=lambda index: (distinct[index], -index))
        node = lattice.raised(node, widest)
        verdict = evaluator.verdicts([node])[0]
    return Solution("datafly", node, verdict, before, lattice.size, evaluator.checked)
