"""Labels of regions: per quasi-identifier a table of the spans that occur, with label, bounds or value, and their loss."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.artifacts import ClassCells, CodedColumn, FrequencyTable
from kanon_sql.labels.axes import dimensions_of, make_axis
from kanon_sql.labels.groups import LabelledGroups
from kanon_sql.outputs import Output
from kanon_sql.partition import Dimension
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class SpannedColumn:
    """A quasi-identifier, with what the templates need to label its spans."""

    number: int
    column: Column
    output: Output
    hierarchy_table: TableName
    label_table: TableName
    height: int
    stride: int
    codes: int
    unlisted: int
    dimension: Dimension | None  # None for a column with one leaf
    axis: TableName | None
    cuts: bool  # published by the bounds of cuts

    @property
    def cells_template(self) -> str:
        """The query of the codes that each span covers."""
        return f"labels/regions/cells/by_{'region' if self.by_region else 'span'}.sql"

    @property
    def members_template(self) -> str:
        """The query of the values in each set: those between its cuts, or those that occur."""
        return f"labels/regions/{'range_members' if self.cuts else 'members'}.sql"

    @property
    def mean(self) -> bool:
        """Whether the mean of its values is published."""
        return self.output.needs_mean

    @property
    def published(self) -> tuple[str, ...]:
        """The columns of its label table that are published."""
        return tuple(name for name, _ in self.output.cells)

    @property
    def by_region(self) -> bool:
        """Whether a region's first and last value do not determine what is published."""
        return self.output.varies_by_region(cuts=self.cuts)


def label_regions(workspace: Workspace, frequencies: FrequencyTable, regions: TableName, bounds: TableName | None) -> LabelledGroups:
    """Return the span of each region, or its bounds, and what is published for it."""
    dimensions = {dimension.number: dimension for dimension in dimensions_of(frequencies)}
    cuts = bounds is not None
    columns = [_spanned(workspace, column, dimensions.get(column.number), cuts=cuts) for column in frequencies.columns]
    spans = workspace.tables.create("spans", "labels/regions/spans", regions=regions, columns=columns, bounds=bounds)
    cells = tuple(_cells(workspace, regions, spans, column) for column in columns)
    workspace.tables.drop(*(column.axis for column in columns if column.axis))
    return LabelledGroups(spans, cells)


def _spanned(workspace: Workspace, coded: CodedColumn, dimension: Dimension | None, *, cuts: bool) -> SpannedColumn:
    axis = make_axis(workspace, coded) if coded.column.is_numeric else None
    return SpannedColumn(
        coded.number, coded.column, coded.quasi_identifier.output, coded.hierarchy_table, coded.label_table, coded.height,
        coded.stride, coded.codes, coded.unlisted, dimension, axis, cuts,
    )  # fmt: skip


def _cells(workspace: Workspace, regions: TableName, spans: TableName, column: SpannedColumn) -> ClassCells:
    """Return the column's spans with what is published for them."""
    template = column.output.region_template(column.column)
    table = workspace.tables.create(f"cells_{column.number}", template, regions=regions, spans=spans, c=column, cuts=column.cuts)
    workspace.tables.index(table, "span")
    published = tuple((name, f"{stem}_{column.number}") for name, stem in column.output.cells)
    return ClassCells(column.number, table, published)
