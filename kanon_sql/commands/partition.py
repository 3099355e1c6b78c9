"""From the counted combinations to a partition of them: Mondrian."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kanon_sql.artifacts import BySize, FrequencyTable, NodeCounts, Solution, Verdict
from kanon_sql.artifacts.cut_rules import CutRule, rounds_of
from kanon_sql.errors import NoSolutionError, RequestError
from kanon_sql.labels.levels import goal_of
from kanon_sql.partition import Partition
from kanon_sql.policy import Policy
from kanon_sql.stages.evaluate import CutEvaluator, NodeEvaluator, PlannedCutEvaluator, load_cuts
from kanon_sql.stages.search.mondrian import mondrian
from kanon_sql.workspace import Workspace

GREEDY = "mondrian is greedy: each cut is the best it sees, and none is taken back"


def find_partition(workspace: Workspace, frequencies: FrequencyTable, policy: Policy, *, keeps_cuts: bool = False) -> Solution:
    """The regions that Mondrian cuts the table into, or the table as it is where that is anonymous and to be kept."""
    _require_no_levels(policy)
    before = _judge(workspace, frequencies, policy)
    was_anonymous = before.is_within(0)
    if was_anonymous and policy.mondrian.keep_if_anonymous:
        reason = "the table satisfies the policy as it is, and keep_if_anonymous leaves it so"
        return Solution("mondrian", frequencies.bottom, before, before, NodeCounts(1, 1), optimal=True, optimal_reason=reason)
    statements = len(workspace.record.statements)
    weights = goal_of(frequencies, policy).weights
    cutter = CutEvaluator(workspace, frequencies, policy.models, policy.mondrian, weights, keeps_cuts=keeps_cuts)
    cutting = mondrian(cutter, _tell_rounds(workspace))
    partition = Partition(
        table=cutter.finish(),
        bounds=cutter.region_bounds,
        rules=policy.mondrian,
        rounds=cutting.rounds,
        regions=cutting.regions,
        cuts=tuple(cutting.cuts.get(column.number, 0) for column in frequencies.columns),
        statements=len(workspace.record.statements) - statements,
        was_anonymous=was_anonymous,
        kept=cutter.kept,
    )
    ((smallest,),) = workspace.fetch("evaluate/cuts/smallest_region", regions=partition.table) if keeps_cuts else ((None,),)
    verdict = Verdict((), cutting.regions, smallest or 0, 0, 0, 0, smallest)
    nodes = NodeCounts(0, 0)
    by_size = BySize(compared=False, reason="the table would have to be cut twice") if policy.models.has_more_than_sizes else None
    return Solution("mondrian", (), verdict, before, nodes, optimal=False, optimal_reason=GREEDY, partition=partition, by_size=by_size)


def apply_cuts(workspace: Workspace, frequencies: FrequencyTable, policy: Policy, cuts: Sequence[CutRule]) -> Solution:
    """The regions of a plan with today's rows, published by the bounds of their cuts; recode judges them."""
    _require_no_levels(policy)
    before = _judge(workspace, frequencies, policy)
    statements = len(workspace.record.statements)
    rules = policy.mondrian.model_copy(update={"bounds": "cuts", "width": "data"})
    planned = load_cuts(workspace, frequencies, cuts)
    cutter = PlannedCutEvaluator(workspace, frequencies, policy.models, rules, planned)
    depth = max((cut.round for cut in rounds_of(cuts)), default=0)
    cutting = mondrian(cutter, _tell_rounds(workspace), depth=depth)
    partition = Partition(
        table=cutter.finish(),
        bounds=cutter.region_bounds,
        rules=rules,
        rounds=cutting.rounds,
        regions=cutting.regions,
        cuts=tuple(cutting.cuts.get(column.number, 0) for column in frequencies.columns),
        statements=len(workspace.record.statements) - statements,
        was_anonymous=False,
        planned=True,
    )
    workspace.tables.drop(planned)
    verdict = Verdict((), cutting.regions, 0, 0, 0, 0, None)
    reason = "the cuts are those of the plan"
    return Solution("plan", (), verdict, before, NodeCounts(0, 0), optimal=False, optimal_reason=reason, partition=partition)


def _tell_rounds(workspace: Workspace) -> Callable[[int, int], None]:
    """Return a listener that reports each round's number and open regions."""
    return lambda number, open_regions: workspace.record.report_progress(f"round {number}, {open_regions:,} open regions")


def _require_no_levels(policy: Policy) -> None:
    """Levels mean nothing here; a limit on them would be kept by nobody."""
    limited = [name for name, rule in policy.quasi_identifiers.items() if rule.min_level is not None or rule.max_level is not None]
    if limited:
        raise RequestError(
            f"columns.{limited[0]}: min_level and max_level are for algorithms that choose levels; mondrian cuts regions: leave them out"
        )


def _judge(workspace: Workspace, frequencies: FrequencyTable, policy: Policy) -> Verdict:
    """The verdict on the table as it is; a table that breaks the policy as a whole is refused."""
    evaluator = NodeEvaluator(workspace, frequencies, policy.models)
    before, *rest = evaluator.verdicts(list(dict.fromkeys([frequencies.bottom, frequencies.lattice.heights])))
    whole = rest[0] if rest else before
    evaluator.forget()
    if not whole.is_within(0):
        raise NoSolutionError(
            f"the table breaks the policy as a whole, all {whole.failing_rows} rows as one class; mondrian suppresses nothing, "
            "and nothing was published",
            whole,
        )
    return before
