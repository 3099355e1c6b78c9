"""Rounds of cuts: every open region is cut at once, in a constant number of statements, from the frequency table alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.artifacts import FrequencyTable
from kanon_sql.axes import make_axes
from kanon_sql.models import Model
from kanon_sql.partition import Mondrian, Round
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


class CutEvaluator:
    """Cuts regions of combinations in two until no cut is allowed, and gathers those that are done."""

    def __init__(
        self, workspace: Workspace, frequencies: FrequencyTable, models: Sequence[Model], rules: Mondrian, weights: Sequence[float]
    ) -> None:
        self._workspace = workspace
        self._models = models
        self._rules = rules
        self._relaxed = rules.mode == "relaxed"
        self._label = None if self._relaxed else frequencies.label
        self._axes = make_axes(workspace, frequencies, weights)
        self._least_rows = 2 * max(model.least_rows for model in models)
        self._open = workspace.create(
            "open_0",
            "evaluate/open_regions",
            frequencies=frequencies.table,
            keys=frequencies.key_parts(frequencies.bottom),
            label=self._label,
            relaxed=self._relaxed,
        )
        self._bounds: TableName | None = None
        if rules.keeps_bounds:
            rows = max(frequencies.rows, self._least_rows)
            self._bounds = workspace.create("bounds_0", "evaluate/first_bounds", extents=self._axes.extents, rows=rows)
        self._round = self._base = self._cuts_before = 0
        self.open_regions = 1 if self._axes.dimensions else 0
        self._regions: TableName | None = None
        self.region_bounds: TableName | None = None

    def cut(self) -> Round:
        """Cuts every open region that can be cut; the others are done."""
        workspace, axes = self._workspace, self._axes
        cuts = workspace.create(
            "cuts",
            "evaluate/cuts",
            regions=self._open,
            dimensions=axes.dimensions,
            positions=axes.positions,
            extents=axes.extents,
            bounds=self._bounds if self._rules.width == "region" else None,
            models=self._models,
            relaxed=self._relaxed,
            last=self._rules.tie == "last",
        )
        workspace.index(cuts, "region")
        found = workspace.fetch("evaluate/counted_cuts", cuts=cuts, least_rows=self._least_rows)
        done = Round(self.open_regions, {dimension: count for dimension, count, _ in found}, sum(small for *_, small in found))
        self._move_on(cuts, done)
        return done

    def finish(self) -> TableName:
        """Every combination with its region; what was made for the rounds is dropped."""
        if self._regions is None:  # nothing to cut: every column has one leaf
            return self._open
        self._workspace.forget(self._open, *([self._bounds] if self._bounds else []), self._axes.positions, self._axes.extents)
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
            "label": self._label,
            "relaxed": self._relaxed,
            "least_rows": self._least_rows,
        }
        if done.all_cuts < done.open_regions or done.small_sides:
            self._regions = self._gather(self._regions, "regions", "evaluate/closed_regions", regions=self._open, **shape, **bases)
        following = workspace.create(f"open_{self._round % 2}", "evaluate/next_regions", regions=self._open, **shape)
        self._inherit_bounds(cuts, bases)
        workspace.forget(self._open, cuts)
        self._open, self._base, self._cuts_before = following, bases["next_base"], done.all_cuts
        self.open_regions = 2 * done.all_cuts - done.small_sides

    def _inherit_bounds(self, cuts: TableName, bases: dict[str, int]) -> None:
        """Each side has its region's bounds, but where it was cut."""
        if self._bounds is None:
            return
        workspace = self._workspace
        following = workspace.create(f"bounds_{self._round % 2}", "evaluate/next_bounds", bounds=self._bounds, cuts=cuts)
        workspace.index(following, "region")
        if self._rules.bounds == "cuts":
            shape = {"bounds": self._bounds, "next_bounds": following, "cuts": cuts, "least_rows": self._least_rows}
            self.region_bounds = self._gather(self.region_bounds, "region_bounds", "evaluate/closed_bounds", **shape, **bases)
        workspace.forget(self._bounds)
        self._bounds = following

    def _gather(self, table: TableName | None, name: str, template: str, **arguments: Any) -> TableName:
        """The table with more rows, made when the first ones come."""
        if table is None:
            return self._workspace.create(name, template, **arguments)
        self._workspace.add(table, template, **arguments)
        return table
