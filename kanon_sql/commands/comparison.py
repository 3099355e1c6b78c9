"""What the models beside k cost: the same search for k alone, on the same counts, where that is cheap."""

from __future__ import annotations

from kanon_sql.artifacts import BySize, FrequencyTable, Solution
from kanon_sql.errors import NoSolutionError
from kanon_sql.evaluate import NodeEvaluator
from kanon_sql.lattice import Lattice
from kanon_sql.levels import goal_of
from kanon_sql.policy import Policy
from kanon_sql.search import search
from kanon_sql.workspace import Workspace

MOST_NODES = 1_000
MOST_COMBINATIONS = 100_000


def compare_with_size(
    workspace: Workspace, frequencies: FrequencyTable, policy: Policy, lattice: Lattice, solution: Solution
) -> BySize | None:
    """What k alone would have cost; none where there is no model beside it."""
    rules = policy.models
    if not rules.looked_at and rules.average_risk is None:
        return None
    if lattice.size > MOST_NODES or frequencies.combinations > MOST_COMBINATIONS:
        reason = f"that takes a second search, and there are {lattice.size:,} nodes and {frequencies.combinations:,} combinations"
        return BySize(compared=False, reason=reason)
    allowed = policy.suppression.allowed_rows(frequencies.rows)
    evaluator = NodeEvaluator(workspace, frequencies, rules.sizes_only(), goal_of(frequencies, policy), allowed_rows=allowed)
    try:
        alone = search(solution.algorithm, lattice, evaluator, allowed)
    except NoSolutionError:
        return BySize(compared=False, reason="k alone has no solution on these levels, as other models may have with more suppression")
    finally:
        evaluator.forget()
    return BySize(compared=True, reason="", costs=alone.costs, suppressed_rows=alone.verdict.failing_rows)
