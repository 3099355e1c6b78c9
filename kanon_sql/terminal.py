"""How results and progress look on a terminal: results as text, progress and warnings on stderr."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from kanon_sql.metrics import as_loss
from kanon_sql.search_story import describe_search

if TYPE_CHECKING:
    from kanon_sql.commands.demo import DemoReport, Sample
    from kanon_sql.commands.hierarchy import HierarchyReport
    from kanon_sql.hierarchy_tree import Branch
    from kanon_sql.in_place.journal import HistoryEntry
    from kanon_sql.profile_report import ProfileReport
    from kanon_sql.report import AnonymizeReport, CheckReport, InPlaceReport
    from kanon_sql.solve_report import SolveReport
    from kanon_sql.workspace import Stage, StageListener


MINIMAL_SHOWN = 10


@contextmanager
def progress(*, quiet: bool) -> Iterator[StageListener | None]:
    """A listener that shows the stages: a spinner on a terminal, plain lines in a pipe, nothing when quiet."""
    if quiet:
        yield None
        return
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield lambda _, stage: _print_stage(console, stage)
        return
    with console.status("connect") as status:

        def show(name: str, stage: Stage | None) -> None:
            status.update(name)
            _print_stage(console, stage)

        yield show


def _print_stage(console: Console, stage: Stage | None) -> None:
    if stage is not None:
        unit = "statement" if stage.statements == 1 else "statements"
        console.print(f"{stage.name:<8} {stage.seconds:8.2f} s  {stage.statements} {unit}", style="dim")


def warn(warnings: Sequence[str]) -> None:
    """Prints warnings on stderr."""
    for warning in warnings:
        Console(stderr=True, highlight=False, soft_wrap=True).print(f"Warning: {warning}", style="yellow", markup=False)


def note(text: str) -> None:
    """Prints a remark on stderr."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(text, markup=False)


def describe_anonymize(report: AnonymizeReport) -> str:
    """The result of a run, for people."""
    utility = report.utility
    done = "would hold" if report.dry_run else "holds"
    lines = [
        f"{report.target} {done} {report.published_rows:,} of {report.rows:,} rows in {report.classes:,} classes; "
        f"{report.suppressed_rows:,} rows ({utility['suppression_rate']:.2%}) suppressed.",
        f"k reached: {report.k} (asked: {report.policy.privacy.k}). "
        f"Before: smallest class {report.solution.before.smallest_class}, {report.solution.before.unique_rows:,} unique rows.",
        f"Loss: GenILoss {_figure(utility['geniloss'])}, DM {_figure(utility['dm'])}, C_AVG {_figure(utility['c_avg'])}.",
        describe_search(report.solution),
    ]
    for what, names in (("Kept as they are", report.kept), ("Dropped", report.dropped)):
        if names:
            lines.append(f"{what}: {', '.join(names)}.")
    if report.dry_run:
        lines.append("Dry run: nothing was published.")
    if report.status == "unchanged":
        lines.append("Unchanged since that run under the same policy: nothing to do.")
    if report.in_place:
        lines += _describe_in_place(report.in_place)
    return _levels(report) + "\n" + "\n".join(lines)


def describe_solve(report: SolveReport, file: Path | None) -> str:
    """The result of a search, for people."""
    expected = report.plan.expected
    costs = ", ".join(f"{name} {_figure(value)}" for name, value in expected["cost"].items())
    lines = [
        f"{report.plan.table}: these levels would publish {expected['published']:,} of {expected['rows']:,} rows in "
        f"{expected['classes']:,} classes; {expected['suppressed']:,} rows suppressed.",
        f"k reached: {expected['k']} (asked: {report.policy.privacy.k}). Cost: {costs}.",
        describe_search(report.solution),
        *_minimal(report),
        "Nothing was published." if file is None else f"The plan is in {file}; publish it with kanon anonymize URL --plan {file}",
    ]
    return _levels(report) + "\n" + "\n".join(lines)


def _minimal(report: SolveReport) -> list[str]:
    """The cheapest minimal nodes, as --levels takes them."""
    first = next(iter(report.solution.costs))
    nodes = sorted(report.solution.minimal, key=lambda m: (m.cost is None, as_loss(first, m.cost or 0), m.node))
    shown = []
    for minimal in nodes:
        levels = ",".join(f"{name}={level}" for name, level in zip(report.levels, minimal.node, strict=True))
        shown.append(f"  {levels}  {_figure(minimal.cost)}")
    whole = "all" if report.solution.minimal_complete else "met on the way"
    return [f"Minimal accepted nodes ({len(shown):,}, {whole}), the first of them by cost:", *shown[:MINIMAL_SHOWN]] if shown else []


def _levels(report: AnonymizeReport | SolveReport) -> str:
    """What was decided per quasi-identifier: its level, or how often regions were cut by it."""
    plan = Table(box=None, pad_edge=False)
    partition = report.solution.partition
    for heading in ("quasi-identifier", "cuts") if partition else ("quasi-identifier", "level", "of"):
        plan.add_column(heading, justify="left" if heading == "quasi-identifier" else "right")
    for name, level in report.levels.items():
        plan.add_row(Text(name), str(level), str(report.heights[name]))
    if partition:
        for name, cuts in zip(report.heights, partition.cuts, strict=True):
            plan.add_row(Text(name), f"{cuts:,}")
    return _text(plan)


def _describe_in_place(told: InPlaceReport) -> list[str]:
    """What became of the original rows."""
    lines = [f"In place, run {told.run_id}. Original rows: " + ("erased." if told.scrubbed else "; ".join(told.remaining) + ".")]
    if told.backup:
        lines.append(f"Backup of the original rows: {told.backup} (drop it with: {_program()} recover URL --drop-backups).")
    if told.lost:
        lines.append(f"Lost, as allowed: {', '.join(told.lost)}.")
    lines.append(f"Not ours to erase: {', '.join(told.not_ours)}.")
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
        figures = (told["k"], told["rows_published"], told["rows_suppressed"], loss)
        shown = ["–" if figure is None else _figure(figure) for figure in figures]
        table.add_row(Text(entry.finished), Text(entry.who), Text(entry.table_name), entry.status, *shown, entry.seconds, entry.run_id)
    return _text(table).rstrip()


def describe_check(report: CheckReport) -> str:
    """The result of a check, for people."""
    release = report.release
    if release.rows == 0:
        return f"{report.table} is empty; nobody can be singled out in it."
    if report.holds:
        smallest = f"the smallest of {release.smallest_class} rows"
        return f"{report.table} is {report.required_k}-anonymous: {release.classes:,} classes, {smallest}."
    return (
        f"{report.table} is not {report.required_k}-anonymous: {release.failing_classes:,} of {release.classes:,} classes "
        f"({release.failing_rows:,} of {release.rows:,} rows) are too small; the smallest has {release.smallest_class}."
    )


def describe_profile(report: ProfileReport) -> str:
    """What a table looks like, for people."""
    table = Table(box=None, pad_edge=False)
    for heading in ("column", "type", "distinct", "NULL", "unique", "suggested role", "because"):
        table.add_column(heading, justify="right" if heading in ("distinct", "NULL", "unique") else "left")
    for found in report.columns:
        counts = [_figure(count) for count in (found.distinct, found.nulls, found.unique_rows)]
        table.add_row(Text(found.column.name), Text(found.column.type_name.lower()), *counts, found.role, Text(found.reason))
    risk, k, chosen = report.risk, report.policy.privacy.k, len(report.quasi_identifiers)
    lines = [
        f"{report.table}: {risk.rows:,} rows, by the {chosen} suggested quasi-identifiers in {risk.classes:,} classes.",
        f"Smallest class {_figure(risk.smallest_class)}; {risk.unique_rows:,} rows are unique, {risk.failing_rows:,} in classes below {k}.",
    ]
    if report.pairs:
        lines.append("Pairs that single most rows out:")
        lines += [f"  {' + '.join(pair.columns)}: {pair.unique_rows:,} unique rows, {pair.classes:,} classes" for pair in report.pairs[:3]]
    lines += report.warnings
    return _text(table) + "\n" + "\n".join(lines)


def describe_hierarchy(report: HierarchyReport) -> str:
    """A column's tree of labels, for people."""
    lines: list[str] = []

    def grow(branches: Sequence[Branch], depth: int) -> None:
        for branch in branches:
            lines.append(f"{'  ' * depth}{branch.label}  {branch.rows:,}")
            grow(branch.below, depth + 1)

    grow(report.tree, 0)
    hidden = sum(report.labels[1:]) - sum(report.shown)
    if report.counts.null_rows >= report.k:
        lines.append(f"NULL  {report.counts.null_rows:,}")
    lines.append(describe_fit(report))
    if hidden:
        lines.append(f"{hidden:,} labels are not shown: fewer than {report.k} rows share them, or they stand for NULL.")
    return "\n".join(lines)


def describe_fit(report: HierarchyReport) -> str:
    """That a hierarchy fits its column, for people."""
    levels = ", ".join(f"{count:,} at level {level}" for level, count in enumerate(report.labels))
    counts = report.counts
    return (
        f"The hierarchy of {report.column} fits all {counts.rows:,} rows. Of its {counts.leaves:,} leaves {counts.occurring:,} occur. "
        f"Labels, NULL among them: {levels}."
    )


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
            "\nBefore: patients", _text(_sample_table(report.before)),
            "After: patients_anon", _text(_sample_table(report.after)),
            _text(risk), describe_anonymize(release), "\nWhere everything is:", places,
            f"\nTry it yourself:\n  {_program()} check {report.url} --policy {report.places['policy']}",
        ]
    )  # fmt: skip


def _program() -> str:
    """How the user can call this program again."""
    return "kanon" if shutil.which("kanon") else sys.argv[0]


def _sample_table(sample: Sample) -> Table:
    table = Table(box=None, pad_edge=False)
    for column in sample.columns:
        table.add_column(Text(column), no_wrap=True)
    for row in sample.rows:
        table.add_row(*(Text("NULL" if cell is None else str(cell)) for cell in row))
    return table


def _figure(value: int | float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4f}"


def _text(table: Table) -> str:
    buffer = io.StringIO()
    Console(file=buffer, width=1000, highlight=False, color_system=None).print(table)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"
