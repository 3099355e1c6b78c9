"""What a release costs and how risky a table is, as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from kanon_sql.terminal.layout import as_text, figure

if TYPE_CHECKING:
    from kanon_sql.risk_report import RiskReport

SETS_SHOWN = 15


def describe_risk(report: RiskReport) -> str:
    """The risk of a table, for people."""
    if report.rows == 0:
        return f"{report.table} is empty; nobody can be singled out in it."
    risks = report.figures
    lines = [
        f"{report.table}: {report.rows:,} rows in {report.classes:,} classes, the smallest of {report.k}; "
        f"{report.unique_rows:,} rows are unique.",
        f"Prosecutor risk: at most {figure(risks['prosecutor_max'])}, on average {figure(risks['prosecutor_average'])}. "
        f"Journalist risk: at most {figure(risks['journalist_max'])}. Marketer risk: {figure(risks['marketer'])}.",
        f"Rows with a risk above {report.threshold}: {risks['at_risk']:.2%}.",
    ]
    sizes = [
        (f"{b.smallest:,}" if b.largest == b.smallest else f"{b.smallest:,} – {b.largest:,}" if b.largest else f"{b.smallest:,} and more",
         f"{b.classes:,}", f"{b.rows:,}", f"{b.rows / report.rows:.2%}")
        for b in report.histogram
    ]  # fmt: skip
    sets = sorted(report.sets, key=lambda s: (len(s.columns) == len(report.quasi_identifiers), -(s.uniqueness or 0), -(s.distinction or 0)))
    shown = [
        (" + ".join(s.columns), f"{s.distinct:,}", *(figure(n) for n in (s.distinction, s.separation, s.uniqueness)))
        for s in sets[:SETS_SHOWN]
    ]
    parts = ["\n".join(lines) + "\n", _table(("class size", "classes", "rows", "share"), sizes)]
    parts.append(_table(("quasi-identifiers", "distinct", "distinction", "separation", "uniqueness"), shown))
    if len(sets) > SETS_SHOWN:
        parts.append(f"{len(sets) - SETS_SHOWN:,} more sets are in --json.\n")
    if report.information:
        parts.append(_information(report))
    return "\n".join(parts).rstrip()


def _information(report: RiskReport) -> str:
    names = list(report.information[0].figures)
    rows = [
        (found.column, " + ".join(found.quasi_identifiers), *(figure(value) for value in found.figures.values()),
         figure(found.riskiest_classes), "–" if found.riskiest_share is None else f"{found.riskiest_share:.2%}")
        for found in report.information
    ]  # fmt: skip
    return _table(("what is told of", "by", *(name.upper() for name in names), "riskiest classes", "their rows"), rows, left=2)


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """Rows under headings, the first columns to the left, figures to the right."""
    table = Table(box=None, pad_edge=False)
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="left" if place < left else "right")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return as_text(table)
