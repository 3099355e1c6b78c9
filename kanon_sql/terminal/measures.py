"""What a release costs and how risky a table is, as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from kanon_sql.common.spelling import many
from kanon_sql.metrics import CELL_METRICS
from kanon_sql.report.privacy import describe_average_risk, describe_reached
from kanon_sql.report.summary import figure
from kanon_sql.terminal.layout import as_text

if TYPE_CHECKING:
    from kanon_sql.artifacts.measures import NotComputed, QueryErrors
    from kanon_sql.report.measure import MeasureReport
    from kanon_sql.report.risk import RiskReport

SETS_SHOWN = 15
PER_COLUMN = (*(metric.name for metric in CELL_METRICS), "entropy_nonuniform")


def describe_measure(report: MeasureReport) -> str:
    """What a release costs, for people."""
    utility = report.utility
    sizes = {f"class size, {name}": value for name, value in utility["class_size"].items()}
    plain = {name: value for name, value in utility.items() if name not in ("per_column", "class_size", "classes")}
    models = report.models
    average = describe_average_risk(models.rules, models.privacy.get("average_risk"))
    head = "\n".join([report.summary()[0], *describe_reached(models.reached, with_failures=True), *average])
    parts = [head + "\n", _table(("metric", "value"), [(name, figure(value)) for name, value in {**plain, **sizes}.items()])]
    if utility.get("per_column"):
        rows = [
            (name, "–" if of["level"] is None else f"{of['level']} of {of['height']}", *(figure(of[metric]) for metric in PER_COLUMN),
             "–" if of["share"]["geniloss"] is None else f"{of['share']['geniloss']:.1%}")
            for name, of in utility["per_column"].items()
        ]  # fmt: skip
        parts.append(_table(("quasi-identifier", "level", *PER_COLUMN, "of the GenILoss"), rows))
    if report.queries:
        parts.append("\n".join(_query(number, found) for number, found in enumerate(report.queries, start=1)) + "\n")
    parts += _not_computed((*report.not_computed, *report.models.not_computed))
    return "\n".join(parts).rstrip()


def _query(number: int, found: QueryErrors) -> str:
    if found.reason:
        return f"Query {number}: {found.reason}."
    mean, most = ("–" if error is None else f"{error:.2%}" for error in (found.mean_error, found.max_error))
    return f"Query {number}: relative error {mean} on average, {most} at most; {found.missing:,} of {found.groups:,} groups are missing."


def _not_computed(missing: Iterable[NotComputed]) -> list[str]:
    """Why metrics have no value, those of one reason together."""
    reasons: dict[tuple[str | None, str], list[str]] = {}
    for found in missing:
        reasons.setdefault((found.column, found.reason), []).append(found.metric)
    lines = [f"  {', '.join(metrics)}{f' of {column}' if column else ''}: {reason}" for (column, reason), metrics in reasons.items()]
    return ["Not computed:\n" + "\n".join(lines)] if lines else []


def describe_risk(report: RiskReport) -> str:
    """The risk of a table, for people."""
    if report.rows == 0:
        return str(report)
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
    parts = [f"{report}\n", _table(("class size", "classes", "rows", "share"), sizes)]
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
