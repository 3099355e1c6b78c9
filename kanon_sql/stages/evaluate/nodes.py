"""Verdicts on nodes and their costs: one or two statements per round, from the frequency tables alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil
from types import MappingProxyType
from typing import Any

from kanon_sql.artifacts import FrequencyTable, NodeCost, Verdict
from kanon_sql.judge.arguments import CarriedColumns, ClassArguments, ClassSlice, ModelArguments, combination_tables, model_arguments
from kanon_sql.lattice import Node, is_at_most
from kanon_sql.metrics import METRICS, Goal, Metric, Number
from kanon_sql.models import Rules
from kanon_sql.stages.evaluate.costs import NodeCosts
from kanon_sql.stages.evaluate.persons import PersonVerdicts
from kanon_sql.stages.evaluate.rollups import Rollups
from kanon_sql.stages.evaluate.slices import slice_of
from kanon_sql.workspace import Workspace

NODES_PER_STATEMENT = 50
SLACK = 1e-9  # rounding error of a sum of shares, per row


class NodeEvaluator:
    """Rolls the frequency table up to nodes, counts their classes and applies the models to them."""

    def __init__(
        self,
        workspace: Workspace,
        frequencies: FrequencyTable,
        rules: Rules,
        goal: Goal | None = None,
        *,
        allowed_rows: int | None = None,
    ) -> None:
        self._workspace = workspace
        self._frequencies = frequencies
        self._rules = rules
        self._allowed_rows = allowed_rows  # None means that every verdict is exact, even if sizes alone show that a node fails
        self._rollups = Rollups(workspace, frequencies)
        goal = goal or Goal(("geniloss",), (1.0,) * len(frequencies.columns), 1)
        self._metrics = [METRICS[name] for name in goal.costs if name in ("dm", "cm")]
        label = frequencies.label if "cm" in goal.costs else None
        self.inherits = rules.inherits(suppresses=allowed_rows != 0, persons=frequencies.counts_persons)
        failing_below = allowed_rows is not None and not self.inherits
        self._models = model_arguments(rules, frequencies.values, label, persons=frequencies.counts_persons, failing_below=failing_below)
        self._sizes = model_arguments(rules.sizes_only(), (), persons=frequencies.counts_persons)
        self._costs = NodeCosts(workspace, frequencies, goal, self._classes_with, whole_persons=rules.whole_persons)
        self._persons = PersonVerdicts(workspace, frequencies, rules, self._models, self._metrics, self._costs)
        self.cost_names: Sequence[str] = goal.costs
        self.level_bounds = self._costs.level_bounds
        self._large_enough: list[Node] = []
        self._evaluated = 0

    def verdicts(self, nodes: Sequence[Node], *, exact: bool = False) -> list[Verdict]:
        """Return for each node its classes and the rows in classes that fail the policy, of a rejected node only some unless exact."""
        rejected: dict[Node, Verdict] = {}
        if self._allowed_rows is not None and self._sizes.size_models:
            rejected = {} if exact else self._fails_in_slice(nodes, self._allowed_rows)
            if self._models.groups:
                # A node that fails by the sizes of its classes needs no query of sensitive values, which is slower.
                by_size = self._too_small([node for node in nodes if node not in rejected], self._allowed_rows)
                self._rollups.learn(by_size.values())
                rejected |= by_size
        by_models = self._ask([node for node in nodes if node not in rejected], self._models.counting_rows_once(), self._metrics)
        if self._rules.whole_persons:
            most = self._frequencies.rows if self._allowed_rows is None else self._allowed_rows
            by_models = [self._persons.recount(verdict) if 0 < verdict.failing_rows <= most else verdict for verdict in by_models]
        self._rollups.learn(by_models)
        known = rejected | {verdict.node: verdict for verdict in by_models}
        self._evaluated += len(nodes)
        self._workspace.record.report_progress(f"{self._evaluated:,} nodes checked")
        return [known[node] for node in nodes]

    def _fails_in_slice(self, nodes: Sequence[Node], allowed_rows: int) -> dict[Node, Verdict]:
        """Return the nodes with too many failing rows in a slice of their classes."""
        slices = {
            node: found for node in nodes if node != self._frequencies.bottom and (found := slice_of(self._frequencies, node, allowed_rows))
        }
        asked = [node for node in slices if not any(is_at_most(large, node) for large in self._large_enough)]
        return self._rejected(self._ask(asked, self._sizes, (), slices), allowed_rows)

    def _too_small(self, nodes: Sequence[Node], allowed_rows: int) -> dict[Node, Verdict]:
        """Return the nodes that fail by the sizes of their classes; a node above one that passes is not asked, because it passes too."""
        asked = [node for node in nodes if not any(is_at_most(large, node) for large in self._large_enough)]
        found = self._ask(asked, self._sizes, ())
        self._large_enough += [verdict.node for verdict in found if verdict.failing_rows <= allowed_rows]
        return self._rejected(found, allowed_rows)

    @staticmethod
    def _rejected(verdicts: Sequence[Verdict], allowed_rows: int) -> dict[Node, Verdict]:
        """Return the nodes that fail by the sizes of their classes: the same rows fail at every finer node."""
        rejected = [verdict for verdict in verdicts if verdict.failing_rows > allowed_rows]
        return {verdict.node: replace(verdict, failing_below_rows=verdict.failing_rows) for verdict in rejected}

    def _ask(
        self,
        nodes: Sequence[Node],
        models: ModelArguments,
        metrics: Sequence[Metric],
        slices: Mapping[Node, ClassSlice] = MappingProxyType({}),
    ) -> list[Verdict]:
        """Return the verdicts of some of the models, on all classes or on slices of them."""
        found: list[Verdict] = []
        for start in range(0, len(nodes), NODES_PER_STATEMENT):
            chunk = nodes[start : start + NODES_PER_STATEMENT]
            questions = [
                {
                    "node": number,
                    **replace(self._classes(node, models), sliced=slices.get(node)).to_dict(),
                    "metrics": metrics,
                    "rows": self._frequencies.rows,
                }
                for number, node in enumerate(chunk)
            ]
            rows = self._workspace.fetch_together("evaluate/class_sizes", questions)
            found += [self._verdict(chunk[number], figures, failing_below=models.failing_below) for number, *figures in sorted(rows)]
        return found

    def bound(self, total: float) -> float:
        """Return the lowest possible first cost of a node whose level bounds add up to the total."""
        return self._costs.bound(total)

    def floor(self, verdict: Verdict) -> NodeCost:
        """Return the lowest possible cost of a node by its verdict alone, in its first cost and its surplus."""
        return self._costs.floor(verdict)

    def costs(self, verdicts: Sequence[Verdict]) -> list[NodeCost]:
        """Return the cost of each node with its failing classes suppressed."""
        return self._costs.of(verdicts)

    def losses(self, verdict: Verdict, *, suppresses: bool = True) -> list[float]:
        """Return the loss of each quasi-identifier's cells in the first cost, a metric of cells, with or without suppression."""
        return self._costs.by_column(verdict, suppresses=suppresses)

    def shown(self, cost: NodeCost) -> dict[str, Number]:
        """Return the costs of a node as values of the metrics."""
        return self._costs.shown(cost)

    def distinct_labels(self, node: Node) -> list[int]:
        """Return the number of labels of each quasi-identifier at the node, over all rows."""
        return [column.distinct[level] for column, level in zip(self._frequencies.columns, node, strict=True)]

    def forget(self) -> None:
        """Drop the smaller tables that were made for the search."""
        self._rollups.forget()

    def _classes_with(self, node: Node, carried: CarriedColumns) -> ClassArguments:
        """Return the classes of a node by all models, with the parts of some columns."""
        return self._classes(node, self._models, carried)

    def _classes(self, node: Node, models: ModelArguments, carried: CarriedColumns = ()) -> ClassArguments:
        """Return the classes of a node by some of the models, from the smallest tables below the node."""
        if node == self._frequencies.bottom and models.needs_only_sizes and not carried:
            return ClassArguments(combination_tables(self._frequencies), None, models)
        return ClassArguments(self._rollups.smallest_below(node), self._frequencies.key_parts(node), models, carried)

    def _verdict(self, node: Node, figures: Sequence[Any], *, failing_below: bool) -> Verdict:
        classes, smallest, unique, failing_classes, failing_rows, published, *metrics = figures
        if classes == 0:  # of a slice without rows
            return Verdict(node, 0, 0, 0, 0, 0, None)
        rows = self._frequencies.rows
        holds = self._rules.holds_as_whole(classes - failing_classes, rows - failing_rows)
        # The shares of classes are rounded, and the rows that fail below are a whole number.
        below = ceil(metrics.pop(0) - SLACK * (1 + rows)) if failing_below else 0
        return Verdict(node, classes, smallest, unique, failing_classes, failing_rows, published, tuple(metrics), holds, below)
