"""What is known of a table's columns and their hierarchies, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from kanon_sql.common.spelling import many
from kanon_sql.report.summary import figure
from kanon_sql.terminal.layout import as_text

if TYPE_CHECKING:
    from kanon_sql.commands.hierarchy import HierarchyReport
    from kanon_sql.report.profile import ProfileReport
    from kanon_sql.stages.count.hierarchy_tree import Branch


def describe_profile(report: ProfileReport) -> str:
    """What a table looks like, for people."""
    table = Table(box=None, pad_edge=False)
    for heading in ("column", "type", "distinct", "NULL", "unique", "suggested role", "because"):
        table.add_column(heading, justify="right" if heading in ("distinct", "NULL", "unique") else "left")
    for found in report.columns:
        counts = [figure(count) for count in (found.distinct, found.nulls, found.unique_rows)]
        table.add_row(Text(found.column.name), Text(found.column.type_name.lower()), *counts, found.role, Text(found.reason))
    lines = report.summary()
    if report.pairs:
        lines.append("Pairs that single most rows out:")
        lines += [
            f"  {' + '.join(pair.columns)}: {many(pair.unique_rows, 'unique row')}, {many(pair.classes, 'class')}"
            for pair in report.pairs[:3]
        ]
    lines += report.warnings
    return as_text(table) + "\n" + "\n".join(lines)


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
