"""Rounds of cuts: every open region is cut at once, in a constant number of statements, from the frequency table alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.artifacts import FrequencyTable
from kanon_sql.judge.arguments import judging_of_sides
from kanon_sql.labels.axes import make_axes
from kanon_sql.models import Rules
from kanon_sql.partition import Mondrian, Round
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

# From so many combinations on it pays to count along each region's widest dimensions first, one after the other, and along all of
# them only where so many attempts found no cut.
MANY_COMBINATIONS = 500_000
ATTEMPTS = 2
# Of so many dimensions it is asked first whether most rows have the region's highest code there, so that no cut can be.
TOPS = 2
CLUSTERED = 4  # every so many rounds, combinations are stored by region, if there are many
MANY_REGIONS = 100


class CutEvaluator:
    """Cuts regions of combinations in two until no cut is allowed, and gathers those that are done."""

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
        self._judging = judging_of_sides(privacy, frequencies)
        self._relaxed = rules.mode == "relaxed"
        self._codes = frequencies.code_names
        self._widest_first = frequencies.combinations >= MANY_COMBINATIONS
        self._few_repeats = self._widest_first and not self._relaxed and frequencies.rows <= 2 * frequencies.combinations
        self._axes = make_axes(workspace, frequencies, weights)
        self._least_side = max(privacy.least_rows, privacy.sufficient_rows)
        self._least_rows = 2 * self._least_side if least_rows is None else least_rows
        # A side with fewer rows is done at once; but to leave few rows out of many costs more than to look at them once more.
        self._least_open = 0 if self._widest_first else self._least_rows
        self._keeps_cuts = keeps_cuts
        self.kept: TableName | None = None
        self._open = workspace.tables.create(
            "open_0",
            "evaluate/cuts/open_regions",
            frequencies=frequencies.combined or frequencies.table,
            dimensions=self._axes.dimensions,
            codes=self._codes,
            relaxed=self._relaxed,
            few_repeats=self._few_repeats,
        )
        self._bounds: TableName | None = None
        if rules.keeps_bounds:
            rows = max(frequencies.rows, self._least_rows)
            self._bounds = workspace.tables.create("bounds_0", "evaluate/cuts/first_bounds", extents=self._axes.extents, rows=rows)
        self._round = self._base = self._cuts_before = 0
        self.open_regions = 1 if self._axes.dimensions else 0
        self._regions: TableName | None = None
        self.region_bounds: TableName | None = None

    def cut(self) -> Round:
        """Cuts every open region that can be cut; the others are done."""
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

    def _choose(self) -> TableName:
        """Where each open region is cut."""
        workspace, axes = self._workspace, self._axes
        rules = {
            "dimensions": axes.dimensions,
            "nullable": axes.nullable,
            "positions": axes.positions,
            "extents": axes.extents,
            "bounds": self._bounds if self._rules.width == "region" else None,
            "codes": self._codes,
            **self._judging,
            "relaxed": self._relaxed,
            "few_repeats": self._few_repeats,
            "least_side": self._least_side,
            "last": self._rules.tie == "last",
        }
        if not self._widest_first:
            return workspace.tables.create("cuts", "evaluate/cuts/cuts", regions=self._open, known_cuts=[], **rules)
        known, stuck = self._attempt(rules)
        cuts = workspace.tables.create("cuts", "evaluate/cuts/cuts", regions=stuck, known_cuts=known, **rules)
        workspace.tables.drop(*known, stuck)
        return cuts

    def _attempt(self, rules: dict[str, Any]) -> tuple[list[TableName], TableName]:
        """Cuts along each region's widest dimension, or along the next ones; and the combinations of regions that none of them cuts."""
        workspace, dimensions = self._workspace, self._axes.dimensions
        places = min(ATTEMPTS, len(dimensions) - 1)
        tops = 0 if self._relaxed or self.open_regions < MANY_REGIONS else min(TOPS, len(dimensions))
        listed = min(places + tops + 1, len(dimensions))
        shape = {**rules, "regions": self._open, "least_rows": self._least_rows, "choices": listed, "tops": tops}
        choices = workspace.tables.create("choices_0", "evaluate/cuts/choices", **shape)
        if tops:
            choices = self._leave_out_heavy(choices, listed, tops)
        known = []
        for place in range(1, places + 1):
            workspace.tables.index(choices, "region")
            shape = {**rules, "regions": self._open, "choices": choices, "place": place}
            known.append(workspace.tables.create(f"cuts_{place}", "evaluate/cuts/chosen_cuts", **shape))
            workspace.tables.index(known[-1], "region")
            following = workspace.tables.create(f"choices_{place}", "evaluate/cuts/next_choices", choices=choices, cuts=known[-1])
            workspace.tables.drop(choices)
            choices = following
        stuck = workspace.tables.create("stuck", "evaluate/cuts/stuck_regions", regions=self._open, choices=choices, place=places + 1)
        workspace.tables.drop(choices)
        return known, stuck

    def _leave_out_heavy(self, choices: TableName, listed: int, tops: int) -> TableName:
        """The choices without dimensions along which the median is the region's highest code."""
        workspace = self._workspace
        workspace.tables.index(choices, "region")
        shape = {
            "regions": self._open,
            "dimensions": self._axes.dimensions,
            "choices": choices,
            "tops": tops,
            "few_repeats": self._few_repeats,
        }
        counted = workspace.tables.create("top_rows", "evaluate/cuts/top_rows", **shape)
        workspace.tables.index(counted, "region")
        light = workspace.tables.create(
            "choices_light", "evaluate/cuts/light_choices", choices=choices, listed=listed, top_rows=counted, tops=tops
        )
        workspace.tables.drop(choices, counted)
        return light

    def finish(self) -> TableName:
        """Every combination with its region; what was made for the rounds is dropped."""
        if self._regions is None:  # nothing to cut: every column has one leaf
            return self._open
        self._workspace.tables.drop(self._open, *([self._bounds] if self._bounds else []), self._axes.positions, self._axes.extents)
        return self._regions

    def _move_on(self, cuts: TableName, done: Round) -> None:
        """Regions without a cut and sides too small to be cut are gathered, the other sides become the open regions."""
        workspace = self._workspace
        # Regions are numbered anew in every round; what is added to those that are done keeps them apart.
        bases = {"base": self._base, "next_base": self._base + 2 * self._cuts_before + 2}
        self._round += 1
        shape = {
            "cuts": cuts,
            "dimensions": self._axes.dimensions,
            "keys": self._axes.keys,
            "codes": self._codes,
            "relaxed": self._relaxed,
            "least_rows": self._least_open,
        }
        if done.all_cuts < done.open_regions or done.small_sides:
            self._regions = self._gather(self._regions, "regions", "evaluate/cuts/closed_regions", regions=self._open, **shape, **bases)
        clusters = self._widest_first and self.open_regions >= MANY_REGIONS and self._round % CLUSTERED == 0
        following = workspace.tables.create(
            f"open_{self._round % 2}",
            "evaluate/cuts/next_regions",
            regions=self._open,
            small_sides=done.small_sides > 0,
            clusters=clusters,
            **shape,
        )
        self._inherit_bounds(cuts, bases)
        workspace.tables.drop(self._open, cuts)
        self._open, self._base, self._cuts_before = following, bases["next_base"], done.all_cuts
        self.open_regions = 2 * done.all_cuts - done.small_sides

    def _inherit_bounds(self, cuts: TableName, bases: dict[str, int]) -> None:
        """Each side has its region's bounds, but where it was cut."""
        if self._bounds is None:
            return
        workspace = self._workspace
        following = workspace.tables.create(f"bounds_{self._round % 2}", "evaluate/cuts/next_bounds", bounds=self._bounds, cuts=cuts)
        workspace.tables.index(following, "region")
        if self._rules.bounds == "cuts":
            shape = {"bounds": self._bounds, "next_bounds": following, "cuts": cuts, "least_rows": self._least_open}
            self.region_bounds = self._gather(self.region_bounds, "region_bounds", "evaluate/cuts/closed_bounds", **shape, **bases)
        workspace.tables.drop(self._bounds)
        self._bounds = following

    def _gather(self, table: TableName | None, name: str, template: str, **arguments: Any) -> TableName:
        """The table with more rows, made when the first ones come."""
        if table is None:
            return self._workspace.tables.create(name, template, **arguments)
        self._workspace.tables.add(table, template, **arguments)
        return table
