"""Explain: why these levels, the cost of each quasi-identifier, the effect of a larger k or of removing a quasi-identifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.artifacts import FrequencyTable, Profile, Verdict
from kanon_sql.artifacts.plan import Plan
from kanon_sql.backends import connect
from kanon_sql.commands.hooks import before_run
from kanon_sql.commands.options import RunOptions
from kanon_sql.commands.pipeline import Run
from kanon_sql.commands.source import profile_for_release
from kanon_sql.errors import NoSolutionError, RequestError
from kanon_sql.labels.levels import goal_of, lattice_of
from kanon_sql.lattice import Lattice, Node
from kanon_sql.metrics import CELL_METRICS, METRICS, Goal, scaled
from kanon_sql.models import Rules
from kanon_sql.policy import Policy
from kanon_sql.policy.file import load_policy
from kanon_sql.report.explain import ColumnCost, ExplainReport, LowerLevel, WhatIf
from kanon_sql.stages.evaluate import NodeEvaluator
from kanon_sql.stages.profile.source import read_source
from kanon_sql.stages.search import search
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable

K_STEP = 5  # added to k for the comparison
ADDITIVE_COSTS = [metric.name for metric in CELL_METRICS if not metric.more_is_better]  # sums over quasi-identifiers


def explain(
    connection: Connectable,
    policy: Policy | Mapping[str, Any] | str | Path,
    *,
    levels: Mapping[str, int] | None = None,
    plan: Plan | None = None,
    listener: StageListener | None = None,
) -> ExplainReport:
    """Return the reasons for the levels of the search, of a plan or of `levels`, from one count of the source."""
    policy, options = load_policy(policy), RunOptions(levels, plan, compares=False)
    options.require_possible(policy)
    if not ALGORITHMS[policy.algorithm].chooses_levels:
        raise RequestError(f"explain needs levels, and {policy.algorithm} does not choose levels; choose another algorithm")
    with Workspace(connect(connection, read_only=True), None, listener) as workspace:
        before_run(workspace, policy, dry_run=True)
        workspace.transaction.begin("read")
        with workspace.stage("profile"):
            profile = profile_for_release(workspace, read_source(workspace, policy), policy)
            options.require_fitting(workspace, policy, profile)
        return _explain(Run(workspace, policy, options), profile)


def _explain(run: Run, profile: Profile) -> ExplainReport:
    """Count, search and explain the solution."""
    workspace = run.workspace
    with workspace.stage("count"):
        frequencies = run.count(profile)
    with workspace.stage("search"):
        solution = run.search(frequencies)
    explanation = _Explanation(workspace, frequencies, run.policy, solution.verdict)
    with workspace.stage("explain"):
        columns, loss = explanation.columns()
    with workspace.stage("compare"):
        larger, without = explanation.larger_k(loss), explanation.without()
    return ExplainReport(
        policy=run.policy,
        levels=dict(zip(explanation.names, solution.assignment.levels, strict=True)),
        algorithm=solution.algorithm,
        metric=explanation.goal.costs[0],
        loss=loss,
        rows=frequencies.rows,
        suppressed=solution.verdict.failing_rows,
        allowed=explanation.allowed,
        k=solution.verdict.smallest_published,
        columns=columns,
        larger_k=larger,
        without=without,
        warnings=profile.warnings,
        stages=tuple(workspace.record.stages),
        statements=tuple(workspace.record.statements),
    )


@dataclass(frozen=True)
class _Explanation:
    """The explanation of one solution, from one frequency table."""

    workspace: Workspace
    frequencies: FrequencyTable
    policy: Policy
    verdict: Verdict

    @property
    def goal(self) -> Goal:
        """Return the goal whose loss is reported: the policy's first cost if it is a sum over quasi-identifiers, else GenILoss."""
        goal = goal_of(self.frequencies, self.policy)
        return Goal((goal.costs[0] if goal.costs[0] in ADDITIVE_COSTS else "geniloss",), goal.weights, goal.k)

    @property
    def allowed(self) -> int:
        return self.policy.suppression.allowed_rows(self.frequencies.rows)

    @property
    def names(self) -> list[str]:
        return [column.column.name for column in self.frequencies.columns]

    def columns(self) -> tuple[tuple[ColumnCost, ...], float]:
        """Return the cost of every quasi-identifier, and the total loss."""
        evaluator = self._evaluator()
        losses = evaluator.losses(self.verdict)
        lattice, node = lattice_of(self.frequencies, self.policy), self.verdict.node
        lower = self._lower_levels(evaluator, lattice)
        evaluator.forget()
        weighted = [weight * loss for weight, loss in zip(self.goal.weights, losses, strict=True)]
        total = sum(weighted) or 1.0
        costs = [
            ColumnCost(
                name, node[index], column.height, losses[index], weighted[index] / total, lower.get(index), _floor(lattice, node, index)
            )
            for index, (name, column) in enumerate(zip(self.names, self.frequencies.columns, strict=True))
        ]
        return tuple(costs), self._mean(losses, range(len(losses)))

    def _lower_levels(self, evaluator: NodeEvaluator, lattice: Lattice) -> dict[int, LowerLevel]:
        """Return the node one level lower for each quasi-identifier that has a lower level."""
        indexes = lattice.can_sink(self.verdict.node)
        nodes = [lattice.lowered(self.verdict.node, index) for index in indexes]
        verdicts = evaluator.verdicts(nodes) if nodes else []
        failing: dict[Node, dict[str, int]] = {node: {} for node in nodes}
        for model in self.policy.models if nodes else ():
            alone = NodeEvaluator(self.workspace, self.frequencies, Rules((model,))) if len(self.policy.models.models) > 1 else evaluator
            for verdict in alone.verdicts(nodes) if alone is not evaluator else verdicts:
                if verdict.failing_rows:
                    failing[verdict.node][model.name] = verdict.failing_rows
            if alone is not evaluator:
                alone.forget()
        return {
            index: LowerLevel(
                verdict.node[index], self._mean(evaluator.losses(verdict, suppresses=False), range(len(self.names))),
                verdict.failing_rows, failing[verdict.node], self.allowed,
            )
            for index, verdict in zip(indexes, verdicts, strict=True)
        }  # fmt: skip

    def larger_k(self, loss: float) -> tuple[int, WhatIf]:
        """Return the result with k + 5."""
        k = self.policy.models.k + K_STEP
        policy = self.policy.model_copy(update={"privacy": self.policy.privacy.model_copy(update={"k": k})})
        return k, self._search(policy, lattice_of(self.frequencies, self.policy), range(len(self.names)), loss)

    def without(self) -> dict[str, WhatIf]:
        """Return the result without each quasi-identifier: its classes are those with the column at its root."""
        evaluator = self._evaluator()
        losses = evaluator.losses(self.verdict)
        evaluator.forget()
        lattice = lattice_of(self.frequencies, self.policy)
        found = {}
        for index, name in enumerate(self.names if len(self.names) > 1 else ()):
            root = lattice.heights[index]
            low, high = ((*node[:index], root, *node[index + 1 :]) for node in (lattice.bottom, lattice.top))
            others = [other for other in range(len(self.names)) if other != index]
            found[name] = self._search(self.policy, Lattice(lattice.heights, low, high), others, self._mean(losses, others))
        return found

    def _search(self, policy: Policy, lattice: Lattice, indexes: range | list[int], now: float) -> WhatIf:
        """Return the result of the policy's search in a lattice, with the loss of the quasi-identifiers at the indexes."""
        evaluator = self._evaluator(policy)
        try:
            solution = search(policy.algorithm, lattice, evaluator, self.allowed, time_budget=policy.time_budget)
        except NoSolutionError:
            return WhatIf(None, None, now, None)
        finally:
            evaluator.forget()
        measured = self._evaluator(policy, goal=self.goal)
        losses = measured.losses(solution.verdict)
        measured.forget()
        levels = {self.names[index]: solution.assignment.levels[index] for index in indexes}
        return WhatIf(levels, self._mean(losses, indexes), now, solution.verdict.failing_rows)

    def _evaluator(self, policy: Policy | None = None, goal: Goal | None = None) -> NodeEvaluator:
        """Return an evaluator for the reported loss, or for the search of a policy by its costs."""
        wanted = goal or (self.goal if policy is None else goal_of(self.frequencies, policy))
        return NodeEvaluator(self.workspace, self.frequencies, (policy or self.policy).models, wanted, allowed_rows=self.allowed)

    def _mean(self, losses: list[float], indexes: range | list[int]) -> float:
        """Return the loss of some quasi-identifiers as the metric defines it: a sum for entropy, a mean over cells otherwise."""
        weights = scaled([self.goal.weights[index] for index in indexes])
        lost = sum(weight * losses[index] for weight, index in zip(weights, indexes, strict=True))
        metric = METRICS[self.goal.costs[0]]
        return lost if metric.name == "entropy" else lost / len(weights)


def _floor(lattice: Lattice, node: Node, index: int) -> str:
    if node[index] == 0:
        return "Its values are published unchanged."
    return "The policy's min_level does not allow a lower level." if node[index] <= lattice.bottom[index] else ""
