"""The costs of nodes: metrics of classes come with the verdict, metrics of cells from the labels of suppressed classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log

from kanon_sql.artifacts import FrequencyTable, NodeCost, Verdict
from kanon_sql.judge.arguments import CarriedColumns, ClassArguments
from kanon_sql.labels.cells import Losses, carried_columns, spread_cells, whole_loss
from kanon_sql.lattice import Node
from kanon_sql.metrics import METRICS, Cells, Goal, Number, as_loss, as_value, of_cells
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

NODES_PER_STATEMENT = 20


class NodeCosts:
    """The costs of a goal on the nodes of a frequency table."""

    def __init__(
        self,
        workspace: Workspace,
        frequencies: FrequencyTable,
        goal: Goal,
        classes_of: Callable[[Node, CarriedColumns], ClassArguments],
        *,
        whole_persons: bool = False,
    ) -> None:
        self._workspace = workspace
        self._frequencies = frequencies
        self._goal = goal
        self._classes_of = classes_of
        self._whole_persons = whole_persons
        self._lost: dict[Node, Losses] = {}
        self._cells = [METRICS[name].cell for name in dict.fromkeys(goal.costs) if METRICS[name].cell]
        self._class_metrics: list[str] = [name for name in goal.costs if name in ("dm", "cm")]

    @property
    def level_bounds(self) -> tuple[tuple[float, ...], ...] | None:
        """Per quasi-identifier and level, the least it adds to the sum that `bound` reads; None if levels do not bound the cost."""
        name, columns = self._goal.costs[0], self._frequencies.columns
        if name == "height":
            return tuple(tuple(float(level) for level in range(column.height + 1)) for column in columns)
        if name in ("classes", "c_avg", "dm"):
            return tuple(tuple(-log(labels) for labels in column.distinct) for column in columns)
        if name == "cm":
            return None
        share = 1.0 if name == "entropy" else 1.0 / (self._frequencies.rows * len(columns))
        return tuple(
            tuple(weight * share * loss.capped for loss in column.losses[METRICS[name].cell])
            for column, weight in zip(columns, self._goal.weights, strict=True)
        )

    def bound(self, total: float) -> float:
        """Return the lowest possible first cost: no more classes than combinations of labels, and the lowest DM if they are equal."""
        match self._goal.costs[0]:
            case "classes" | "c_avg":
                return -exp(-total)
            case "dm":
                return self._frequencies.rows**2 / exp(-total)
            case _:
                return total

    def of(self, verdicts: Sequence[Verdict]) -> list[NodeCost]:
        """Return the exact costs; cells of suppressed classes are queried if there are any."""
        asked = [verdict for verdict in verdicts if verdict.failing_rows and self._cells]
        lost: dict[Node, Losses] = {}
        for start in range(0, len(asked), NODES_PER_STATEMENT):
            lost |= self._suppressed_cells(asked[start : start + NODES_PER_STATEMENT])
        return [self._cost(verdict, lost.get(verdict.node)) for verdict in verdicts]

    def floor(self, verdict: Verdict) -> NodeCost:
        """Return the lowest possible cost of a node: every suppressed cell may have had the label with the highest loss of its level."""
        columns = list(zip(self._frequencies.columns, verdict.node, strict=True))
        worst = {cell: [verdict.failing_rows * c.losses[cell][level].highest for c, level in columns] for cell in self._cells}
        return self._cost(verdict, worst)

    def by_column(self, verdict: Verdict, *, suppresses: bool) -> list[float]:
        """Return the loss of each quasi-identifier's cells in the first cost, a metric of cells: per row, or in total for entropy."""
        cell, name = self._cells[0], self._goal.costs[0]
        rows = verdict.failing_rows if suppresses else 0
        lost = self._suppressed_cells([verdict])[verdict.node][cell] if rows else [0.0] * len(verdict.node)
        share = 1.0 if name == "entropy" else 1.0 / self._frequencies.rows
        return [
            share * (column.losses[cell][level].total - suppressed + rows * whole_loss(column, name))
            for column, level, suppressed in zip(self._frequencies.columns, verdict.node, lost, strict=True)
        ]

    def shown(self, cost: NodeCost) -> dict[str, Number]:
        """Return costs as values of the metrics."""
        values: dict[str, Number] = {}
        for name, loss in zip(self._goal.costs, cost.losses, strict=True):
            if name == "c_avg":
                values[name] = self._frequencies.rows / (-loss * self._goal.k) if loss else None
            else:
                value = as_value(name, loss)
                values[name] = round(value) if name in ("classes", "dm", "cm", "height") else value
        return values

    def learn(self, node: Node, classes: TableName) -> None:
        """Keep the losses of the suppressed cells of a node, whose classes are about to be dropped."""
        arguments = {"node": 0, "classes": classes, "width": len(node), "cells": self._cells, "suppressed": 1}
        _, *sums, rows = self._workspace.fetch_one("metrics/cells", carried=carried_columns(self._frequencies, node), **arguments)
        self._lost[node] = spread_cells(self._frequencies, node, self._cells, sums, rows)

    def _cost(self, verdict: Verdict, lost: Losses | None) -> NodeCost:
        losses, surpluses = [], []
        for name in self._goal.costs:
            loss, unsuppressed = self._loss(name, verdict, lost)
            losses.append(loss)
            surpluses.append(loss - unsuppressed)
        # The entropy of a cell can exceed that of its whole column, and a large class costs more than its parts: suppressing more may
        # cost less.
        irregular = ("entropy", "dm", "cm") if self._whole_persons else ("entropy",)
        surplus = None if verdict.failing_rows and self._goal.costs[0] in irregular else max(0.0, surpluses[0])
        return NodeCost(verdict.node, tuple(losses), surplus)

    def _loss(self, name: str, verdict: Verdict, lost: Losses | None) -> tuple[float, float]:
        """Return one loss of a node with suppression, and without."""
        if name == "height":
            return float(sum(verdict.node)), float(sum(verdict.node))
        if name in ("classes", "c_avg"):  # c_avg orders nodes the same way: rows and k are fixed
            return float(verdict.failing_classes - verdict.classes), float(-verdict.classes)
        if name in ("dm", "cm"):
            index = 2 * self._class_metrics.index(name)
            return verdict.metrics[index], verdict.metrics[index + 1]
        cell = METRICS[name].cell
        nothing = [0.0] * len(verdict.node)
        suppressed = lost[cell] if lost else nothing
        return self._cell_loss(name, verdict, suppressed, verdict.failing_rows), self._cell_loss(name, verdict, nothing, 0)

    def _cell_loss(self, name: str, verdict: Verdict, suppressed: Sequence[float], rows: int) -> float:
        cell = METRICS[name].cell
        cells = [
            Cells(column.losses[cell][level].total - lost, whole_loss(column, name))
            for column, level, lost in zip(self._frequencies.columns, verdict.node, suppressed, strict=True)
        ]
        return as_loss(name, of_cells(name, self._frequencies.rows, rows, cells, self._goal.weights))

    def _suppressed_cells(self, verdicts: Sequence[Verdict]) -> dict[Node, Losses]:
        """Return per node and cell metric the loss that each quasi-identifier's suppressed cells would have if published."""
        found = {verdict.node: self._lost[verdict.node] for verdict in verdicts if verdict.node in self._lost}
        verdicts = [verdict for verdict in verdicts if verdict.node not in found]
        questions = []
        width = len(self._frequencies.columns)
        for number, verdict in enumerate(verdicts):
            classes = self._classes_of(verdict.node, carried_columns(self._frequencies, verdict.node))
            asked = {"node": number, "classes": None, "width": width, "cells": self._cells, "suppressed": 1}
            questions.append({**asked, **classes.to_dict()})
        for number, *sums, rows in self._workspace.fetch_together("metrics/cells", questions) if questions else []:
            node = verdicts[number].node
            found[node] = spread_cells(self._frequencies, node, self._cells, sums, rows)
        return found
