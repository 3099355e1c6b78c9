"""Verdicts on nodes and their costs, a whole round in one or two statements, from the frequency tables alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import Any

from kanon_sql.artifacts import FrequencyTable, NodeCost, Verdict
from kanon_sql.judge.arguments import classes_at, judging, judging_at_once
from kanon_sql.lattice import Node, is_at_most
from kanon_sql.metrics import METRICS, Goal, Metric, Number
from kanon_sql.models import Rules
from kanon_sql.stages.evaluate.costs import NodeCosts
from kanon_sql.stages.evaluate.persons import PersonVerdicts
from kanon_sql.stages.evaluate.rollups import Rollups
from kanon_sql.workspace import Workspace

NODES_PER_STATEMENT = 50
SLACK = 1e-9  # what sums of shares may be off, per row


class NodeEvaluator:
    """Rolls the frequency table up to nodes, counts their classes and judges them."""

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
        self._allowed_rows = allowed_rows  # none: every verdict is exact, also where it is known early that a node fails
        self._rollups = Rollups(workspace, frequencies)
        goal = goal or Goal(("geniloss",), (1.0,) * len(frequencies.columns), 1)
        self._metrics = [METRICS[name] for name in goal.costs if name in ("dm", "cm")]
        label = frequencies.label if "cm" in goal.costs else None
        self.inherits = rules.inherits(suppresses=allowed_rows != 0, persons=frequencies.counts_persons)
        dooms = allowed_rows is not None and not self.inherits
        self._judging = judging(rules, frequencies.values, label, persons=frequencies.counts_persons, dooms=dooms)
        self._at_once = judging_at_once(self._judging)
        self._sizes = judging(rules.sizes_only(), (), persons=frequencies.counts_persons)
        self._costs = NodeCosts(workspace, frequencies, goal, self._classes_of, whole_persons=rules.whole_persons)
        self._persons = PersonVerdicts(workspace, frequencies, rules, self._judging, self._metrics, self._costs)
        self.cost_names: Sequence[str] = goal.costs
        self.level_bounds = self._costs.level_bounds
        self._large_enough: list[Node] = []

    def verdicts(self, nodes: Sequence[Node]) -> list[Verdict]:
        """What each node would give: its classes and the rows in those that break the policy."""
        by_size: dict[Node, Verdict] = {}
        if self._allowed_rows is not None and self._judging["judgements"] and self._sizes["sized"]:
            # What fails by the size of its classes alone is not looked at any closer, which costs more.
            by_size = self._too_small(nodes, self._allowed_rows)
        closer = self._ask([node for node in nodes if node not in by_size], self._at_once, self._metrics)
        if self._rules.whole_persons:
            most = self._frequencies.rows if self._allowed_rows is None else self._allowed_rows
            closer = [self._persons.left_at(verdict) if 0 < verdict.failing_rows <= most else verdict for verdict in closer]
        known = by_size | {verdict.node: verdict for verdict in closer}
        self._rollups.learn(known.values())
        return [known[node] for node in nodes]

    def _too_small(self, nodes: Sequence[Node], allowed_rows: int) -> dict[Node, Verdict]:
        """The nodes that fail by the size of their classes; what is above one that does not is not asked, as it does not either."""
        asked = [node for node in nodes if not any(is_at_most(large, node) for large in self._large_enough)]
        found = self._ask(asked, self._sizes, ())
        self._large_enough += [verdict.node for verdict in found if verdict.failing_rows <= allowed_rows]
        too_small = [verdict for verdict in found if verdict.failing_rows > allowed_rows]
        return {verdict.node: replace(verdict, doomed_rows=verdict.failing_rows) for verdict in too_small}

    def _ask(self, nodes: Sequence[Node], judged_by: dict[str, Any], metrics: Sequence[Metric]) -> list[Verdict]:
        """The verdicts of some of the models."""
        found: list[Verdict] = []
        for start in range(0, len(nodes), NODES_PER_STATEMENT):
            chunk = nodes[start : start + NODES_PER_STATEMENT]
            questions = [
                {"node": number, **self._arguments(node, (), judged_by), "metrics": metrics, "rows": self._frequencies.rows}
                for number, node in enumerate(chunk)
            ]
            rows = self._workspace.fetch_together("evaluate/class_sizes", questions)
            found += [self._verdict(chunk[number], figures, dooms=judged_by["dooms"]) for number, *figures in sorted(rows)]
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
        """The arguments of the query that gives a node's judged classes."""
        return self._arguments(node, carried, self._judging)

    def _arguments(self, node: Node, carried: Sequence[Any], judged_by: dict[str, Any]) -> dict[str, Any]:
        """The same for some of the models, from the smallest tables below the node."""
        plain = not judged_by["judgements"] and not judged_by["persons"]
        if node == self._frequencies.bottom and plain and not carried:
            return {**judged_by, "frequencies": self._frequencies.table, "keys": None, "carried": (), "keeps": False}
        rollup = self._rollups.smallest_below(node)
        return {**judged_by, **classes_at(self._frequencies, node, rollup), "carried": carried, "keeps": False}

    def _verdict(self, node: Node, figures: Sequence[Any], *, dooms: bool) -> Verdict:
        classes, smallest, unique, failing_classes, failing_rows, published, *metrics = figures
        rows = self._frequencies.rows
        holds = self._rules.holds_as_whole(classes - failing_classes, rows - failing_rows)
        # Shares of classes are not exact, and what fails below is a whole number of rows.
        doomed = ceil(metrics.pop(0) - SLACK * (1 + rows)) if dooms else 0
        return Verdict(node, classes, smallest, unique, failing_classes, failing_rows, published, tuple(metrics), holds, doomed)
