"""Mondrian: cut all regions in two at the median of their widest dimension until no cut is allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from kanon_sql.artifacts import (
    BySize,
    CutSearch,
    LatticeSearch,
    NodeAssignment,
    NodeCounts,
    SearchTask,
    Solution,
    SpanLabels,
    TableAssignment,
    Verdict,
)
from kanon_sql.artifacts.cut_rules import CutRule, rounds_of
from kanon_sql.common.countdown import Countdown
from kanon_sql.errors import NoSolutionError, RequestError
from kanon_sql.partition import Mondrian, Round
from kanon_sql.policy import Policy
from kanon_sql.tables import TableName

GREEDY = "mondrian is greedy: it makes the best cut of each region and never reverses one"


class Rounds(Protocol):
    """Cuts regions; one round takes a constant number of statements."""

    open_regions: int

    def cut(self) -> Round:
        """Cut every open region that can be cut; close the others."""


class Cutter(Rounds, Protocol):
    """Cuts regions and collects the closed ones."""

    region_bounds: TableName | None
    kept: TableName | None

    def finish(self) -> TableName:
        """Return every combination with its region."""


class RegionEvaluator(Protocol):
    """Evaluates regions for a search by cuts."""

    @property
    def statements(self) -> int:
        """Return the number of statements so far."""

    def judge_whole(self) -> tuple[Verdict, Verdict]:
        """Return the verdicts on the unchanged table and on all rows as one class."""

    def cutter(self, rules: Mondrian) -> Cutter:
        """Return a cutter of the combinations by the rules."""

    def cutter_again(self, rules: Mondrian, cuts: tuple[CutRule, ...]) -> Cutter:
        """Return a cutter that repeats the cuts of a plan."""

    def smallest_region(self, regions: TableName) -> int:
        """Return the number of rows of the smallest region."""

    def report_round(self, number: int, open_regions: int) -> None:
        """Report the progress of the search."""

    def forget(self) -> None:
        """Drop the tables that only the search needed."""


def cut_regions(task: SearchTask, evaluator: RegionEvaluator) -> Solution:
    """Return the regions that Mondrian cuts, those of a plan, or the unchanged table if the policy keeps anonymous tables."""
    _require_no_levels(task.policy)
    before = _require_possible(*evaluator.judge_whole())
    if task.cuts is not None:
        return _repeat_cuts(task, evaluator, before, task.cuts)
    rules, was_anonymous = task.policy.mondrian, before.is_within(0)
    if was_anonymous and rules.keep_if_anonymous:
        return _keep_unchanged(task, before)
    statements = evaluator.statements
    cutter = evaluator.cutter(rules)
    cutting = mondrian(cutter, evaluator.report_round)
    table = cutter.finish()
    search = CutSearch(
        optimal=False,
        optimal_reason=GREEDY,
        unplannable=_why_no_plan(task, cutting),
        rules=rules,
        rounds=cutting.rounds,
        regions=cutting.regions,
        cuts=_cuts_per_column(task, cutting),
        statements=evaluator.statements - statements,
        was_anonymous=was_anonymous,
        kept=cutter.kept,
    )
    smallest = evaluator.smallest_region(table) if task.keeps_cuts else None
    verdict = Verdict((), cutting.regions, smallest or 0, 0, 0, 0, smallest)
    more_models = task.policy.models.has_more_than_sizes
    by_size = BySize(compared=False, reason="the comparison would cut the table twice") if more_models else None
    return Solution("mondrian", _assignment(table, cutter, rules), verdict, before, search, by_size=by_size)


def _repeat_cuts(task: SearchTask, evaluator: RegionEvaluator, before: Verdict, cuts: tuple[CutRule, ...]) -> Solution:
    """Return the regions of a plan with today's rows, labeled by the bounds of their cuts; recode evaluates them."""
    statements = evaluator.statements
    rules = task.policy.mondrian.model_copy(update={"bounds": "cuts", "width": "data"})
    cutter = evaluator.cutter_again(rules, cuts)
    depth = max((cut.round for cut in rounds_of(cuts)), default=0)
    cutting = mondrian(cutter, evaluator.report_round, depth=depth)
    table = cutter.finish()
    search = CutSearch(
        optimal=False,
        optimal_reason="the plan determines the cuts",
        planned=True,
        rules=rules,
        rounds=cutting.rounds,
        regions=cutting.regions,
        cuts=_cuts_per_column(task, cutting),
        statements=evaluator.statements - statements,
    )
    evaluator.forget()
    verdict = Verdict((), cutting.regions, 0, 0, 0, 0, None)
    return Solution("plan", _assignment(table, cutter, rules), verdict, before, search)


def _keep_unchanged(task: SearchTask, before: Verdict) -> Solution:
    search = LatticeSearch(
        optimal=True,
        optimal_reason="the table already satisfies the policy, and keep_if_anonymous keeps it unchanged",
        unplannable="the table already satisfies the policy and is kept unchanged, so there are no cuts",
        nodes=NodeCounts(1, 1),
    )
    return Solution("mondrian", NodeAssignment(task.frequencies.bottom), before, before, search)


def _assignment(table: TableName, cutter: Cutter, rules: Mondrian) -> TableAssignment:
    return TableAssignment(table, SpanLabels(cutter.region_bounds), splits_combinations=rules.mode == "relaxed", has_codes=True)


def _cuts_per_column(task: SearchTask, cutting: Cutting) -> tuple[int, ...]:
    return tuple(cutting.cuts.get(column.number, 0) for column in task.frequencies.columns)


def _why_no_plan(task: SearchTask, cutting: Cutting) -> str | None:
    """Return why the cuts cannot be a plan, or None if they can."""
    if task.policy.mondrian.mode == "relaxed":
        return "a relaxed cut separates rows with equal values, which no rule can distinguish; write mondrian: {mode: strict}"
    columns = zip(task.frequencies.columns, _cuts_per_column(task, cutting), strict=True)
    hidden = next((c.column.name for c, cuts in columns if cuts and c.quasi_identifier.hierarchy.hides_values), None)
    if hidden is not None:
        return (
            f"{hidden} is cut between values that the release only shows masked, and the plan would reveal them; "
            "list them in its hierarchy (csv, tree, table), or remove the hierarchy"
        )
    return None


def _require_no_levels(policy: Policy) -> None:
    """Raise if the policy limits a level: regions have no levels, so the limit would be ignored."""
    limited = [name for name, rule in policy.quasi_identifiers.items() if rule.min_level is not None or rule.max_level is not None]
    if limited:
        raise RequestError(
            f"columns.{limited[0]}: min_level and max_level need an algorithm that chooses levels, and mondrian cuts regions; remove them"
        )


def _require_possible(before: Verdict, whole: Verdict) -> Verdict:
    """Return the verdict on the unchanged table; raise if the table violates the policy even as one class."""
    if not whole.is_within(0):
        raise NoSolutionError(
            f"the table violates the policy even with all {whole.failing_rows} rows in one class, and mondrian suppresses no rows; "
            "nothing was published",
            whole,
        )
    return before


@dataclass(frozen=True)
class Cutting:
    """The result of cutting a table: rounds, regions at the end, cuts per quasi-identifier."""

    rounds: int
    regions: int
    cuts: dict[int, int]


def mondrian(cutter: Rounds, listener: Callable[[int, int], None], *, depth: int | None = None) -> Cutting:
    """Cut in rounds until no region is open; call the listener with the number and open regions of each round.

    Both sides of a cut have rows, so the largest region that is cut has fewer rows in every round. A cut of a plan may have an empty
    side today, but the number of rounds is at most the depth of the plan.
    """
    rounds, cuts, countdown = 0, Counter[int](), Countdown("mondrian")
    while cutter.open_regions:
        rounds += 1
        listener(rounds, cutter.open_regions)
        done = cutter.cut()
        if done.cuts:
            countdown.require_less(done.largest if depth is None else depth - rounds)
        cuts.update(done.cuts)
    return Cutting(rounds, 1 + cuts.total(), dict(cuts))
