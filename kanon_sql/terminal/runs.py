"""Results of runs, searches and checks as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kanon_sql.metrics import as_loss
from kanon_sql.report.privacy import describe_average_risk, describe_price, describe_reached
from kanon_sql.report.run import STATUSES
from kanon_sql.report.search import describe_search
from kanon_sql.report.summary import figure, loss_line
from kanon_sql.terminal.layout import program, text_table

if TYPE_CHECKING:
    from kanon_sql.report.check import CheckReport
    from kanon_sql.report.run import AnonymizeReport, InPlaceReport
    from kanon_sql.report.solve import SolveReport
    from kanon_sql.workspace.history import HistoryEntry

MINIMAL_SHOWN = 10


def describe_anonymize(report: AnonymizeReport) -> str:
    """Return the result of a run as text."""
    lines = [
        *report.published_lines(),
        loss_line(report.utility),
        *describe_reached(report.reached),
        *describe_average_risk(report.policy.models, report.privacy.get("average_risk")),
        *describe_price(report.solution, report.policy.models, report.rows),
        describe_search(report.solution),
    ]
    for what, names in (("Kept unchanged", report.kept), ("Dropped", report.dropped)):
        if names:
            lines.append(f"{what}: {', '.join(names)}.")
    if report.status in STATUSES:
        lines.append(STATUSES[report.status])
    if report.in_place:
        lines += _describe_in_place(report.in_place)
    return _levels(report) + "\n" + "\n".join(lines)


def describe_solve(report: SolveReport, file: Path | None) -> str:
    """Return the result of a search as text."""
    lines = [
        *report.summary()[:2],
        *describe_price(report.solution, report.policy.models, report.plan.expected["rows"]),
        describe_search(report.solution),
        *_minimal(report),
        "Nothing was published." if file is None else f"The plan is in {file}. Publish it with: kanon anonymize URL --plan {file}",
    ]
    return _levels(report) + "\n" + "\n".join(lines)


def _minimal(report: SolveReport) -> list[str]:
    """Return the cheapest minimal nodes, in the form of --levels."""
    first = next(iter(report.solution.costs), "")
    nodes = sorted(report.solution.search.minimal, key=lambda m: (m.cost is None, as_loss(first, m.cost or 0), m.node))
    shown = []
    for minimal in nodes:
        levels = ",".join(f"{name}={level}" for name, level in zip(report.levels, minimal.node, strict=True))
        shown.append(f"  {levels}  {figure(minimal.cost)}")
    whole = "all" if report.solution.search.minimal_complete else "found during the search"
    return [f"Minimal accepted nodes ({len(shown):,}, {whole}), the cheapest first:", *shown[:MINIMAL_SHOWN]] if shown else []


def _levels(report: AnonymizeReport | SolveReport) -> str:
    """Return for each quasi-identifier its level, or how often regions were cut by it."""
    counts = report.solution.search.counts
    if counts:
        figures = zip(report.heights, *counts.values(), strict=True)
        return text_table(("quasi-identifier", *counts), [(name, *(f"{count:,}" for count in found)) for name, *found in figures])
    rows = [(name, str(level), str(report.heights[name])) for name, level in report.levels.items()]
    return text_table(("quasi-identifier", "level", "of"), rows)


def _describe_in_place(report: InPlaceReport) -> list[str]:
    """Return what happened to the original rows."""
    erased = "Original rows: erased." if report.scrubbed else f"Original rows remain: {'; '.join(report.remaining)}."
    lines = [f"In place, run {report.run_id}. {erased}"]
    if report.backup:
        lines.append(f"Backup of the original rows: {report.backup} (drop it with: {program()} recover URL --drop-backups).")
    if report.lost:
        lines.append(f"Dropped with permission: {', '.join(report.lost)}.")
    lines.append(f"Outside this tool's control: {', '.join(report.not_ours)}.")
    return lines


def describe_history(entries: Sequence[HistoryEntry]) -> str:
    """Return the recorded runs as text."""
    if not entries:
        return "No run is recorded here."
    headings = ("when", "who", "table", "status", "k", "rows", "suppressed", "GenILoss", "seconds", "run")
    rows = []
    for entry in entries:
        facts = entry.to_dict()
        loss = (facts["utility"] or {}).get("geniloss")
        counts = [figure(number) for number in (facts["k"], facts["rows_published"], facts["rows_suppressed"], loss)]
        rows.append((entry.finished[:19], entry.who, entry.table_name, entry.status, *counts, entry.seconds, entry.run_id))
    table = text_table(headings, rows, left=("when", "who", "table", "status", "run"))
    reasons = [f"{entry.run_id} failed: {entry.reason}" for entry in entries if entry.reason]
    return "\n".join([table.rstrip(), *reasons])


def describe_check(report: CheckReport) -> str:
    """Return the result of a check as text."""
    return str(report)
