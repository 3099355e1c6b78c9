"""Find a solution for the counted combinations: by search, from a plan, or from levels that the user sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.artifacts import FrequencyTable, LatticeSearch, NodeAssignment, NodeCounts, SearchTask, Solution, Verdict
from kanon_sql.commands.comparison import compare_with_size
from kanon_sql.commands.options import DEFAULT_OPTIONS, RunOptions
from kanon_sql.errors import NoSolutionError, RequestError
from kanon_sql.labels.levels import goal_of, lattice_of, node_of
from kanon_sql.lattice import Lattice
from kanon_sql.policy import Policy
from kanon_sql.stages.evaluate import NodeEvaluator, explain_unmet
from kanon_sql.stages.search import search
from kanon_sql.stages.search.clock import Clock
from kanon_sql.workspace import Workspace


def find_solution(workspace: Workspace, frequencies: FrequencyTable, policy: Policy, options: RunOptions = DEFAULT_OPTIONS) -> Solution:
    """Return the solution of the algorithm, of the plan, or of the given levels, checked with the current rows."""
    require_possible(frequencies, policy)
    find = _find_node if ALGORITHMS[policy.algorithm].chooses_levels else _find_classes
    solution = find(workspace, frequencies, policy, options)
    return replace(solution, combinations=frequencies.combinations, person_combinations=frequencies.person_combinations)


def _find_classes(workspace: Workspace, frequencies: FrequencyTable, policy: Policy, options: RunOptions) -> Solution:
    """Return the assignment of an algorithm that assigns combinations to classes by a table."""
    algorithm = ALGORITHMS[policy.algorithm]
    task = SearchTask(frequencies, policy, options.plan.cuts if options.plan else None, options.keeps_cuts)
    solution: Solution = algorithm.load_solver()(task, algorithm.load_evaluator()(workspace, task))
    allowed = 0 if algorithm.suppresses == "nothing" else task.allowed_rows
    if not solution.verdict.is_within(allowed):
        raise NoSolutionError(f"{policy.algorithm} found no classes: {_shortfall(solution.verdict, allowed)}; nothing was published")
    return solution


def _find_node(workspace: Workspace, frequencies: FrequencyTable, policy: Policy, options: RunOptions) -> Solution:
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
    """Return the duration of the stages before the search, each when it was last run."""
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
    nodes = list(dict.fromkeys([frequencies.bottom, node]))
    before, *rest = evaluator.verdicts(nodes, exact=True)
    verdict = rest[0] if rest else before
    if not verdict.is_within(allowed_rows):
        problem = f"the {'plan does' if origin == 'plan' else 'given levels do'} not satisfy the policy with the current rows"
        raise NoSolutionError(f"{problem}: {_shortfall(verdict, allowed_rows)}; nothing was published", verdict)
    search = LatticeSearch(
        optimal=False,
        optimal_reason="the levels are those of the plan" if origin == "plan" else "the levels were given, not searched for",
        planned=origin == "plan",
        nodes=NodeCounts(lattice.size, sum(one in lattice for one in nodes)),
    )
    return Solution(origin, NodeAssignment(node), verdict, before, search, evaluator.shown(evaluator.costs([verdict])[0]))


def _shortfall(verdict: Verdict, allowed_rows: int) -> str:
    if verdict.failing_rows <= allowed_rows:
        return "the average risk is above its limit"
    fail = "1 row fails" if verdict.failing_rows == 1 else f"{verdict.failing_rows} rows fail"
    return f"{fail}, and the suppression limit allows {allowed_rows}"


def require_possible(frequencies: FrequencyTable, policy: Policy) -> None:
    """Raise an error if no class of this table can satisfy a model."""
    by_values = {coded.values: coded for coded in frequencies.values}
    for model in policy.models:
        reason = model.impossible(by_values[model.values].distinct) if model.values is not None else None
        if reason is not None:
            raise RequestError(f"no release can have {model.in_words()}: {reason}; nothing was published")


def still_holds(workspace: Workspace, frequencies: FrequencyTable, solution: Solution, policy: Policy) -> Solution | None:
    """Return the solution with its verdict on other counts, or None if it violates the policy there."""
    node = solution.assignment.levels
    if any(level > height for level, height in zip(node, frequencies.lattice.heights, strict=True)):
        return None
    allowed = policy.suppression.allowed_rows(frequencies.rows)
    evaluator = NodeEvaluator(workspace, frequencies, policy.models, goal_of(frequencies, policy), allowed_rows=allowed)
    (verdict,) = evaluator.verdicts([node], exact=True)
    evaluator.forget()
    return replace(solution, verdict=verdict) if verdict.is_within(allowed) else None
