"""From the counted combinations to a solution: by search, or by levels that someone named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from kanon_sql.artifacts import FrequencyTable, NodeCounts, Solution, Verdict
from kanon_sql.commands.partition import find_partition
from kanon_sql.errors import NoSolutionError, RequestError
from kanon_sql.evaluate import NodeEvaluator, explain_unmet
from kanon_sql.lattice import Lattice
from kanon_sql.levels import goal_of, lattice_of, node_of
from kanon_sql.policy import Policy
from kanon_sql.search import search
from kanon_sql.workspace import Workspace


def find_solution(workspace: Workspace, frequencies: FrequencyTable, policy: Policy, levels: Mapping[str, int] | None = None) -> Solution:
    """The node to publish: the one whose levels are given, checked, or the one that the policy's algorithm finds; or Mondrian's regions."""
    if policy.algorithm == "mondrian":
        if levels is not None:
            raise RequestError("levels are for algorithms that choose levels, and mondrian cuts regions; leave out one of both")
        return find_partition(workspace, frequencies, policy)
    lattice = lattice_of(frequencies, policy)
    allowed = policy.suppression.allowed_rows(frequencies.rows)
    evaluator = NodeEvaluator(workspace, frequencies, policy.models, goal_of(frequencies, policy), suppresses=allowed > 0)
    if levels is not None:
        return _check_levels(evaluator, frequencies, lattice, levels, allowed)
    try:
        solution = search(policy.algorithm, lattice, evaluator, allowed, time_budget=policy.time_budget)
    except NoSolutionError as unmet:
        if not isinstance(unmet.verdict, Verdict):
            raise
        reason = explain_unmet(workspace, frequencies, lattice, policy.models, allowed, unmet.verdict)
        raise NoSolutionError(f"{reason}; nothing was published", unmet.verdict) from None
    evaluator.forget()
    return solution


def _check_levels(
    evaluator: NodeEvaluator, frequencies: FrequencyTable, lattice: Lattice, levels: Mapping[str, int], allowed_rows: int
) -> Solution:
    node = node_of(levels, frequencies, lattice)
    before, *rest = evaluator.verdicts(list(dict.fromkeys([frequencies.bottom, node])))
    verdict = rest[0] if rest else before
    if verdict.failing_rows > allowed_rows:
        raise NoSolutionError(
            f"the levels that were given do not meet the policy: {verdict.failing_rows} rows fail, and the suppression limit allows "
            f"{allowed_rows}; nothing was published",
            verdict,
        )
    return Solution(
        algorithm="levels",
        node=node,
        verdict=verdict,
        before=before,
        nodes=NodeCounts(lattice.size, evaluator.checked),
        optimal=False,
        optimal_reason="the levels were given, not searched for",
        costs=evaluator.shown(evaluator.costs([verdict])[0]),
    )


def still_holds(workspace: Workspace, frequencies: FrequencyTable, solution: Solution, policy: Policy) -> Solution | None:
    """The solution with its verdict on other counts, if it satisfies the policy there too."""
    if any(level > height for level, height in zip(solution.node, frequencies.lattice.heights, strict=True)):
        return None
    allowed = policy.suppression.allowed_rows(frequencies.rows)
    evaluator = NodeEvaluator(workspace, frequencies, policy.models, goal_of(frequencies, policy), suppresses=allowed > 0)
    (verdict,) = evaluator.verdicts([solution.node])
    evaluator.forget()
    return None if verdict.failing_rows > allowed else replace(solution, verdict=verdict)
