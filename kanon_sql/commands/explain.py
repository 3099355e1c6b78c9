"""Explain: why these levels, what each quasi-identifier costs, what a larger k or one quasi-identifier less would change."""

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
from kanon_sql.report.explain import ColumnCost, ExplainReport, OneLower, WhatIf
from kanon_sql.stages.evaluate import NodeEvaluator
from kanon_sql.stages.profile.source import read_source
from kanon_sql.stages.search import search
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable

MORE = 5  # what is added to k
MEASURABLE = [metric.name for metric in CELL_METRICS if not metric.more_is_better]  # costs that are sums over quasi-identifiers


def explain(
    connection: Connectable,
    policy: Policy | Mapping[str, Any] | str | Path,
    *,
    levels: Mapping[str, int] | None = None,
    plan: Plan | None = None,
    listener: StageListener | None = None,
) -> ExplainReport:
    """Return why the search ends where it does, or what named levels or a plan cost, from one count of the source."""
    policy, options = load_policy(policy), RunOptions(levels, plan, compares=False)
    options.require_possible(policy)
    if not ALGORITHMS[policy.algorithm].chooses_levels:
        raise RequestError(f"explain is about levels, and {policy.algorithm} does not choose levels; choose another algorithm")
    with Workspace(connect(connection, read_only=True), None, listener) as workspace:
        before_run(workspace, policy, dry_run=True)
        workspace.transaction.begin("read")
        with workspace.stage("profile"):
            profile = profile_for_release(workspace, read_source(workspace, policy), policy)
            options.require_fitting(workspace, policy, profile)
        return _explain(Run(workspace, policy, options), profile)


def _explain(run: Run, profile: Profile) -> ExplainReport:
    """Return why the search ends where it does."""
    workspace = run.workspace
    with workspace.stage("count"):
        frequencies = run.count(profile)
    with workspace.stage("search"):
        solution = run.search(frequencies)
    question = _Question(workspace, frequencies, run.policy, solution.verdict)
    with workspace.stage("explain"):
        columns, loss = question.columns()
    with workspace.stage("compare"):
        larger, without = question.larger_k(loss), question.without()
    return ExplainReport(
        policy=run.policy,
        levels=dict(zip(question.names, solution.assignment.levels, strict=True)),
        algorithm=solution.algorithm,
        metric=question.goal.costs[0],
        loss=loss,
        rows=frequencies.rows,
        suppressed=solution.verdict.failing_rows,
        allowed=question.allowed,
        k=solution.verdict.smallest_published,
        columns=columns,
        larger_k=larger,
        without=without,
        warnings=profile.warnings,
        stages=tuple(workspace.record.stages),
        statements=tuple(workspace.record.statements),
    )


@dataclass(frozen=True)
class _Question:
    """One solution on one frequency table, and what is asked about it."""

    workspace: Workspace
    frequencies: FrequencyTable
    policy: Policy
    verdict: Verdict

    @property
    def goal(self) -> Goal:
        """The loss that is told: the policy's first cost if quasi-identifiers add up to it, else GenILoss."""
        goal = goal_of(self.frequencies, self.policy)
        return Goal((goal.costs[0] if goal.costs[0] in MEASURABLE else "geniloss",), goal.weights, goal.k)

    @property
    def allowed(self) -> int:
        return self.policy.suppression.allowed_rows(self.frequencies.rows)

    @property
    def names(self) -> list[str]:
        return [column.column.name for column in self.frequencies.columns]

    def columns(self) -> tuple[tuple[ColumnCost, ...], float]:
        """What every quasi-identifier costs, and the loss of all."""
        evaluator = self._evaluator()
        losses = evaluator.losses(self.verdict)
        lattice, node = lattice_of(self.frequencies, self.policy), self.verdict.node
        lower = self._one_lower(evaluator, lattice)
        evaluator.forget()
        weighted = [weight * loss for weight, loss in zip(self.goal.weights, losses, strict=True)]
        total = sum(weighted) or 1.0
        costs = [
            ColumnCost(
                name, node[place], column.height, losses[place], weighted[place] / total, lower.get(place), _floor(lattice, node, place)
            )
            for place, (name, column) in enumerate(zip(self.names, self.frequencies.columns, strict=True))
        ]
        return tuple(costs), self._mean(losses, range(len(losses)))

    def _one_lower(self, evaluator: NodeEvaluator, lattice: Lattice) -> dict[int, OneLower]:
        """Per quasi-identifier that can be lower, the node in which it is."""
        places = lattice.can_sink(self.verdict.node)
        nodes = [lattice.lowered(self.verdict.node, place) for place in places]
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
            place: OneLower(
                verdict.node[place], self._mean(evaluator.losses(verdict, suppresses=False), range(len(self.names))),
                verdict.failing_rows, failing[verdict.node], self.allowed,
            )
            for place, verdict in zip(places, verdicts, strict=True)
        }  # fmt: skip

    def larger_k(self, loss: float) -> tuple[int, WhatIf]:
        """What k + 5 would change."""
        k = self.policy.models.k + MORE
        policy = self.policy.model_copy(update={"privacy": self.policy.privacy.model_copy(update={"k": k})})
        return k, self._search(policy, lattice_of(self.frequencies, self.policy), range(len(self.names)), loss)

    def without(self) -> dict[str, WhatIf]:
        """Per quasi-identifier, what the others could keep if it were none: classes are those with it at its root."""
        evaluator = self._evaluator()
        losses = evaluator.losses(self.verdict)
        evaluator.forget()
        lattice = lattice_of(self.frequencies, self.policy)
        found = {}
        for place, name in enumerate(self.names if len(self.names) > 1 else ()):
            root = lattice.heights[place]
            low, high = ((*node[:place], root, *node[place + 1 :]) for node in (lattice.bottom, lattice.top))
            others = [other for other in range(len(self.names)) if other != place]
            found[name] = self._search(self.policy, Lattice(lattice.heights, low, high), others, self._mean(losses, others))
        return found

    def _search(self, policy: Policy, lattice: Lattice, places: range | list[int], now: float) -> WhatIf:
        """What the policy's search finds in a lattice, and the loss of some quasi-identifiers there."""
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
        levels = {self.names[place]: solution.assignment.levels[place] for place in places}
        return WhatIf(levels, self._mean(losses, places), now, solution.verdict.failing_rows)

    def _evaluator(self, policy: Policy | None = None, goal: Goal | None = None) -> NodeEvaluator:
        """An evaluator for the loss that is told, or for the search of a policy by its own costs."""
        wanted = goal or (self.goal if policy is None else goal_of(self.frequencies, policy))
        return NodeEvaluator(self.workspace, self.frequencies, (policy or self.policy).models, wanted, allowed_rows=self.allowed)

    def _mean(self, losses: list[float], places: range | list[int]) -> float:
        """The loss of some quasi-identifiers as the metric tells it: of cells on average, of entropy in all."""
        weights = scaled([self.goal.weights[place] for place in places])
        lost = sum(weight * losses[place] for weight, place in zip(weights, places, strict=True))
        metric = METRICS[self.goal.costs[0]]
        return lost if metric.name == "entropy" else lost / len(weights)


def _floor(lattice: Lattice, node: Node, place: int) -> str:
    if node[place] == 0:
        return "Its values are published as they are."
    return "The policy's min_level allows no lower one." if node[place] <= lattice.bottom[place] else ""
