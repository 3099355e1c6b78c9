"""The published cells of groups that are labelled by nodes of the hierarchies: a value, the label of a level, or the root."""

from __future__ import annotations

from kanon_sql.artifacts import ClassCells, CodedColumn, FrequencyTable, NodeLabels
from kanon_sql.errors import KanonError
from kanon_sql.labels.axes import make_axis
from kanon_sql.labels.groups import LabelledGroups
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


def label_nodes(workspace: Workspace, frequencies: FrequencyTable, groups: TableName, labels: NodeLabels) -> LabelledGroups:
    """Return the groups with the cells of their nodes."""
    spans = workspace.tables.create("spans", "labels/nodes/spans", groups=groups, nodes=labels.table, columns=frequencies.columns)
    levels = zip(frequencies.columns, labels.levels, strict=True)
    return LabelledGroups(spans, tuple(_cells(workspace, labels.table, column, keeps_values=level == 0) for column, level in levels))


def require_true_labels(workspace: Workspace, frequencies: FrequencyTable, groups: TableName, labels: NodeLabels) -> None:
    """Raise if a combination has no group, or is not below the nodes of its group."""
    shape = {"frequencies": frequencies.table, "columns": frequencies.columns, "keys": frequencies.key_parts(frequencies.bottom)}
    rows, misfits = workspace.fetch_one("labels/nodes/misfits", groups=groups, nodes=labels.table, **shape)
    if rows != frequencies.rows or misfits:
        raise KanonError(
            f"the classes hold {rows} of {frequencies.rows} rows, and labels of {misfits} combinations do not cover their values; "
            "nothing was published"
        )


def _cells(workspace: Workspace, nodes: TableName, column: CodedColumn, *, keeps_values: bool) -> ClassCells:
    """Return the column's nodes with what is published for them: values of the column's own type where no class has a label."""
    if keeps_values:
        found = "labels/nodes/found.sql" if column.height else "labels/nodes/only_leaf.sql"
        table = workspace.tables.create(f"cells_{column.number}", "labels/nodes/values", nodes=nodes, c=column, found=found)
    elif column.column.is_numeric:
        axis = make_axis(workspace, column)
        table = workspace.tables.create(f"cells_{column.number}", "labels/nodes/numbers", nodes=nodes, c=column, axis=axis)
        workspace.tables.drop(axis)
    else:
        table = workspace.tables.create(f"cells_{column.number}", "labels/nodes/categories", nodes=nodes, c=column)
    workspace.tables.index(table, "span")
    stem = "value" if keeps_values else "label"
    return ClassCells(column.number, table, ((stem, f"{stem}_{column.number}"),))
