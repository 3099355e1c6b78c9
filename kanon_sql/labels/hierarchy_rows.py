"""Read a hierarchy from a table of the database."""

from __future__ import annotations

import re

from kanon_sql.common.spelling import many
from kanon_sql.errors import HierarchyError
from kanon_sql.hierarchy import Line, Rule
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import describe, resolve, suggest_table


def read_hierarchy_rows(workspace: Workspace, rule: Rule) -> Rule:
    """Return the rule with the rows of its table, if it is in one, in the order of their values; raise if they are not a tree."""
    return rule.read_table(lambda table, where: _rows(workspace, table, where))


def _rows(workspace: Workspace, table: str, where: str) -> tuple[Line, ...]:
    name = TableName.parse(table)
    found = resolve(workspace, name)
    if found is None:
        hidden = ", or this user has no right on it" if workspace.backend.hides_tables else ""
        raise HierarchyError(f"{where} does not exist{suggest_table(workspace, name) or hidden}")
    columns = _columns(where, describe(workspace, found.name).columns)
    rows = workspace.fetch("labels/hierarchy_rows", table=found.name, columns=columns)
    if not rows:
        raise HierarchyError(f"{where} is empty; add one row per value")
    nulls = sum(row[0] is None for row in rows)
    if nulls:
        raise HierarchyError(
            f"{where}: {many(nulls, 'row')} with NULL as value; remove them: NULL needs no row, it stays NULL up to the root"
        )
    return tuple(Line(number, tuple(map(_as_text, row))) for number, row in enumerate(rows, start=1))


def _columns(where: str, columns: tuple[Column, ...]) -> list[Column]:
    """Return the columns value, level1, level2 and so on, in this order."""
    by_name = {column.name.lower(): column for column in columns}
    levels = sorted(int(match[1]) for name in by_name if (match := re.fullmatch(r"level([1-9]\d*)", name)))
    if "value" not in by_name or levels != list(range(1, len(levels) + 1)):
        raise HierarchyError(f"{where} needs the columns value, level1, level2 and so on, without a gap")
    chosen = [by_name["value"], *(by_name[f"level{level}"] for level in levels)]
    for column in chosen:
        if column.kind == "other":
            raise HierarchyError(f"{where}: column {column.name!r} has type {column.type_name}, which cannot be used for values or labels")
    return chosen


def _as_text(cell: object) -> str:
    """Return a cell as text, as in a file; NULL is an empty label."""
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)
