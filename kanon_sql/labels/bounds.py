"""Labels as two bounds of the column's own type, never narrower than the label."""

from __future__ import annotations

from kanon_sql.artifacts import CodedColumn
from kanon_sql.errors import HierarchyError
from kanon_sql.hierarchy import Rule, TemplateCall
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace


def require_bounds(column: Column, hierarchy: Rule) -> None:
    """Raise if the hierarchy's labels have no bounds of the column's own type."""
    if not has_bounds(column, hierarchy):
        raise HierarchyError(
            f"column {column.name!r}: output: bounds is for numbers and dates, and {hierarchy.key} has no bounds; write output: labels"
            if column.is_numeric
            else f"column {column.name!r}: output: bounds is for numbers and dates; write output: labels"
        )
    problem = hierarchy.bounds_problem(column)
    if problem is not None:
        raise HierarchyError(f"column {column.name!r}: {problem}")


def has_bounds(column: Column, hierarchy: Rule) -> bool:
    """Return whether labels of the hierarchy can have bounds at all."""
    return column.is_numeric and hierarchy.has_bounds


def bounds_table(workspace: Workspace, coded: CodedColumn, level: int) -> TableName:
    """Return the table with low and high of every label of a level above 0, by its part of the class key."""
    rule, is_root = coded.quasi_identifier.hierarchy, level == coded.height
    template, arguments = TemplateCall("labels/bounds/root", {}) if is_root else rule.bounds(coded.column, level)
    tables = {"labels": coded.label_table, "hierarchy": coded.hierarchy_table, "level": level, "kind": coded.column.kind}
    table = workspace.tables.create(f"bounds_{coded.number}", template, **tables, **arguments)
    if not is_root:
        workspace.tables.index(table, "part")
    return table
