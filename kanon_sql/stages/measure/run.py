"""Measures what a recoding costs, before anything is published of it."""

from __future__ import annotations

from kanon_sql.artifacts import Recoding
from kanon_sql.artifacts.utility import ColumnCells, Utility, utility_of
from kanon_sql.labels.cells import Losses, carried_columns, spread_cells, whole_loss
from kanon_sql.labels.levels import goal_of
from kanon_sql.metrics import CELL_METRICS, CLASS_METRICS
from kanon_sql.policy import Policy
from kanon_sql.stages.measure.classes import class_metrics, class_sizes
from kanon_sql.workspace import Workspace


def measure(workspace: Workspace, recoding: Recoding, policy: Policy) -> Utility:
    """The value of every metric of the published classes; None where it is not defined."""
    frequencies = recoding.frequencies
    goal = goal_of(frequencies, policy)
    has_label = frequencies.label is not None and not (recoding.regions and recoding.regions.splits_combinations)
    of_classes = [m for m in CLASS_METRICS if m.computed_from == "classes" or has_label]
    values = class_metrics(workspace, recoding.table, of_classes, rows=frequencies.rows, k=goal.k)
    lost = _lost_and_told(workspace, recoding)
    node = recoding.node if recoding.regions is None else None
    columns = [
        ColumnCells(
            name=column.column.name,
            weight=goal.weights[place],
            height=column.height,
            level=None if node is None else node[place],
            entropy=whole_loss(column, "entropy"),
            lost={metric.name: lost[metric.cell][place] for metric in CELL_METRICS if metric.cell in lost},
            told=lost["told"][place],
        )
        for place, column in enumerate(frequencies.columns)
    ]
    return utility_of(frequencies.rows, recoding.suppressed_rows, columns, values, class_sizes(workspace, recoding.table))


def _lost_and_told(workspace: Workspace, recoding: Recoding) -> Losses:
    """What the published cells of each quasi-identifier lose, per metric of cells that has a meaning here, and what they tell."""
    frequencies, node, cells = recoding.frequencies, recoding.node, [metric.cell for metric in CELL_METRICS]
    if recoding.regions is not None:
        asked = [*(cell for cell in cells if cell != "prec"), "told"]
        found = workspace.fetch_one("metrics/region_cells", regions=recoding.regions.regions, labels=recoding.regions.labels, cells=asked)
        width = len(frequencies.columns)
        return {cell: [float(lost) for lost in found[place * width : (place + 1) * width]] for place, cell in enumerate(asked)}
    _, *sums, rows = workspace.fetch_one(
        "metrics/cells",
        node=0,
        classes=recoding.table,
        carried=carried_columns(frequencies, node),
        width=len(node),
        cells=cells,
        suppressed=0,
    )
    return {**spread_cells(frequencies, node, cells, sums, rows), "told": _told(workspace, recoding)}


def _told(workspace: Workspace, recoding: Recoding) -> list[float]:
    """The bits that the published labels of each quasi-identifier tell; a root tells none."""
    columns = list(zip(recoding.frequencies.columns, recoding.node, strict=True))
    carried = [(column, level) for column, level in columns if level < column.height]
    if not carried:
        return [0.0] * len(columns)
    found = iter(workspace.fetch_one("metrics/told", classes=recoding.table, carried=carried))
    return [float(next(found)) if level < column.height else 0.0 for column, level in columns]
