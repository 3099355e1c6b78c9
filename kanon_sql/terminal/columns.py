"""Profiles of tables and hierarchies of columns as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kanon_sql.common.spelling import many
from kanon_sql.report.summary import figure
from kanon_sql.terminal.layout import text_table

if TYPE_CHECKING:
    from kanon_sql.commands.hierarchy import HierarchyReport
    from kanon_sql.report.profile import ProfileReport
    from kanon_sql.stages.count.hierarchy_tree import Branch


def describe_profile(report: ProfileReport) -> str:
    """Return the profile of a table as text."""
    rows = [(c.column.name, c.column.type_name.lower(), *map(figure, (c.distinct, c.nulls, c.unique_rows)), c.role) for c in report.columns]
    table = text_table(("column", "type", "distinct", "NULL", "unique", "suggested role"), rows, ("column", "type", "suggested role"))
    lines = [*report.summary(), *_reasons(report)]
    if report.pairs:
        lines.append("Column pairs that identify the most rows:")
        lines += [
            f"  {' + '.join(pair.columns)}: {many(pair.unique_rows, 'unique row')}, {many(pair.classes, 'class')}"
            for pair in report.pairs[:3]
        ]
    lines += report.warnings
    return table + "\n" + "\n".join(lines)


def _reasons(report: ProfileReport) -> list[str]:
    """Return the reasons for the suggested roles, each with its columns."""
    columns: dict[tuple[str, str], list[str]] = {}
    for found in report.columns:
        columns.setdefault((found.role, found.reason), []).append(found.column.name)
    return ["Reasons for the roles:", *(f"  {role}, {reason}: {', '.join(names)}" for (role, reason), names in columns.items())]


def describe_hierarchy(report: HierarchyReport) -> str:
    """Return a column's tree of labels as text."""
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
        lines.append(f"{hidden:,} labels are not shown: fewer than {report.k} rows share them, or they represent NULL.")
    return "\n".join(lines)


def describe_fit(report: HierarchyReport) -> str:
    """Return a sentence that says that a hierarchy fits its column."""
    levels = ", ".join(f"{count:,} at level {level}" for level, count in enumerate(report.labels))
    counts = report.counts
    return (
        f"The hierarchy of {report.column} fits all {counts.rows:,} rows. Of its {counts.leaves:,} leaves, {counts.occurring:,} occur. "
        f"Labels, including NULL: {levels}."
    )
