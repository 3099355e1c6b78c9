"""From the counted combinations to a solution: by search, or by levels that someone named."""

from __future__ import annotations

from collections.abc import Mapping

from kanon_sql.artifacts import FrequencyTable, NodeCounts, Solution, Verdict
from kanon_sql.errors import NoSolutionError, RequestError
from kanon_sql.evaluate import NodeEvaluator, explain_unmet
from kanon_sql.lattice import Lattice
from kanon_sql.levels import goal_of, lattice_of, node_of
from kanon_sql.plan import Plan
from kanon_sql.policy import Policy
from kanon_sql.search import search
from kanon_sql.workspace import Workspace


def find_solution(
    workspace: Workspace,
    frequencies: FrequencyTable,
    policy: Policy,
    levels: Mapping[str, int] | None = None,
    plan: Plan | None = None,
) -> Solution:
    """The node to publish: that of a plan or of given levels, checked on today's table, or the one that the algorithm finds."""
    lattice = lattice_of(frequencies, policy)
    allowed = policy.suppression.allowed_rows(frequencies.rows)
    evaluator = NodeEvaluator(workspace, frequencies, policy.models, goal_of(frequencies, policy), suppresses=allowed > 0)
    if plan is not None and levels is not None:
        raise RequestError("a plan has its levels already; give either a plan or levels")
    if plan is not None:
        return _check_levels(evaluator, frequencies, lattice, plan.levels, allowed, origin="plan")
    if levels is not None:
        return _check_levels(evaluator, frequencies, lattice, levels, allowed, origin="levels")
    try:
        solution = search(policy.algorithm, lattice, evaluator, allowed, time_budget=policy.time_budget)
    except NoSolutionError as unmet:
        if not isinstance(unmet.verdict, Verdict):
            raise
        reason = explain_unmet(workspace, frequencies, lattice, policy.models, allowed, unmet.verdict)
        raise NoSolutionError(f"{reason}. Nothing was published", unmet.verdict) from None
    evaluator.forget()
    return solution


def require_enough_rows(frequencies: FrequencyTable, policy: Policy) -> None:
    """A table with fewer rows than k has no release."""
    k = policy.privacy.k
    if frequencies.rows < k:
        raise RequestError(f"table {policy.table} has {frequencies.rows} rows, fewer than k = {k}; no release of it can be {k}-anonymous")


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
    before, *rest = evaluator.verdicts(list(dict.fromkeys([frequencies.bottom, node])))
    verdict = rest[0] if rest else before
    if verdict.failing_rows > allowed_rows:
        said = "the plan does not hold on today's table" if origin == "plan" else "the levels that were given do not meet the policy"
        raise NoSolutionError(
            f"{said}: {verdict.failing_rows} rows fail, and the suppression limit allows {allowed_rows}; nothing was published", verdict
        )
    return Solution(
        algorithm=origin,
        node=node,
        verdict=verdict,
        before=before,
        nodes=NodeCounts(lattice.size, evaluator.checked),
        optimal=False,
        optimal_reason="the levels are those of the plan" if origin == "plan" else "the levels were given, not searched for",
        costs=evaluator.shown(evaluator.costs([verdict])[0]),
    )
