"""The cost of the models in addition to k: a search for k alone on the same counts, limited to the time of the first search."""

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

LEAST_SECONDS = 5.0  # always allowed, so a short search is compared even on a busy machine


def compare_with_size(
    workspace: Workspace, frequencies: FrequencyTable, policy: Policy, lattice: Lattice, solution: Solution, clock: Clock | None
) -> BySize | None:
    """Return the cost of k alone, or why it is not known; None means that there is no other model.

    The clock is that of the search; None means that the table is locked during the comparison.
    """
    rules = policy.models
    if not rules.has_more_than_sizes:
        return None
    if clock is None:
        return BySize(compared=False, reason="the comparison needs a second search, which would keep the table locked")
    algorithm = ALGORITHMS[solution.algorithm]
    proves = algorithm.solves != "path"
    if proves and not solution.search.optimal:
        return BySize(compared=False, reason="the levels are not proven optimal, so others may cost less")
    budget = max(0.0, min(max(clock.spent, LEAST_SECONDS), clock.remaining))
    comparing = Clock(budget)
    name = "auto" if algorithm.minimizes_cost else algorithm.name  # all that minimize the cost find the same best node
    allowed = policy.suppression.allowed_rows(frequencies.rows)
    evaluator = NodeEvaluator(workspace, frequencies, rules.sizes_only(), goal_of(frequencies, policy), allowed_rows=allowed)
    try:
        alone = search(name, lattice, evaluator, allowed, time_budget=budget)
    except NoSolutionError:
        return BySize(compared=False, reason="a search for k alone found no solution in time", seconds=comparing.spent)
    finally:
        evaluator.forget()
    if proves and not alone.search.optimal:
        return BySize(compared=False, reason=f"a search for k alone did not finish within {budget:.0f} s", seconds=comparing.spent)
    return BySize(compared=True, reason="", costs=alone.costs, suppressed_rows=alone.verdict.failing_rows, seconds=comparing.spent)
