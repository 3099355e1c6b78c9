"""Measures what a recoding costs, before anything is published of it."""

from __future__ import annotations

from kanon_sql.artifacts import CodedColumn, FrequencyTable, Recoding
from kanon_sql.cells import Losses, carried_columns, spread_cells, whole_loss
from kanon_sql.class_metrics import class_metrics, class_sizes
from kanon_sql.levels import goal_of
from kanon_sql.metrics import CELL_METRICS, METRICS
from kanon_sql.policy import Policy
from kanon_sql.utility import ColumnCells, Utility, utility_of
from kanon_sql.workspace import Workspace


def measure(workspace: Workspace, recoding: Recoding, policy: Policy) -> Utility:
    """The value of every metric of the published classes; None where it is not defined."""
    frequencies = recoding.frequencies
    goal = goal_of(frequencies, policy)
    has_label = frequencies.label is not None and not (recoding.regions and recoding.regions.splits_combinations)
    of_classes = [m for m in METRICS.values() if m.computed_from == "classes" or (m.name == "cm" and has_label)]
    values = class_metrics(workspace, recoding.table, of_classes, rows=frequencies.rows, k=goal.k)
    lost, told = _lost_cells(workspace, recoding), _told(workspace, recoding)
    node = recoding.node if recoding.regions is None else None
    columns = [
        ColumnCells(
            name=column.column.name,
            weight=goal.weights[place],
            height=column.height,
            level=None if node is None else node[place],
            entropy=whole_loss(column, "entropy"),
            lost={metric.name: lost[metric.cell][place] for metric in CELL_METRICS if metric.cell in lost},
            told=told[place],
        )
        for place, column in enumerate(frequencies.columns)
    ]
    return utility_of(frequencies.rows, recoding.suppressed_rows, columns, values, class_sizes(workspace, recoding.table))


def _lost_cells(workspace: Workspace, recoding: Recoding) -> Losses:
    """What the published cells of each quasi-identifier lose, per metric of cells that has a meaning here."""
    frequencies, cells = recoding.frequencies, [metric.cell for metric in CELL_METRICS]
    if recoding.regions is None:
        carried = carried_columns(frequencies, recoding.node)
        _, *sums, rows = workspace.fetch_one(
            "metrics/cells", node=0, classes=recoding.table, carried=carried, width=len(recoding.node), cells=cells, suppressed=0
        )
        return spread_cells(frequencies, recoding.node, cells, sums, rows)
    return _region_sums(workspace, recoding, [cell for cell in cells if cell != "prec"])


def _told(workspace: Workspace, recoding: Recoding) -> list[float]:
    """The bits that the published labels of each quasi-identifier tell."""
    if recoding.regions is not None:
        return _region_sums(workspace, recoding, ["told"])["told"]
    carried = _below_root(recoding.frequencies, recoding)
    if not carried:
        return [0.0] * len(recoding.node)
    found = iter(workspace.fetch_one("metrics/told", classes=recoding.table, carried=carried))
    telling = {column.number for column, _ in carried}
    return [float(next(found)) if column.number in telling else 0.0 for column in recoding.frequencies.columns]


def _below_root(frequencies: FrequencyTable, recoding: Recoding) -> list[tuple[CodedColumn, int]]:
    """The columns whose labels tell something: those below their root."""
    return [(column, level) for column, level in zip(frequencies.columns, recoding.node, strict=True) if level < column.height]


def _region_sums(workspace: Workspace, recoding: Recoding, cells: list[str]) -> Losses:
    assert recoding.regions is not None  # noqa: S101 (asked of regions only)
    found = workspace.fetch_one("metrics/region_cells", classes=recoding.table, labels=recoding.regions.labels, cells=cells)
    width = len(recoding.frequencies.columns)
    return {cell: [float(lost) for lost in found[place * width : (place + 1) * width]] for place, cell in enumerate(cells)}
