"""From the counted combinations to a solution: by search, or by levels that someone named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from kanon_sql.artifacts import FrequencyTable, NodeCounts, Profile, Recoding, Solution, Verdict
from kanon_sql.artifacts.plan import Plan
from kanon_sql.commands.comparison import compare_with_size
from kanon_sql.commands.partition import apply_cuts, find_partition
from kanon_sql.errors import NoSolutionError, RequestError
from kanon_sql.labels.levels import goal_of, lattice_of, node_of
from kanon_sql.lattice import Lattice
from kanon_sql.policy import Policy
from kanon_sql.stages.evaluate import NodeEvaluator, explain_unmet, load_splits
from kanon_sql.stages.measure.picture import draw_partition, require_picturable
from kanon_sql.stages.publish.staging import release_types
from kanon_sql.stages.search import search
from kanon_sql.stages.search.clock import Clock
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class RunOptions:
    """What a run is given beside its policy: the node to publish, by its levels or by a plan; whether to draw the regions."""

    levels: Mapping[str, int] | None = None
    plan: Plan | None = None
    picture: bool = False
    keeps_cuts: bool = False  # of Mondrian, for a plan
    compares: bool = True  # with k alone, to say what other models cost

    def require_possible(self, policy: Policy) -> None:
        """Levels, plans and pictures go with the policy's algorithm, or an error says what does not."""
        if self.plan is not None and self.levels is not None:
            raise RequestError("a plan has its levels already; give either a plan or levels")
        if policy.algorithm == "mondrian" and self.levels is not None:
            raise RequestError("levels are for algorithms that choose levels, and mondrian cuts regions; leave out one of both")
        if policy.algorithm == "mondrian" and self.plan is not None and self.plan.cuts is None:
            raise RequestError("the plan holds levels, and mondrian cuts regions; leave out one of both")
        if policy.algorithm != "mondrian" and self.plan is not None and self.plan.cuts is not None:
            raise RequestError(f"the plan holds cuts, and {policy.algorithm} chooses levels; write algorithm: mondrian, or solve again")
        if policy.algorithm != "mondrian" and self.picture:
            raise RequestError("a picture is of regions: write algorithm: mondrian, or leave the picture out")

    def require_fitting(self, workspace: Workspace, policy: Policy, profile: Profile) -> None:
        """The plan was made for this policy and this table, and a picture can be drawn of it, or an error says what does not fit."""
        if self.picture:
            require_picturable(q.column for q in profile.quasi_identifiers)
        if self.plan is not None:
            self.plan.require_unchanged(policy, profile)
            self.plan.require_types(release_types(workspace, profile, self.plan.levels))

    def splits(self, workspace: Workspace, profile: Profile) -> dict[str, TableName]:
        """Per column the values at which the plan cuts it, which are counted as leaves."""
        cuts = self.plan.cuts if self.plan is not None else None
        return load_splits(workspace, [q.column for q in profile.quasi_identifiers], cuts) if cuts else {}

    def drawn(self, workspace: Workspace, recoding: Recoding, policy: Policy) -> str | None:
        """The picture, if one is wanted."""
        return draw_partition(workspace, recoding, policy.privacy.least_k) if self.picture else None


DEFAULT_OPTIONS = RunOptions()


def find_solution(workspace: Workspace, frequencies: FrequencyTable, policy: Policy, options: RunOptions = DEFAULT_OPTIONS) -> Solution:
    """The node to publish: that of a plan or of given levels, checked on today's table, or what the algorithm finds: a node, or regions."""
    require_possible(frequencies, policy)
    solution = _find(workspace, frequencies, policy, options)
    return replace(solution, combinations=frequencies.combinations, person_combinations=frequencies.person_combinations)


def _find(workspace: Workspace, frequencies: FrequencyTable, policy: Policy, options: RunOptions) -> Solution:
    if options.plan is not None and options.plan.cuts is not None:
        return apply_cuts(workspace, frequencies, policy, options.plan.cuts)
    if policy.algorithm == "mondrian":
        return find_partition(workspace, frequencies, policy, keeps_cuts=options.keeps_cuts)
    before, budget = _seconds_before(workspace), policy.time_budget
    clock = Clock(None if budget is None else budget - before)
    lattice = lattice_of(frequencies, policy)
    allowed = policy.suppression.allowed_rows(frequencies.rows)
    evaluator = NodeEvaluator(workspace, frequencies, policy.models, goal_of(frequencies, policy), allowed_rows=allowed)
    if options.plan is not None:
        return _check_levels(evaluator, frequencies, lattice, options.plan.levels, allowed, origin="plan")
    if options.levels is not None:
        return _check_levels(evaluator, frequencies, lattice, options.levels, allowed, origin="levels")
    try:
        solution = search(policy.algorithm, lattice, evaluator, allowed, time_budget=budget, spent=before + clock.spent)
    except NoSolutionError as unmet:
        if not isinstance(unmet.verdict, Verdict):
            raise
        reason = explain_unmet(workspace, frequencies, lattice, policy.models, allowed, unmet.verdict)
        raise NoSolutionError(f"{reason}. Nothing was published", unmet.verdict) from None
    evaluator.forget()
    alone = compare_with_size(workspace, frequencies, policy, lattice, solution, clock if options.compares else None)
    return replace(solution, by_size=alone)


def _seconds_before(workspace: Workspace) -> float:
    """How long the stages before the search took, each when it was last done."""
    last = {stage.name: stage.seconds for stage in workspace.record.stages if stage.name in ("profile", "count")}
    return sum(last.values())


def _check_levels(
    evaluator: NodeEvaluator,
    frequencies: FrequencyTable,
    lattice: Lattice,
    levels: Mapping[str, int],
    allowed_rows: int,
    *,
    origin: str,
) -> Solution:
    node = node_of(levels, frequencies, lattice)
    asked = list(dict.fromkeys([frequencies.bottom, node]))
    before, *rest = evaluator.verdicts(asked)
    verdict = rest[0] if rest else before
    if not verdict.is_within(allowed_rows):
        said = "the plan does not hold on today's table" if origin == "plan" else "the levels that were given do not meet the policy"
        raise NoSolutionError(f"{said}: {_shortfall(verdict, allowed_rows)}; nothing was published", verdict)
    return Solution(
        algorithm=origin,
        node=node,
        verdict=verdict,
        before=before,
        nodes=NodeCounts(lattice.size, sum(one in lattice for one in asked)),
        optimal=False,
        optimal_reason="the levels are those of the plan" if origin == "plan" else "the levels were given, not searched for",
        costs=evaluator.shown(evaluator.costs([verdict])[0]),
    )


def _shortfall(verdict: Verdict, allowed_rows: int) -> str:
    if verdict.failing_rows <= allowed_rows:
        return "the average risk is above its limit"
    return f"{verdict.failing_rows} rows fail, and the suppression limit allows {allowed_rows}"


def require_possible(frequencies: FrequencyTable, policy: Policy) -> None:
    """Every model can hold for some class of this table, or an error says which cannot and why."""
    by_values = {coded.values: coded for coded in frequencies.values}
    for model in policy.models:
        reason = model.impossible(by_values[model.values].distinct) if model.values is not None else None
        if reason is not None:
            raise RequestError(f"no release can have {model.in_words()}: {reason}; nothing was published")


def still_holds(workspace: Workspace, frequencies: FrequencyTable, solution: Solution, policy: Policy) -> Solution | None:
    """The solution with its verdict on other counts, if it satisfies the policy there too."""
    if any(level > height for level, height in zip(solution.node, frequencies.lattice.heights, strict=True)):
        return None
    allowed = policy.suppression.allowed_rows(frequencies.rows)
    evaluator = NodeEvaluator(workspace, frequencies, policy.models, goal_of(frequencies, policy), allowed_rows=allowed)
    (verdict,) = evaluator.verdicts([solution.node])
    evaluator.forget()
    return replace(solution, verdict=verdict) if verdict.is_within(allowed) else None
