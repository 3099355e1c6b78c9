"""What the models beside k cost: a search for k alone, on the same counts, while it takes no longer than the search itself."""

from __future__ import annotations

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.artifacts import BySize, FrequencyTable, Solution
from kanon_sql.errors import NoSolutionError
from kanon_sql.labels.levels import goal_of
from kanon_sql.lattice import Lattice
from kanon_sql.policy import Policy
from kanon_sql.stages.evaluate import NodeEvaluator
from kanon_sql.stages.search import search
from kanon_sql.stages.search.clock import Clock
from kanon_sql.workspace import Workspace

LEAST_SECONDS = 5.0  # may always be spent, so that a short search is compared whatever else the machine does


def compare_with_size(
    workspace: Workspace, frequencies: FrequencyTable, policy: Policy, lattice: Lattice, solution: Solution, clock: Clock | None
) -> BySize | None:
    """What k alone would have cost, or why that is not known; none where there is no model beside it.

    The clock is that of the search, none where a table is locked meanwhile.
    """
    rules = policy.models
    if not rules.has_more_than_sizes:
        return None
    if clock is None:
        return BySize(compared=False, reason="that takes a second search, and the table would be locked for it")
    algorithm = ALGORITHMS[solution.algorithm]
    proves = algorithm.solves != "path"
    if proves and not solution.search.optimal:
        return BySize(compared=False, reason="the levels are not proven best, so that others may cost less")
    budget = max(0.0, min(max(clock.spent, LEAST_SECONDS), clock.left))
    comparing = Clock(budget)
    name = "auto" if algorithm.minimizes_cost else algorithm.name  # all that minimize the cost end at the same best node
    allowed = policy.suppression.allowed_rows(frequencies.rows)
    evaluator = NodeEvaluator(workspace, frequencies, rules.sizes_only(), goal_of(frequencies, policy), allowed_rows=allowed)
    try:
        alone = search(name, lattice, evaluator, allowed, time_budget=budget)
    except NoSolutionError:
        return BySize(compared=False, reason="a search for k alone found none in its time", seconds=comparing.spent)
    finally:
        evaluator.forget()
    if proves and not alone.search.optimal:
        return BySize(compared=False, reason=f"a search for k alone was given {budget:.0f} s and did not end", seconds=comparing.spent)
    return BySize(compared=True, reason="", costs=alone.costs, suppressed_rows=alone.verdict.failing_rows, seconds=comparing.spent)
