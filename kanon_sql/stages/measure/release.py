"""Measures a released table, whoever made it, against the counts of its source; rows are never matched with rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from kanon_sql.artifacts import CodedColumn, FrequencyTable
from kanon_sql.artifacts.measures import NotComputed
from kanon_sql.artifacts.utility import ClassSizes, ColumnCells, Utility, utility_of
from kanon_sql.errors import RequestError
from kanon_sql.labels.bounds import bounds_table, has_bounds
from kanon_sql.labels.cells import whole_loss
from kanon_sql.labels.forms import Label, read_label, settled
from kanon_sql.metrics import CELL_METRICS, METRICS, Goal, Number
from kanon_sql.stages.measure.classes import class_metrics, class_sizes, holds_dm
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

MOST_LABELS_READ = 1_000_000
_CELLS = [metric.cell for metric in CELL_METRICS if metric.cell != "prec"]


@dataclass(frozen=True)
class HeldColumn:
    """A quasi-identifier as the release holds it: in one column, or in two bounds."""

    coded: CodedColumn
    columns: tuple[Column, ...]
    places: tuple[int, ...]  # among the columns of the classes

    @property
    def as_bounds(self) -> bool:
        return len(self.columns) > 1

    @property
    def held(self) -> list[tuple[str, str]]:
        """Its columns among the classes, and what they are called from there on."""
        names = ("low", "high") if self.as_bounds else ("label",)
        return [(f"v_{place}", name) for place, name in zip(self.places, names, strict=True)]


@dataclass(frozen=True)
class CellColumn:
    """A quasi-identifier as the templates of cells know it."""

    column: Column
    hierarchy_table: TableName
    label_table: TableName
    height: int
    stride: int
    unlisted: int
    published: tuple[str, ...] = ("label",)


@dataclass(frozen=True)
class Reading:
    """What a column's cells lose, and how many of its labels stand on no level or cannot be read."""

    sums: dict[str, float]
    level: int | None
    off_level: int
    unread: int
    unread_rows: int


@dataclass(frozen=True)
class ReleaseMeasures:
    """What was measured of a release."""

    rows: int
    sizes: ClassSizes
    utility: Utility
    not_computed: tuple[NotComputed, ...]


def count_release(workspace: Workspace, table: TableName, columns: Sequence[Column], label: Column | None, k: int) -> TableName:
    """The classes of the released table, from one grouping of it."""
    grouped = [*columns, *([label] if label else [])]
    counts = workspace.tables.create("released", "measure/risk/counted", table=table, columns=grouped, size="row_count")
    classes = workspace.tables.create("released_classes", "measure/release/classes", counts=counts, width=len(columns), k=k)
    workspace.tables.drop(counts)
    return classes


def measure_release(
    workspace: Workspace, frequencies: FrequencyTable, held: Sequence[HeldColumn], classes: TableName, goal: Goal, *, has_label: bool
) -> ReleaseMeasures:
    """Every metric of a release that its labels and its source tell, and why others have no value."""
    published, _ = workspace.fetch_one("measure/release/totals", classes=classes)
    suppressed = frequencies.rows - published
    if suppressed < 0:
        raise RequestError(f"the release has {published} rows and its source {frequencies.rows}; it is no release of that source")
    readings = [_read(workspace, column, classes) for column in held]
    columns = [
        ColumnCells(
            name=column.coded.column.name,
            weight=goal.weights[place],
            height=column.coded.height,
            level=reading.level,
            entropy=whole_loss(column.coded, "entropy"),
            lost={} if reading.unread else _lost(reading),
            told=None if reading.unread else reading.sums["told"],
        )
        for place, (column, reading) in enumerate(zip(held, readings, strict=True))
    ]
    sizes = class_sizes(workspace, classes)
    of_classes = _of_classes(workspace, classes, frequencies.rows, suppressed, goal.k, has_label=has_label)
    utility = utility_of(frequencies.rows, suppressed, columns, of_classes, sizes)
    missing = [*_unread(held, readings), *_without_value(workspace, frequencies.rows, utility)]
    return ReleaseMeasures(published, sizes, utility, tuple(missing))


def _lost(reading: Reading) -> dict[str, float | None]:
    """The sums by metric; levels are not known where a label stands on none."""
    return {m.name: None if m.cell == "prec" and reading.off_level else reading.sums[m.cell] for m in CELL_METRICS}


def _of_classes(workspace: Workspace, classes: TableName, rows: int, suppressed: int, k: int, *, has_label: bool) -> dict[str, Number]:
    """Metrics of classes; those below k count as suppressed in DM, and rows left out in DM and CM."""
    plain = [METRICS[name] for name in ("c_avg", "classes", *(["cm"] if has_label else []))]
    values = class_metrics(workspace, classes, plain, rows=rows, k=k)
    values |= class_metrics(workspace, classes, [METRICS["dm"]], rows=rows, k=k, suppressed="small")
    for name, each in (("dm", rows), ("cm", 1)):
        found = values.get(name)
        values[name] = None if found is None else found + suppressed * each
    return values


def _unread(held: Sequence[HeldColumn], readings: Sequence[Reading]) -> Iterable[NotComputed]:
    for column, reading in zip(held, readings, strict=True):
        name = column.coded.column.name
        if reading.unread:
            reason = (
                f"{reading.unread:,} labels in {reading.unread_rows:,} rows are neither of its hierarchy nor ranges or sets of its values"
            )
            yield from (NotComputed(metric.name, reason, name) for metric in (*CELL_METRICS, METRICS["entropy_nonuniform"]))
        elif reading.off_level:
            yield NotComputed("prec", f"{reading.off_level:,} labels stand on no level of its hierarchy", name)
        if reading.level is None:
            yield NotComputed("absdist", "its labels do not stand on one level of its hierarchy", name)


def _without_value(workspace: Workspace, rows: int, utility: Utility) -> Iterable[NotComputed]:
    if utility["cm"] is None:
        yield NotComputed("cm", "the policy has no label or sensitive column that the release holds")
    if utility["c_avg"] is None:
        yield NotComputed("c_avg", "no row was published")
    if utility["dm"] is None and not holds_dm(workspace, rows):
        yield NotComputed("dm", "it could pass the whole numbers of this database")


def _read(workspace: Workspace, column: HeldColumn, classes: TableName) -> Reading:
    """What the cells of one quasi-identifier lose: by their place in the hierarchy, else as ranges and sets of its leaves."""
    coded = column.coded
    c = CellColumn(coded.column, coded.hierarchy_table, coded.label_table, coded.height, coded.stride, coded.unlisted)
    labels = workspace.tables.create("released_labels", "measure/release/labels", classes=classes, held=column.held)
    cells, rows, nulls = workspace.fetch_one("measure/release/cells", labels=labels, as_bounds=column.as_bounds)
    given = _candidates(workspace, column, c, labels)
    candidates = workspace.tables.create("possible", "measure/release/possible", candidates=given, labels=labels, c=c)
    level = _common_level(workspace, candidates, cells - nulls if column.as_bounds else cells)
    if column.as_bounds and nulls:
        level = _place_nulls(workspace, column, labels, candidates, level=level, all_null=nulls == cells)
    matched = workspace.tables.create("matched", "measure/release/matched", candidates=candidates, level=level)
    found, *sums, found_rows = workspace.fetch_one(
        "measure/release/matched_sums", labels=labels, matched=matched, c=c, cells=[*_CELLS, "told", "prec"]
    )
    total = dict(zip([*_CELLS, "told", "prec"], map(float, sums), strict=True))
    covered_cells = covered_rows = 0
    for covered in _covered(workspace, column, c, labels, matched) if found < cells else ():
        count, *more, count_rows = workspace.fetch_one(
            "measure/release/covered_sums", labels=labels, covered=covered, cells=[*_CELLS, "told"]
        )
        for cell, value in zip([*_CELLS, "told"], more, strict=True):
            total[cell] += float(value)
        covered_cells, covered_rows = covered_cells + count, covered_rows + count_rows
        workspace.tables.drop(covered)
    workspace.tables.drop(labels, given, candidates, matched)
    unread, unread_rows = cells - found - covered_cells, rows - found_rows - covered_rows
    return Reading(total, level if found == cells else None, covered_cells, unread, unread_rows)


def _candidates(workspace: Workspace, column: HeldColumn, c: CellColumn, labels: TableName) -> TableName:
    """Every place in the hierarchy that a cell may have."""
    if not column.as_bounds:
        is_text, was_text = column.columns[0].kind == "text", c.column.kind == "text"
        by_value = is_text == was_text and (is_text or column.columns[0].kind == c.column.kind)
        return workspace.tables.create(
            "candidates", "measure/release/label_candidates", labels=labels, c=c, by_value=by_value, by_label=is_text
        )
    candidates = workspace.tables.create("candidates", "measure/release/point_candidates", labels=labels, c=c)
    if has_bounds(c.column, column.coded.quasi_identifier.hierarchy):
        for level in range(1, c.height):
            bounds = bounds_table(workspace, column.coded, level)
            workspace.tables.add(candidates, "measure/release/bound_candidates", labels=labels, bounds=bounds, level=level)
            workspace.tables.drop(bounds)
    return candidates


def _common_level(workspace: Workspace, candidates: TableName, cells: int) -> int | None:
    """The lowest level on which all cells of a column stand, if there is one: that of the node, where the release has a node."""
    return next((level for level, count in workspace.fetch("measure/release/levels", candidates=candidates) if count == cells), None)


def _place_nulls(
    workspace: Workspace, column: HeldColumn, labels: TableName, candidates: TableName, *, level: int | None, all_null: bool
) -> int | None:
    """Bounds that are NULL are the root where all are, or where the source has no NULL; on one level the value NULL: the level then."""
    coded = column.coded
    ((nulls,),) = workspace.fetch("measure/release/source_nulls", hierarchy=coded.hierarchy_table)
    if not all_null and nulls and level is None:
        return None
    root = all_null or not nulls
    place = {"level": coded.height, "part": coded.stride} if root else {"level": level, "part": 0}
    workspace.tables.add(candidates, "measure/release/null_candidates", labels=labels, **place)
    return place["level"] if all_null or not root else None


def _covered(workspace: Workspace, column: HeldColumn, c: CellColumn, labels: TableName, matched: TableName) -> Iterable[TableName]:
    """The cells that stand nowhere in the hierarchy, with what they lose: read as ranges and sets."""
    if column.as_bounds:
        yield _covered_bounds(workspace, c, labels, matched)
        return
    if column.columns[0].kind != "text":
        return
    found = workspace.fetch("measure/release/unmatched", labels=labels, matched=matched)
    if len(found) > MOST_LABELS_READ:
        return
    read = [(span, label) for span, text in found if (label := read_label(str(text), c.column.kind))]
    spans = [(span, *row) for span, label in read for row in _span_rows(label, c.column)]
    if spans:
        numbers = [Column(name, "double precision", "float") for name in ("low", "high")]
        marks = [Column(name, "integer", "integer") for name in ("low_open", "high_open")]
        yield _cover(
            workspace, c, workspace.tables.load("given", [Column("span", "bigint", "integer"), *numbers, *marks], spans), by_range=True
        )
    members = [(span, len(label.members), member) for span, label in read for member in label.members]
    if members:
        text = workspace.backend.exact_text_type
        value = Column("member", text if c.column.kind == "text" else c.column.type, c.column.kind)
        shape = [Column("span", "bigint", "integer"), Column("members", "integer", "integer"), value]
        yield _cover(workspace, c, workspace.tables.load("given", shape, members), by_range=False)


def _span_rows(label: Label, column: Column) -> Iterable[tuple[Any, ...]]:
    """The spans of a label as rows; an end at infinity is none."""
    for given in label.spans:
        span = settled(given, column.kind)
        ends = (None if abs(end) == float("inf") else end for end in (span.low, span.high))
        yield (*ends, int(span.low_open), int(span.high_open))


def _covered_bounds(workspace: Workspace, c: CellColumn, labels: TableName, matched: TableName) -> TableName:
    template = c.column.kind if c.column.kind in ("date", "timestamp") else "number"
    positions = [
        workspace.tables.create(
            f"{end}_positions", f"labels/leaves/{template}", combinations=labels, q=_Bound(end, c.column), spelled=False
        )
        for end in ("low", "high")
    ]
    lows, highs = positions
    given = workspace.tables.create("given", "measure/release/bound_spans", labels=labels, matched=matched, lows=lows, highs=highs)
    workspace.tables.drop(*positions)
    return _cover(workspace, c, given, by_range=True)


@dataclass(frozen=True)
class _Bound:
    """A bound as the templates of leaves know a column."""

    value: str
    column: Column


def _cover(workspace: Workspace, c: CellColumn, given: TableName, *, by_range: bool) -> TableName:
    covered = workspace.tables.create("covered", "measure/release/covered", given=given, by_range=by_range, c=c)
    workspace.tables.drop(given)
    return covered
