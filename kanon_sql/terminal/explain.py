"""Why a solution is what it is, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from kanon_sql.report.summary import figure
from kanon_sql.terminal.layout import as_text

if TYPE_CHECKING:
    from kanon_sql.report.explain import ExplainReport


def describe_explain(report: ExplainReport) -> str:
    """The explanation, for people: a table of the quasi-identifiers, then sentences."""
    table = Table(box=None, pad_edge=False)
    for heading in ("quasi-identifier", "level", "of", report.metric, "share"):
        table.add_column(heading, justify="left" if heading == "quasi-identifier" else "right")
    for column in report.columns:
        table.add_row(Text(column.name), str(column.level), str(column.height), figure(column.loss), f"{column.share:.0%}")
    return as_text(table) + "\n" + "\n".join(report.lines())
