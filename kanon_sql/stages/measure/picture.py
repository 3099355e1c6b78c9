"""A picture of a release: the classes as rectangles over the density of the data, as SVG from aggregates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from math import isqrt, log1p

from kanon_sql.artifacts import CodedColumn, LabelledTable, Recoding
from kanon_sql.common.spelling import many
from kanon_sql.errors import RequestError
from kanon_sql.labels.axes import dimensions_of
from kanon_sql.partition import Dimension
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

SIZE = 800
FINEST_GRID = 50
MARGIN = 40
SVG_MARK = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 '  # the beginning of every picture of this tool
MOST_RECTANGLES = 20_000
NEEDS_TWO = "a picture needs two quasi-identifiers that are numbers or dates; nothing was published. Run without the picture"


@dataclass(frozen=True)
class _Axis:
    """One side of the picture."""

    name: str
    number: int
    table: TableName
    hierarchy_table: TableName
    dimension: Dimension


def require_picturable(quasi_identifiers: Iterable[Column]) -> None:
    """Raise an error if fewer than two quasi-identifiers are numbers or dates."""
    if sum(column.is_numeric for column in quasi_identifiers) < 2:
        raise RequestError(NEEDS_TWO)


def draw_classes(workspace: Workspace, recoding: Recoding, k: int) -> str | None:
    """Return the classes over the density of the first two numeric quasi-identifiers; None if classes have no position on these axes.

    Cells of the grid with fewer than k rows show no density.
    """
    table = recoding.assignment
    if not isinstance(table, LabelledTable) or not table.labels.has_positions:
        return None
    x, y = _axes(recoding, table)
    frame = workspace.tables.create("frame", "measure/picture/frame", x=x, y=y)
    rectangles = workspace.fetch(
        "measure/picture/rectangles", classes=recoding.table, frame=frame, x=x, y=y, size=SIZE, most=MOST_RECTANGLES
    )
    grid = max(1, min(FINEST_GRID, isqrt(recoding.published_rows // k)))  # the mean cell holds k rows
    density = workspace.fetch("measure/picture/density", assignments=table.table, frame=frame, x=x, y=y, grid=grid, k=k)
    bends = workspace.fetch_one("measure/picture/bends", frame=frame)
    workspace.tables.drop(frame)
    x_name, y_name = (f"{axis.name} (logarithmic)" if bent else axis.name for axis, bent in zip((x, y), bends, strict=True))
    densest = max((rows for *_, rows in density), default=1)
    cell = SIZE / grid
    shapes = [
        f'<rect x="{column * cell:g}" y="{SIZE - (row + 1) * cell:g}" width="{cell:g}" height="{cell:g}" '
        f'fill="#1f5fa8" fill-opacity="{0.75 * log1p(rows) / log1p(densest):.3f}"/>'
        for column, row, rows in sorted(density)
    ]
    shapes += [
        f'<rect x="{left}" y="{SIZE - top}" width="{max(right - left, 1)}" height="{max(top - bottom, 1)}" fill="none" stroke="#111"/>'
        for left, right, bottom, top, _ in sorted(rectangles)
    ]
    title = f"{many(recoding.classes, 'class')} of {recoding.published_rows:,} rows"
    hidden = recoding.published_rows - sum(rows for *_, rows in rectangles)
    return _svg(x_name, y_name, f"{title}; {hidden:,} rows have no frame" if hidden else title, shapes)


def _axes(recoding: Recoding, table: LabelledTable) -> list[_Axis]:
    """Return the first two numeric quasi-identifiers with more than one leaf; raise an error if there are fewer."""
    columns = [column for column in recoding.frequencies.columns if column.column.is_numeric and column.height > 0]
    if len(columns) < 2:
        raise RequestError(NEEDS_TWO)
    tables = {cells.number: cells.table for cells in table.cells}
    dimensions = {dimension.number: dimension for dimension in dimensions_of(recoding.frequencies)}

    def axis(column: CodedColumn) -> _Axis:
        number = column.number
        return _Axis(column.column.name, number, tables[number], column.hierarchy_table, dimensions[number])

    return [axis(column) for column in columns[:2]]


def _svg(x_name: str, y_name: str, title: str, shapes: list[str]) -> str:
    whole = SIZE + 2 * MARGIN
    middle = MARGIN + SIZE / 2
    lines = [
        f'{SVG_MARK}{whole} {whole}" font-family="sans-serif" font-size="16">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{whole}" height="{whole}" fill="white"/>',
        f'<g transform="translate({MARGIN} {MARGIN})" stroke-width="0.7">',
        *shapes,
        "</g>",
        f'<text x="{middle:g}" y="{MARGIN - 14}" text-anchor="middle">{escape(title)}</text>',
        f'<text x="{middle:g}" y="{whole - 12}" text-anchor="middle">{escape(x_name)}</text>',
        f'<text transform="translate(24 {middle:g}) rotate(-90)" text-anchor="middle">{escape(y_name)}</text>',
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
