"""What a run, a search or a check found, as text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from kanon_sql.metrics import as_loss
from kanon_sql.report.privacy import describe_average_risk, describe_price, describe_reached
from kanon_sql.report.run import STATUSES
from kanon_sql.report.search import describe_search
from kanon_sql.report.summary import figure, loss_line
from kanon_sql.terminal.layout import as_text, program

if TYPE_CHECKING:
    from kanon_sql.report.check import CheckReport
    from kanon_sql.report.run import AnonymizeReport, InPlaceReport
    from kanon_sql.report.solve import SolveReport
    from kanon_sql.workspace.history import HistoryEntry

MINIMAL_SHOWN = 10


def describe_anonymize(report: AnonymizeReport) -> str:
    """The result of a run, for people."""
    lines = [
        *report.published_lines(),
        loss_line(report.utility),
        *describe_reached(report.reached),
        *describe_average_risk(report.policy.models, report.privacy.get("average_risk")),
        *describe_price(report.solution, report.policy.models, report.rows),
        describe_search(report.solution),
    ]
    for what, names in (("Kept as they are", report.kept), ("Dropped", report.dropped)):
        if names:
            lines.append(f"{what}: {', '.join(names)}.")
    if report.status in STATUSES:
        lines.append(STATUSES[report.status])
    if report.in_place:
        lines += _describe_in_place(report.in_place)
    return _levels(report) + "\n" + "\n".join(lines)


def describe_solve(report: SolveReport, file: Path | None) -> str:
    """The result of a search, for people."""
    lines = [
        *report.summary()[:2],
        *describe_price(report.solution, report.policy.models, report.plan.expected["rows"]),
        describe_search(report.solution),
        *_minimal(report),
        "Nothing was published." if file is None else f"The plan is in {file}; publish it with kanon anonymize URL --plan {file}",
    ]
    return _levels(report) + "\n" + "\n".join(lines)


def _minimal(report: SolveReport) -> list[str]:
    """The cheapest minimal nodes, as --levels takes them."""
    first = next(iter(report.solution.costs), "")
    nodes = sorted(report.solution.search.minimal, key=lambda m: (m.cost is None, as_loss(first, m.cost or 0), m.node))
    shown = []
    for minimal in nodes:
        levels = ",".join(f"{name}={level}" for name, level in zip(report.levels, minimal.node, strict=True))
        shown.append(f"  {levels}  {figure(minimal.cost)}")
    whole = "all" if report.solution.search.minimal_complete else "met on the way"
    return [f"Minimal accepted nodes ({len(shown):,}, {whole}), the first of them by cost:", *shown[:MINIMAL_SHOWN]] if shown else []


def _levels(report: AnonymizeReport | SolveReport) -> str:
    """What was decided per quasi-identifier: its level, or how often regions were cut by it."""
    plan = Table(box=None, pad_edge=False)
    counts = report.solution.search.counts
    for heading in ("quasi-identifier", *counts) if counts else ("quasi-identifier", "level", "of"):
        plan.add_column(heading, justify="left" if heading == "quasi-identifier" else "right")
    for name, level in report.levels.items():
        plan.add_row(Text(name), str(level), str(report.heights[name]))
    if counts:
        for name, *figures in zip(report.heights, *counts.values(), strict=True):
            plan.add_row(Text(name), *(f"{figure:,}" for figure in figures))
    return as_text(plan)


def _describe_in_place(told: InPlaceReport) -> list[str]:
    """What became of the original rows."""
    erased = "Original rows: erased." if told.scrubbed else f"This remains: {'; '.join(told.remaining)}."
    lines = [f"In place, run {told.run_id}. {erased}"]
    if told.backup:
        lines.append(f"Backup of the original rows: {told.backup} (drop it with: {program()} recover URL --drop-backups).")
    if told.lost:
        lines.append(f"Dropped with permission: {', '.join(told.lost)}.")
    lines.append(f"Outside this tool's control: {', '.join(told.not_ours)}.")
    return lines


def describe_history(entries: Sequence[HistoryEntry]) -> str:
    """The recorded runs, for people."""
    if not entries:
        return "No run is recorded here."
    table = Table(box=None, pad_edge=False)
    for heading in ("when", "who", "table", "status", "k", "rows", "suppressed", "GenILoss", "seconds", "run"):
        table.add_column(heading, justify="right" if heading in ("k", "rows", "suppressed", "GenILoss", "seconds") else "left")
    for entry in entries:
        told = entry.to_dict()
        loss = (told["utility"] or {}).get("geniloss")
        counted = (told["k"], told["rows_published"], told["rows_suppressed"], loss)
        shown = [figure(number) for number in counted]
        table.add_row(Text(entry.finished), Text(entry.who), Text(entry.table_name), entry.status, *shown, entry.seconds, entry.run_id)
    reasons = [f"{entry.run_id} failed: {entry.reason}" for entry in entries if entry.reason]
    return "\n".join([as_text(table).rstrip(), *reasons])


def describe_check(report: CheckReport) -> str:
    """Return the result of a check as text."""
    return str(report)
