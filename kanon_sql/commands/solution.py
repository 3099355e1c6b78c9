"""Finds the solution that a policy asks for, on the counted combinations."""

from __future__ import annotations

from kanon_sql.artifacts import FrequencyTable, Solution
from kanon_sql.evaluate import NodeEvaluator
from kanon_sql.policy import Policy
from kanon_sql.search import search
from kanon_sql.workspace import Workspace


def find_solution(workspace: Workspace, frequencies: FrequencyTable, policy: Policy) -> Solution:
    """What the policy's algorithm chooses."""
    evaluator = NodeEvaluator(workspace, frequencies, policy.models)
    return search(policy.algorithm, frequencies.lattice, evaluator, policy.suppression.allowed_rows(frequencies.rows))


def still_holds(workspace: Workspace, frequencies: FrequencyTable, solution: Solution, policy: Policy) -> Solution | None:
    """The solution with its verdict on other counts, if it satisfies the policy there too."""
    if any(level > height for level, height in zip(solution.node, frequencies.lattice.heights, strict=True)):
        return None
    (verdict,) = NodeEvaluator(workspace, frequencies, policy.models).verdicts([solution.node])
    if verdict.failing_rows > policy.suppression.allowed_rows(frequencies.rows):
        return None
    return Solution(**{**solution.__dict__, "verdict": verdict})
