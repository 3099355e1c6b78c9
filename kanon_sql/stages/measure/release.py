"""Measure a released table, made by any tool, against the counts of its source; single rows are never matched."""

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
from kanon_sql.metrics import CELL_METRICS, CLASS_METRICS, METRICS, Goal, Number
from kanon_sql.stages.measure.classes import class_metrics, class_sizes, is_dm_exact
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

MAX_PARSED_LABELS = 1_000_000
_CELLS = [metric.cell for metric in CELL_METRICS if metric.cell != "prec"]


@dataclass(frozen=True)
class ReleasedColumn:
    """A quasi-identifier in the release: one column, or two columns of bounds."""

    coded: CodedColumn
    columns: tuple[Column, ...]
    positions: tuple[int, ...]  # among the columns of the class table

    @property
    def as_bounds(self) -> bool:
        return len(self.columns) > 1

    @property
    def class_columns(self) -> list[tuple[str, str]]:
        """Return its columns in the class table, each with the name used in the templates of labels."""
        names = ("low", "high") if self.as_bounds else ("label",)
        return [(f"v_{position}", name) for position, name in zip(self.positions, names, strict=True)]


@dataclass(frozen=True)
class CellColumn:
    """The arguments that the templates of cells need for a quasi-identifier."""

    column: Column
    hierarchy_table: TableName
    label_table: TableName
    height: int
    stride: int
    unlisted: int
    published: tuple[str, ...] = ("label",)


@dataclass(frozen=True)
class ColumnLosses:
    """The losses of a column's cells, and the number of labels that are on no level or that cannot be parsed."""

    sums: dict[str, float]
    level: int | None
    off_level: int
    unparsed: int
    unparsed_rows: int


@dataclass(frozen=True)
class ReleaseMeasures:
    """The measures of a release."""

    rows: int
    sizes: ClassSizes
    utility: Utility
    not_computed: tuple[NotComputed, ...]


def count_release(workspace: Workspace, table: TableName, columns: Sequence[Column], label: Column | None, k: int) -> TableName:
    """Return the classes of the released table, from one grouping of it."""
    grouped = [*columns, *([label] if label else [])]
    counts = workspace.tables.create("released", "measure/risk/counted", table=table, columns=grouped, size="row_count")
    classes = workspace.tables.create("released_classes", "measure/release/classes", counts=counts, width=len(columns), k=k)
    workspace.tables.drop(counts)
    return classes


def measure_release(
    workspace: Workspace,
    frequencies: FrequencyTable,
    released: Sequence[ReleasedColumn],
    classes: TableName,
    goal: Goal,
    *,
    has_label: bool,
) -> ReleaseMeasures:
    """Return every metric that can be computed from the labels and the source, and the reason for each that cannot."""
    published, _ = workspace.fetch_one("measure/release/totals", classes=classes)
    suppressed = frequencies.rows - published
    if suppressed < 0:
        raise RequestError(f"the release has {published} rows and its source {frequencies.rows}; it is not a release of that source")
    losses = [_measure_column(workspace, column, classes) for column in released]
    columns = [
        ColumnCells(
            name=column.coded.column.name,
            weight=goal.weights[index],
            height=column.coded.height,
            level=loss.level,
            entropy=whole_loss(column.coded, "entropy"),
            lost={} if loss.unparsed else _losses_by_metric(loss),
            disclosed=None if loss.unparsed else loss.sums["disclosed"],
        )
        for index, (column, loss) in enumerate(zip(released, losses, strict=True))
    ]
    sizes = class_sizes(workspace, classes)
    of_classes = _class_metrics(workspace, classes, frequencies.rows, suppressed, goal.k, has_label=has_label)
    utility = utility_of(frequencies.rows, suppressed, columns, of_classes, sizes)
    missing = [*_missing_of_columns(released, losses), *_missing_of_release(workspace, frequencies.rows, utility)]
    return ReleaseMeasures(published, sizes, utility, tuple(missing))


def _losses_by_metric(losses: ColumnLosses) -> dict[str, float | None]:
    """Return the sums by metric; precision is None if a label is on no level."""
    return {m.name: None if m.cell == "prec" and losses.off_level else losses.sums[m.cell] for m in CELL_METRICS}


def _class_metrics(workspace: Workspace, classes: TableName, rows: int, suppressed: int, k: int, *, has_label: bool) -> dict[str, Number]:
    """Return the metrics of classes; DM counts classes below k as suppressed, and DM and CM include suppressed rows."""
    asked = [metric for metric in CLASS_METRICS if metric.computed_from == "classes" or has_label]
    plain = [metric for metric in asked if metric.suppressed_row != "all rows"]
    small = [metric for metric in asked if metric.suppressed_row == "all rows"]
    found = class_metrics(workspace, classes, plain, rows=rows, k=k)
    found |= class_metrics(workspace, classes, small, rows=rows, k=k, suppressed="small")
    each = {"": 0, "one": 1, "all rows": rows}
    for metric in CLASS_METRICS:
        value = found.get(metric.name)
        found[metric.name] = None if value is None else value + suppressed * each[metric.suppressed_row]
    return found


def _missing_of_columns(released: Sequence[ReleasedColumn], losses: Sequence[ColumnLosses]) -> Iterable[NotComputed]:
    for column, loss in zip(released, losses, strict=True):
        name = column.coded.column.name
        if loss.unparsed:
            reason = (
                f"{loss.unparsed:,} labels in {loss.unparsed_rows:,} rows are neither in its hierarchy nor ranges or sets of its values"
            )
            yield from (NotComputed(metric.name, reason, name) for metric in (*CELL_METRICS, METRICS["entropy_nonuniform"]))
        elif loss.off_level:
            yield NotComputed("prec", f"{loss.off_level:,} labels are on no level of its hierarchy", name)
        if loss.level is None:
            yield NotComputed("absdist", "its labels are not all on one level of its hierarchy", name)


def _missing_of_release(workspace: Workspace, rows: int, utility: Utility) -> Iterable[NotComputed]:
    if utility["cm"] is None:
        yield NotComputed("cm", "the release has no label or sensitive column of the policy")
    if utility["c_avg"] is None:
        yield NotComputed("c_avg", "no row was published")
    if utility["dm"] is None and not is_dm_exact(workspace, rows):
        yield NotComputed("dm", "it could exceed the largest integer of this database")


def _measure_column(workspace: Workspace, column: ReleasedColumn, classes: TableName) -> ColumnLosses:
    """Return the losses of one quasi-identifier: by labels of its hierarchy, or else as ranges and sets of its leaves."""
    coded = column.coded
    c = CellColumn(coded.column, coded.hierarchy_table, coded.label_table, coded.height, coded.stride, coded.unlisted)
    labels = workspace.tables.create("released_labels", "measure/release/labels", classes=classes, columns=column.class_columns)
    cells, rows, nulls = workspace.fetch_one("measure/release/cells", labels=labels, as_bounds=column.as_bounds)
    all_candidates = _candidates(workspace, column, c, labels)
    candidates = workspace.tables.create("possible", "measure/release/possible", candidates=all_candidates, labels=labels, c=c)
    level = _common_level(workspace, candidates, cells - nulls if column.as_bounds else cells)
    if column.as_bounds and nulls:
        level = _add_null_candidates(workspace, column, labels, candidates, level=level, all_null=nulls == cells)
    matched = workspace.tables.create("matched", "measure/release/matched", candidates=candidates, level=level)
    found, *sums, found_rows = workspace.fetch_one(
        "measure/release/matched_sums", labels=labels, matched=matched, c=c, cells=[*_CELLS, "disclosed", "prec"]
    )
    total = dict(zip([*_CELLS, "disclosed", "prec"], map(float, sums), strict=True))
    covered_cells = covered_rows = 0
    for covered in _covered(workspace, column, c, labels, matched) if found < cells else ():
        count, *more, count_rows = workspace.fetch_one(
            "measure/release/covered_sums", labels=labels, covered=covered, cells=[*_CELLS, "disclosed"]
        )
        for cell, value in zip([*_CELLS, "disclosed"], more, strict=True):
            total[cell] += float(value)
        covered_cells, covered_rows = covered_cells + count, covered_rows + count_rows
        workspace.tables.drop(covered)
    workspace.tables.drop(labels, all_candidates, candidates, matched)
    unparsed, unparsed_rows = cells - found - covered_cells, rows - found_rows - covered_rows
    return ColumnLosses(total, level if found == cells else None, covered_cells, unparsed, unparsed_rows)


def _candidates(workspace: Workspace, column: ReleasedColumn, c: CellColumn, labels: TableName) -> TableName:
    """Return every label of the hierarchy that a cell may be."""
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
    """Return the lowest level that has all cells of a column, or None; if the release has a node, it is the node's level."""
    return next((level for level, count in workspace.fetch("measure/release/levels", candidates=candidates) if count == cells), None)


def _add_null_candidates(
    workspace: Workspace, column: ReleasedColumn, labels: TableName, candidates: TableName, *, level: int | None, all_null: bool
) -> int | None:
    """Add candidates for bounds that are NULL, and return the common level.

    They are the root if all bounds are NULL or the source has no NULL; otherwise the value NULL on the common level.
    """
    coded = column.coded
    ((nulls,),) = workspace.fetch("measure/release/source_nulls", hierarchy=coded.hierarchy_table)
    if not all_null and nulls and level is None:
        return None
    root = all_null or not nulls
    label = {"level": coded.height, "part": coded.stride} if root else {"level": level, "part": 0}
    workspace.tables.add(candidates, "measure/release/null_candidates", labels=labels, **label)
    return label["level"] if all_null or not root else None


def _covered(workspace: Workspace, column: ReleasedColumn, c: CellColumn, labels: TableName, matched: TableName) -> Iterable[TableName]:
    """Yield tables of the losses of cells that are not in the hierarchy, parsed as ranges and sets."""
    if column.as_bounds:
        yield _covered_bounds(workspace, c, labels, matched)
        return
    if column.columns[0].kind != "text":
        return
    unmatched = workspace.fetch("measure/release/unmatched", labels=labels, matched=matched)
    if len(unmatched) > MAX_PARSED_LABELS:
        return
    parsed = [(span, label) for span, text in unmatched if (label := read_label(str(text), c.column.kind))]
    spans = [(span, *row) for span, label in parsed for row in _span_rows(label, c.column)]
    if spans:
        numbers = [Column(name, "double precision", "float") for name in ("low", "high")]
        marks = [Column(name, "integer", "integer") for name in ("low_open", "high_open")]
        yield _cover(
            workspace, c, workspace.tables.load("ranges", [Column("span", "bigint", "integer"), *numbers, *marks], spans), by_range=True
        )
    members = [(span, len(label.members), member) for span, label in parsed for member in label.members]
    if members:
        text = workspace.backend.exact_text_type
        value = Column("member", text if c.column.kind == "text" else c.column.type, c.column.kind)
        shape = [Column("span", "bigint", "integer"), Column("members", "integer", "integer"), value]
        yield _cover(workspace, c, workspace.tables.load("members", shape, members), by_range=False)


def _span_rows(label: Label, column: Column) -> Iterable[tuple[Any, ...]]:
    """Yield the spans of a label as rows; an infinite end is None."""
    for unsettled in label.spans:
        span = settled(unsettled, column.kind)
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
    ranges = workspace.tables.create("ranges", "measure/release/bound_spans", labels=labels, matched=matched, lows=lows, highs=highs)
    workspace.tables.drop(*positions)
    return _cover(workspace, c, ranges, by_range=True)


@dataclass(frozen=True)
class _Bound:
    """The arguments that the templates of leaves need for a bound."""

    value: str
    column: Column


def _cover(workspace: Workspace, c: CellColumn, spans: TableName, *, by_range: bool) -> TableName:
    covered = workspace.tables.create("covered", "measure/release/covered", spans=spans, by_range=by_range, c=c)
    workspace.tables.drop(spans)
    return covered
