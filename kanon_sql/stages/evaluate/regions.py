"""Answers the questions of a search by cuts, which ends in regions instead of a node."""

from __future__ import annotations

from kanon_sql.artifacts import SearchTask, Verdict
from kanon_sql.artifacts.cut_rules import CutRule
from kanon_sql.labels.levels import goal_of
from kanon_sql.partition import Mondrian
from kanon_sql.stages.evaluate.cuts import CutEvaluator
from kanon_sql.stages.evaluate.nodes import NodeEvaluator
from kanon_sql.stages.evaluate.planned import PlannedCutEvaluator, load_cuts
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


class RegionEvaluator:
    """Makes what cuts regions, and judges the table before it is cut."""

    def __init__(self, workspace: Workspace, task: SearchTask) -> None:
        self._workspace = workspace
        self._task = task
        self._planned: list[TableName] = []

    @property
    def statements(self) -> int:
        """Return the number of statements so far."""
        return len(self._workspace.record.statements)

    def judge_whole(self) -> tuple[Verdict, Verdict]:
        """Return the verdicts on the table as it is, and on all rows as one class."""
        frequencies = self._task.frequencies
        evaluator = NodeEvaluator(self._workspace, frequencies, self._task.policy.models)
        before, *rest = evaluator.verdicts(list(dict.fromkeys([frequencies.bottom, frequencies.lattice.heights])))
        evaluator.forget()
        return before, rest[0] if rest else before

    def cutter(self, rules: Mondrian) -> CutEvaluator:
        """Return what cuts the combinations by the rules."""
        frequencies, policy = self._task.frequencies, self._task.policy
        weights = goal_of(frequencies, policy).weights
        return CutEvaluator(self._workspace, frequencies, policy.models, rules, weights, keeps_cuts=self._task.keeps_cuts)

    def cutter_again(self, rules: Mondrian, cuts: tuple[CutRule, ...]) -> CutEvaluator:
        """Return what makes the cuts of a plan again."""
        planned = load_cuts(self._workspace, self._task.frequencies, cuts)
        self._planned.append(planned)
        return PlannedCutEvaluator(self._workspace, self._task.frequencies, self._task.policy.models, rules, planned)

    def smallest_region(self, regions: TableName) -> int:
        """Return the rows of the smallest region."""
        (smallest,) = self._workspace.fetch_one("evaluate/cuts/smallest_region", regions=regions)
        return int(smallest)

    def report_round(self, number: int, open_regions: int) -> None:
        """Report the progress of the search."""
        self._workspace.record.report_progress(f"round {number}, {open_regions:,} open regions")

    def forget(self) -> None:
        """Drop the cuts of a plan."""
        self._workspace.tables.drop(*self._planned)
