"""Create the recoding of a solution: its classes with their labels, and whether each is suppressed."""

from __future__ import annotations

from kanon_sql.artifacts import Assignment, FrequencyTable, NodeAssignment, Recoding, Solution, TableAssignment
from kanon_sql.errors import KanonError, NoSolutionError
from kanon_sql.judge.arguments import numbered_measures
from kanon_sql.models import Rules
from kanon_sql.stages.recode.node import recode_node
from kanon_sql.stages.recode.recoded import RecodedClasses
from kanon_sql.stages.recode.table import recode_table
from kanon_sql.workspace import Workspace


def recode(workspace: Workspace, frequencies: FrequencyTable, solution: Solution, rules: Rules) -> Recoding:
    """Return the classes of the solution with their totals; raise an error if these differ from the solution's."""
    made = _classes(workspace, frequencies, solution.assignment, rules)
    frequencies = made.frequencies
    measures, counted = numbered_measures(rules), "persons" if frequencies.counts_persons else "class_size"
    shape = {"classes": made.table, "counted": counted, "measures": measures}
    count, published, suppressed, unlabelled, smallest, *worst = workspace.fetch_one("recode/totals", **shape)
    expected = solution.verdict.failing_rows
    if made.merges_groups and suppressed > expected and published + suppressed == frequencies.rows:
        raise NoSolutionError(_violation(solution, suppressed, expected))
    if unlabelled or (published + suppressed, suppressed) != (frequencies.rows, expected):
        raise KanonError(
            f"recoding {frequencies.rows} rows resulted in {published} published rows, {suppressed} suppressed rows and "
            f"{unlabelled} classes without a label; nothing was published"
        )
    return Recoding(made.table, frequencies, made.assignment, count, published, suppressed, smallest, tuple(worst))


def _classes(workspace: Workspace, frequencies: FrequencyTable, assignment: Assignment, rules: Rules) -> RecodedClasses:
    match assignment:
        case NodeAssignment(node):
            return recode_node(workspace, frequencies, node, rules)
        case TableAssignment():
            return recode_table(workspace, frequencies, assignment, rules)
    raise AssertionError(f"an assignment is a rule or a table, not {type(assignment).__name__}")


def _violation(solution: Solution, rows: int, expected: int) -> str:
    """Return why classes that were merged because of equal labels cannot be published."""
    allowed = f"and {solution.algorithm} suppresses {expected or 'nothing'}"
    if solution.search.planned:
        return (
            f"the plan does not satisfy the policy with the current rows: {rows} rows are in classes that violate the policy, and a plan "
            "suppresses nothing. Nothing was published. Solve again and review the new plan"
        )
    return (
        f"{solution.search.found} with equal labels are one class, and {rows} rows are in such classes that violate the policy, "
        f"{allowed}; nothing was published"
    )
