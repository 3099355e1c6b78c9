"""The axes that Mondrian cuts: the position of every code of a quasi-identifier, and the extent of its domain."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import CodedColumn, FrequencyTable
from kanon_sql.partition import Axes, Dimension
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace


def make_axes(workspace: Workspace, frequencies: FrequencyTable, weights: Sequence[float]) -> Axes:
    """Return the axes of every quasi-identifier that has more than one leaf, with its weight."""
    columns = _cuttable(frequencies)
    dimensions = dimensions_of(frequencies)
    listed = [Column("dimension", "integer", "integer"), Column("weight", "double precision", "float")]
    rows = [(column.number, weight) for column, weight in zip(frequencies.columns, weights, strict=True)]
    loaded = workspace.tables.load("weights", listed, rows)
    positions = workspace.tables.create("positions", "labels/axes/positions", columns=columns)
    workspace.tables.index(positions, "code")
    extents = workspace.tables.create("extents", "labels/axes/extents", columns=columns, weights=loaded)
    workspace.tables.drop(loaded)
    nullable = frozenset(number for (number,) in workspace.fetch("labels/axes/nullable", columns=columns)) if columns else frozenset()
    return Axes(dimensions, positions, extents, nullable)


def dimensions_of(frequencies: FrequencyTable) -> tuple[Dimension, ...]:
    """Return the quasi-identifiers that can be cut, each with its position in the packed keys of the combinations."""
    columns = _cuttable(frequencies)
    keys = list(dict.fromkeys(column.key for column in columns))
    return tuple(Dimension(c.number, keys.index(c.key) + 1, c.stride, c.codes, c.quasi_identifier.part(0)) for c in columns)


def _cuttable(frequencies: FrequencyTable) -> list[CodedColumn]:
    return [column for column in frequencies.columns if column.height > 0]


def make_axis(workspace: Workspace, column: CodedColumn) -> TableName:
    """Return the values of a numeric column in the order of their codes, each as text."""
    axis = workspace.tables.create(
        f"axis_{column.number}",
        "labels/regions/axis",
        hierarchy=column.hierarchy_table,
        stride=column.stride,
        kind=column.column.kind,
        unlisted=column.unlisted,
    )
    workspace.tables.index(axis, "code")
    return axis
