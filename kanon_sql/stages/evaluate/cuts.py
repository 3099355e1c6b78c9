"""Rounds of cuts: each cuts every open region in a constant number of statements, from the frequency table alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.artifacts import FrequencyTable
from kanon_sql.judge.arguments import model_arguments
from kanon_sql.labels.axes import make_axes
from kanon_sql.models import Rules
from kanon_sql.partition import Mondrian, Round
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

# From this many combinations on, counting along the widest dimensions of each region, one after the other, is faster than counting
# along all of them. All are counted only for regions where no attempt finds a cut.
MANY_COMBINATIONS = 500_000
ATTEMPTS = 2
# For this many dimensions, a first statement finds regions in which most rows have the highest code, so no cut is possible.
TOP_COUNT = 2
CLUSTERED = 4  # rounds after which combinations are stored by region again, if there are many regions
MANY_REGIONS = 100


class CutEvaluator:
    """Cuts regions of combinations in two until no cut is allowed, and gathers the regions that are done."""

    def __init__(
        self,
        workspace: Workspace,
        frequencies: FrequencyTable,
        privacy: Rules,
        rules: Mondrian,
        weights: Sequence[float],
        *,
        keeps_cuts: bool = False,
        least_rows: int | None = None,
    ) -> None:
        self._workspace = workspace
        self._rules = rules
        self._models = model_arguments(privacy, frequencies.values, persons=frequencies.counts_persons)
        self._relaxed = rules.mode == "relaxed"
        self._codes = frequencies.code_names
        self._widest_first = frequencies.combinations >= MANY_COMBINATIONS
        self._few_repeats = self._widest_first and not self._relaxed and frequencies.rows <= 2 * frequencies.combinations
        self._axes = make_axes(workspace, frequencies, weights)
        self._side_rows = privacy.sufficient_rows
        self._least_side = max(privacy.least_rows, privacy.sufficient_rows)
        self._least_rows = 2 * self._least_side if least_rows is None else least_rows
        # A side with fewer rows is done at once. Of many combinations, removing a few costs more than counting them once more.
        self._least_open = 0 if self._widest_first else self._least_rows
        self._keeps_cuts = keeps_cuts
        self.kept: TableName | None = None
        self._open = self._open_first(frequencies)
        self._bounds: TableName | None = None
        if rules.keeps_bounds:
            rows = max(frequencies.rows, self._least_rows)
            self._bounds = workspace.tables.create("bounds_0", "evaluate/cuts/first_bounds", extents=self._axes.extents, rows=rows)
        self._round = self._base = self._cuts_before = 0
        self.open_regions = 1 if self._axes.dimensions else 0
        self._regions: TableName | None = None
        self.region_bounds: TableName | None = None

    def cut(self) -> Round:
        """Cut every open region that can be cut; the others are done."""
        cuts = self._choose()
        self._workspace.tables.index(cuts, "region")
        if self._keeps_cuts:
            self.kept = self._gather(self.kept, "kept_cuts", "evaluate/cuts/kept_cuts", cuts=cuts, round=self._round + 1)
        found = self._workspace.fetch("evaluate/cuts/counted_cuts", cuts=cuts, least_rows=self._least_open)
        done = Round(
            self.open_regions,
            {dimension: count for dimension, count, *_ in found},
            sum(small for _, _, small, _ in found),
            max((largest for *_, largest in found), default=0),
        )
        self._move_on(cuts, done)
        return done

    def finish(self) -> TableName:
        """Return every combination with its region, and drop the tables of the rounds."""
        if self._regions is None:  # nothing to cut: every column has one leaf
            return self._open
        self._workspace.tables.drop(self._open, *([self._bounds] if self._bounds else []), self._axes.positions, self._axes.extents)
        return self._regions

    def _open_first(self, frequencies: FrequencyTable) -> TableName:
        """Return all combinations as one open region."""
        return self._workspace.tables.create(
            "open_0",
            "evaluate/cuts/open_regions",
            frequencies=frequencies.combined or frequencies.table,
            dimensions=self._axes.dimensions,
            codes=self._codes,
            relaxed=self._relaxed,
            few_repeats=self._few_repeats,
        )

    def _choose(self) -> TableName:
        """Return the cut of each open region."""
        workspace, arguments = self._workspace, self._cut_arguments()
        if not self._widest_first:
            return workspace.tables.create("cuts", "evaluate/cuts/cuts", regions=self._open, known_cuts=[], **arguments)
        known, stuck = self._attempt()
        cuts = workspace.tables.create("cuts", "evaluate/cuts/cuts", regions=stuck, known_cuts=known, **arguments)
        workspace.tables.drop(*known, stuck)
        return cuts

    def _cut_arguments(self) -> dict[str, Any]:
        """Return the arguments of the templates that choose cuts."""
        axes = self._axes
        allowed = "allowed_by_size" if self._models.needs_only_sizes else "allowed_by_models"
        return {
            **self._models.for_values("evaluate/cuts/candidate_values.sql", key_count=3),
            "dimensions": axes.dimensions,
            "nullable": axes.nullable,
            "positions": axes.positions,
            "extents": axes.extents,
            "bounds": self._bounds if self._rules.width == "region" else None,
            "codes": self._codes,
            "relaxed": self._relaxed,
            "few_repeats": self._few_repeats,
            "side_rows": self._side_rows,
            "least_side": self._least_side,
            "last": self._rules.tie == "last",
            "allowed": allowed,
            "allowed_template": f"evaluate/cuts/{allowed}.sql",
            "candidate_sides_template": f"evaluate/cuts/candidate_sides/{self._rules.mode}.sql",
        }

    def _attempt(self) -> tuple[list[TableName], TableName]:
        """Cut along each region's widest dimension or the next ones; also return the combinations of regions that none of them cuts."""
        workspace, dimensions = self._workspace, self._axes.dimensions
        attempts = min(ATTEMPTS, len(dimensions) - 1)
        tops = 0 if self._relaxed or self.open_regions < MANY_REGIONS else min(TOP_COUNT, len(dimensions))
        choice_count = min(attempts + tops + 1, len(dimensions))
        arguments = {**self._cut_arguments(), "regions": self._open}
        counts = {"least_rows": self._least_rows, "choice_count": choice_count, "top_count": tops}
        choices = workspace.tables.create("choices_0", "evaluate/cuts/choices", **arguments, **counts)
        if tops:
            choices = self._leave_out_heavy(choices, choice_count, tops)
        known = []
        for choice in range(1, attempts + 1):
            workspace.tables.index(choices, "region")
            cuts = workspace.tables.create(f"cuts_{choice}", "evaluate/cuts/chosen_cuts", choices=choices, choice=choice, **arguments)
            workspace.tables.index(cuts, "region")
            known.append(cuts)
            following = workspace.tables.create(f"choices_{choice}", "evaluate/cuts/next_choices", choices=choices, cuts=cuts)
            workspace.tables.drop(choices)
            choices = following
        stuck = workspace.tables.create("stuck", "evaluate/cuts/stuck_regions", regions=self._open, choices=choices, choice=attempts + 1)
        workspace.tables.drop(choices)
        return known, stuck

    def _leave_out_heavy(self, choices: TableName, choice_count: int, tops: int) -> TableName:
        """Return the choices without dimensions along which the median is the region's highest code."""
        workspace = self._workspace
        workspace.tables.index(choices, "region")
        counted = workspace.tables.create(
            "top_rows",
            "evaluate/cuts/top_rows",
            regions=self._open,
            dimensions=self._axes.dimensions,
            choices=choices,
            top_count=tops,
            few_repeats=self._few_repeats,
        )
        workspace.tables.index(counted, "region")
        counts = {"choice_count": choice_count, "top_count": tops}
        light = workspace.tables.create("choices_light", "evaluate/cuts/light_choices", choices=choices, top_rows=counted, **counts)
        workspace.tables.drop(choices, counted)
        return light

    def _move_on(self, cuts: TableName, done: Round) -> None:
        """Gather regions without a cut and sides too small to be cut; the other sides become the open regions."""
        workspace = self._workspace
        # Every round numbers its regions from 0; the bases keep those that are done apart.
        bases = {"base": self._base, "next_base": self._base + 2 * self._cuts_before + 2}
        self._round += 1
        sides = {
            "regions": self._open,
            "cuts": cuts,
            "dimensions": self._axes.dimensions,
            "codes": self._codes,
            "relaxed": self._relaxed,
            "least_rows": self._least_open,
            "sides_template": f"evaluate/cuts/sides/{self._rules.mode}.sql",
        }
        if done.all_cuts < done.open_regions or done.small_sides:
            closed = {"keys": self._axes.keys, "with_uncut": True, **bases}
            self._regions = self._gather(self._regions, "regions", "evaluate/cuts/closed_regions", **sides, **closed)
        clusters = self._widest_first and self.open_regions >= MANY_REGIONS and self._round % CLUSTERED == 0
        following = workspace.tables.create(
            f"open_{self._round % 2}",
            "evaluate/cuts/next_regions",
            **sides,
            with_uncut=False,
            small_sides=done.small_sides > 0,
            clusters=clusters,
        )
        self._inherit_bounds(cuts, bases)
        workspace.tables.drop(self._open, cuts)
        self._open, self._base, self._cuts_before = following, bases["next_base"], done.all_cuts
        self.open_regions = 2 * done.all_cuts - done.small_sides

    def _inherit_bounds(self, cuts: TableName, bases: dict[str, int]) -> None:
        """Give each side the bounds of its region, except where it was cut."""
        if self._bounds is None:
            return
        workspace = self._workspace
        following = workspace.tables.create(f"bounds_{self._round % 2}", "evaluate/cuts/next_bounds", bounds=self._bounds, cuts=cuts)
        workspace.tables.index(following, "region")
        if self._rules.bounds == "cuts":
            closed = {"bounds": self._bounds, "next_bounds": following, "cuts": cuts, "least_rows": self._least_open, **bases}
            self.region_bounds = self._gather(self.region_bounds, "region_bounds", "evaluate/cuts/closed_bounds", **closed)
        workspace.tables.drop(self._bounds)
        self._bounds = following

    def _gather(self, table: TableName | None, name: str, template: str, **arguments: Any) -> TableName:
        """Add rows to a table, which is created with the first ones."""
        if table is None:
            return self._workspace.tables.create(name, template, **arguments)
        self._workspace.tables.add(table, template, **arguments)
        return table
