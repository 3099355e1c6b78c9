"""Information loss of releases and risk of tables as text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kanon_sql.metrics import CELL_METRICS
from kanon_sql.report.privacy import describe_average_risk, describe_reached
from kanon_sql.report.summary import figure
from kanon_sql.terminal.layout import text_table

if TYPE_CHECKING:
    from kanon_sql.artifacts.measures import NotComputed, QueryErrors
    from kanon_sql.report.measure import MeasureReport
    from kanon_sql.report.risk import RiskReport

SETS_SHOWN = 15
PER_COLUMN = tuple(metric.name for metric in CELL_METRICS)  # more would not fit 80 columns, and are in --json


def describe_measure(report: MeasureReport) -> str:
    """Return the information loss of a release as text."""
    utility = report.utility
    sizes = {f"class size, {name}": value for name, value in utility["class_size"].items()}
    plain = {name: value for name, value in utility.items() if name not in ("per_column", "class_size", "classes")}
    models = report.models
    average = describe_average_risk(models.rules, models.privacy.get("average_risk"))
    head = "\n".join([report.summary()[0], *describe_reached(models.reached, with_failures=True), *average])
    parts = [head + "\n", text_table(("metric", "value"), [(name, figure(value)) for name, value in {**plain, **sizes}.items()])]
    if utility.get("per_column"):
        rows = [
            (name, "–" if of["level"] is None else f"{of['level']} of {of['height']}", *(figure(of[metric]) for metric in PER_COLUMN),
             "–" if of["share"]["geniloss"] is None else f"{of['share']['geniloss']:.1%}")
            for name, of in utility["per_column"].items()
        ]  # fmt: skip
        parts.append(text_table(("quasi-identifier", "level", *PER_COLUMN, "share"), rows))
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
    """Return why metrics have no value, grouped by reason."""
    reasons: dict[tuple[str | None, str], list[str]] = {}
    for found in missing:
        reasons.setdefault((found.column, found.reason), []).append(found.metric)
    lines = [f"  {', '.join(metrics)}{f' of {column}' if column else ''}: {reason}" for (column, reason), metrics in reasons.items()]
    return ["Not computed:\n" + "\n".join(lines)] if lines else []


def describe_risk(report: RiskReport) -> str:
    """Return the risk of a table as text."""
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
    parts = [f"{report}\n", text_table(("class size", "classes", "rows", "share"), sizes)]
    parts.append(text_table(("quasi-identifiers", "distinct", "distinction", "separation", "uniqueness"), shown))
    if len(sets) > SETS_SHOWN:
        parts.append(f"{len(sets) - SETS_SHOWN:,} more sets are in --json.\n")
    if report.information:
        parts.append(_information(report))
    return "\n".join(parts).rstrip()


def _information(report: RiskReport) -> str:
    """Return a table per sensitive column of what the quasi-identifiers reveal about it."""
    names = list(report.information[0].figures)
    headings = ("quasi-identifiers", *(name.upper() for name in names), "riskiest", "rows")
    tables: dict[str, list[tuple[str, ...]]] = {}
    for found in report.information:
        share = "–" if found.riskiest_share is None else f"{found.riskiest_share:.2%}"
        figures = [figure(value) for value in (*found.figures.values(), found.riskiest_classes)]
        tables.setdefault(found.column, []).append((" + ".join(found.quasi_identifiers), *figures, share))
    return "\n".join(f"Information about {column}:\n\n{text_table(headings, rows)}" for column, rows in tables.items())
