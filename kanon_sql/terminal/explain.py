"""Explanations of solutions as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.report.summary import figure
from kanon_sql.terminal.layout import text_table

if TYPE_CHECKING:
    from kanon_sql.report.explain import ExplainReport


def describe_explain(report: ExplainReport) -> str:
    """Return the explanation as a table of the quasi-identifiers, then sentences."""
    rows = [(c.name, str(c.level), str(c.height), figure(c.loss), f"{c.share:.0%}") for c in report.columns]
    table = text_table(("quasi-identifier", "level", "of", report.metric, "share"), rows)
    return table + "\n" + "\n".join(report.lines())
