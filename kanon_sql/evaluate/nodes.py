"""Verdicts on nodes and their costs, a whole round in one statement, from the frequency table alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.artifacts import FrequencyTable, NodeCost, Verdict
from kanon_sql.evaluate.costs import NodeCosts
from kanon_sql.evaluate.rollups import Rollups
from kanon_sql.lattice import Node
from kanon_sql.metrics import METRICS, Goal, Number
from kanon_sql.models import Model
from kanon_sql.workspace import Workspace

NODES_PER_STATEMENT = 50


class NodeEvaluator:
    """Rolls the frequency table up to nodes and counts their classes."""

    def __init__(
        self,
        workspace: Workspace,
        frequencies: FrequencyTable,
        models: Sequence[Model],
        goal: Goal | None = None,
        *,
        suppresses: bool = True,
    ) -> None:
        self._workspace = workspace
        self._frequencies = frequencies
        self._models = models
        self._rollups = Rollups(workspace, frequencies)
        goal = goal or Goal(("geniloss",), (1.0,) * len(frequencies.columns), 1)
        self._metrics = [METRICS[name] for name in goal.costs if name in ("dm", "cm")]
        self._costs = NodeCosts(workspace, frequencies, goal, self._classes_of)
        self.cost_names: Sequence[str] = goal.costs
        self.inherits = all(model.inherits(suppresses=suppresses) for model in models)
        self.level_bounds = self._costs.level_bounds
        self.checked = 0

    def verdicts(self, nodes: Sequence[Node]) -> list[Verdict]:
        """What each node would give: its classes and the rows in those that break the policy."""
        self.checked += len(nodes)
        found: list[Verdict] = []
        for start in range(0, len(nodes), NODES_PER_STATEMENT):
            chunk = nodes[start : start + NODES_PER_STATEMENT]
            questions = [
                {"node": number, **self._classes_of(node, ()), "metrics": self._metrics, "rows": self._frequencies.rows}
                for number, node in enumerate(chunk)
            ]
            rows = self._workspace.fetch_together("evaluate/class_sizes", questions)
            found += [_verdict(chunk[number], figures) for number, *figures in sorted(rows)]
        self._rollups.learn(found)
        return found

    def bound(self, total: float) -> float:
        """The least the first cost can be where the level bounds of a node add up to so much."""
        return self._costs.bound(total)

    def floor(self, verdict: Verdict) -> NodeCost:
        """The least the node can cost by its verdict alone, in its first cost and its surplus."""
        return self._costs.floor(verdict)

    def costs(self, verdicts: Sequence[Verdict]) -> list[NodeCost]:
        """What each node costs once its failing classes are suppressed."""
        return self._costs.of(verdicts)

    def losses(self, verdict: Verdict, *, suppresses: bool = True) -> list[float]:
        """What each quasi-identifier's cells lose of the first cost, which is one of cells, with or without suppression."""
        return self._costs.by_column(verdict, suppresses=suppresses)

    def shown(self, cost: NodeCost) -> dict[str, Number]:
        """A node's costs as the metrics' own values."""
        return self._costs.shown(cost)

    def distinct_labels(self, node: Node) -> list[int]:
        """How many labels each quasi-identifier has at the node, over all rows."""
        return [column.distinct[level] for column, level in zip(self._frequencies.columns, node, strict=True)]

    def forget(self) -> None:
        """Drops the smaller tables that were made for the search."""
        self._rollups.forget()

    def _classes_of(self, node: Node, carried: Sequence[Any]) -> dict[str, Any]:
        """The arguments of the query that gives a node's classes, from the smallest table below it."""
        is_raw = node == self._frequencies.bottom and self._frequencies.label is None and not carried
        return {
            "frequencies": self._frequencies.table if is_raw else self._rollups.smallest_below(node),
            "keys": None if is_raw else self._frequencies.key_parts(node),
            "carried": carried,
            "label": self._frequencies.label,
            "models": self._models,
        }


def _verdict(node: Node, figures: Sequence[Any]) -> Verdict:
    classes, smallest, unique, failing_classes, failing_rows, published, *metrics = figures
    return Verdict(node, classes, smallest, unique, failing_classes, failing_rows, published, tuple(metrics))
