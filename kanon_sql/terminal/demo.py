"""The result of the demo as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.terminal.layout import program, text_table
from kanon_sql.terminal.runs import describe_anonymize

if TYPE_CHECKING:
    from kanon_sql.commands.demo import DemoReport, Sample


def describe_demo(report: DemoReport) -> str:
    """Return samples before and after, the risk, the result of the run and what to try next."""
    before, release = report.anonymized.solution.before, report.anonymized
    risk = [
        ("rows", f"{release.rows:,}", f"{release.published_rows:,}"),
        ("classes", f"{before.classes:,}", f"{release.classes:,}"),
        ("smallest class", f"{before.smallest_class}", f"{release.k}"),
        ("unique rows", f"{before.unique_rows:,}", "0"),
    ]
    files = "\n".join(f"  {what:<10} {where}" for what, where in report.files.items())
    return "\n".join(
        [
            "Before: patients", _sample_table(report.before),
            "After: patients_anon", _sample_table(report.after),
            text_table(("", "before", "after"), risk), describe_anonymize(release), "\nFiles:", files,
            f"\nTry it yourself:\n  {program()} check {report.url} --policy {report.files['policy']}",
        ]
    )  # fmt: skip


def _sample_table(sample: Sample) -> str:
    rows = [["NULL" if cell is None else str(cell) for cell in row] for row in sample.rows]
    return text_table(sample.columns, rows, left=[column for column in sample.columns if column != "cost"])
