"""The demo's before and after, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from kanon_sql.terminal.layout import as_text, program
from kanon_sql.terminal.runs import describe_anonymize

if TYPE_CHECKING:
    from kanon_sql.commands.demo import DemoReport, Sample


def describe_demo(report: DemoReport) -> str:
    """The demo's before and after, for people."""
    before, release = report.anonymized.solution.before, report.anonymized
    risk = Table(box=None, pad_edge=False)
    for heading in ("risk", "before", "after"):
        risk.add_column(heading, justify="left" if heading == "risk" else "right")
    risk.add_row("smallest class", f"{before.smallest_class}", f"{release.k}")
    risk.add_row("unique rows", f"{before.unique_rows:,}", "0")
    risk.add_row("rows", f"{release.rows:,}", f"{release.published_rows:,}")
    risk.add_row("classes", f"{before.classes:,}", f"{release.classes:,}")
    places = "\n".join(f"  {what:<10} {where}" for what, where in report.places.items())
    return "\n".join(
        [
            "\nBefore: patients", as_text(_sample_table(report.before)),
            "After: patients_anon", as_text(_sample_table(report.after)),
            as_text(risk), describe_anonymize(release), "\nWhere everything is:", places,
            f"\nTry it yourself:\n  {program()} check {report.url} --policy {report.places['policy']}",
        ]
    )  # fmt: skip


def _sample_table(sample: Sample) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in sample.columns:
        table.add_column(Text(column), no_wrap=True)
    for row in sample.rows:
        table.add_row(*(Text("NULL" if cell is None else str(cell)) for cell in row))
    return table
