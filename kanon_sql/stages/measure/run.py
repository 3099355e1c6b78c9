"""Measure the utility of a recoding before it is published."""

from __future__ import annotations

from kanon_sql.artifacts import LabelledTable, NodeAssignment, Recoding
from kanon_sql.artifacts.utility import ColumnCells, Utility, utility_of
from kanon_sql.labels.cells import Losses, carried_columns, spread_cells, whole_loss
from kanon_sql.labels.levels import goal_of
from kanon_sql.lattice import Node
from kanon_sql.metrics import CELL_METRICS, CLASS_METRICS
from kanon_sql.policy import Policy
from kanon_sql.stages.measure.classes import class_metrics, class_sizes
from kanon_sql.workspace import Workspace


def measure(workspace: Workspace, recoding: Recoding, policy: Policy) -> Utility:
    """Return the value of every metric of the published classes; None where it is not defined."""
    frequencies, levels = recoding.frequencies, recoding.assignment.levels
    goal = goal_of(frequencies, policy)
    has_label = frequencies.label is not None and not _splits(recoding)
    of_classes = [m for m in CLASS_METRICS if m.computed_from == "classes" or has_label]
    values = class_metrics(workspace, recoding.table, of_classes, rows=frequencies.rows, k=goal.k)
    lost = _losses(workspace, recoding)
    columns = [
        ColumnCells(
            name=column.column.name,
            weight=goal.weights[index],
            height=column.height,
            level=levels[index] if levels else None,
            entropy=whole_loss(column, "entropy"),
            lost={metric.name: lost[metric.cell][index] for metric in CELL_METRICS if metric.cell in lost},
            disclosed=lost["disclosed"][index],
        )
        for index, column in enumerate(frequencies.columns)
    ]
    return utility_of(frequencies.rows, recoding.suppressed_rows, columns, values, class_sizes(workspace, recoding.table))


def _splits(recoding: Recoding) -> bool:
    """Return whether rows of one combination may be in several classes, which then have no majority label."""
    return isinstance(recoding.assignment, LabelledTable) and recoding.assignment.splits_combinations


def _losses(workspace: Workspace, recoding: Recoding) -> Losses:
    """Return the losses of the published cells of each quasi-identifier per metric, and the bits that they disclose."""
    match recoding.assignment:
        case NodeAssignment(node):
            return _losses_of_node(workspace, recoding, node)
        case LabelledTable() as table:
            return _losses_of_table(workspace, recoding, table)
    raise AssertionError(f"a recoding is of a rule or a table, not {type(recoding.assignment).__name__}")


def _losses_of_table(workspace: Workspace, recoding: Recoding, table: LabelledTable) -> Losses:
    cells = [*table.labels.cells, "disclosed"]
    shape = {"regions": table.groups, "labels": table.cells, "cells": cells}
    if recoding.suppressed_rows:
        found = workspace.fetch_one("metrics/published_region_cells", classes=recoding.table, **shape)
    else:
        found = workspace.fetch_one("metrics/region_cells", **shape)
    width = len(recoding.frequencies.columns)
    return {cell: [float(lost) for lost in found[index * width : (index + 1) * width]] for index, cell in enumerate(cells)}


def _losses_of_node(workspace: Workspace, recoding: Recoding, node: Node) -> Losses:
    frequencies, cells = recoding.frequencies, [metric.cell for metric in CELL_METRICS]
    _, *sums, rows = workspace.fetch_one(
        "metrics/cells",
        node=0,
        classes=recoding.table,
        carried=carried_columns(frequencies, node),
        width=len(node),
        cells=cells,
        suppressed=0,
    )
    return {**spread_cells(frequencies, node, cells, sums, rows), "disclosed": _disclosed(workspace, recoding, node)}


def _disclosed(workspace: Workspace, recoding: Recoding, node: Node) -> list[float]:
    """Return the bits that the published labels of each quasi-identifier disclose; a root discloses none."""
    columns = list(zip(recoding.frequencies.columns, node, strict=True))
    carried = [(column, level) for column, level in columns if level < column.height]
    if not carried:
        return [0.0] * len(columns)
    found = iter(workspace.fetch_one("metrics/disclosed", classes=recoding.table, carried=carried))
    return [float(next(found)) if level < column.height else 0.0 for column, level in columns]
