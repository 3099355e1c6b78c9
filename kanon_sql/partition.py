"""Mondrian as values: its rules, the regions it ends with, and how regions are published."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from kanon_sql.tables import TableName


class Mondrian(BaseModel):
    """How regions are cut and published; the first choice of each is the default."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    mode: Literal["strict", "relaxed"] = "strict"
    tie: Literal["first", "last"] = "first"
    width: Literal["data", "region"] = "data"
    bounds: Literal["tight", "cuts"] = "tight"
    keep_if_anonymous: bool = False

    @model_validator(mode="after")
    def _has_cuts(self) -> Self:
        if self.mode == "relaxed" and (self.width, self.bounds) != ("data", "tight"):
            raise ValueError("a relaxed cut runs through a value, so there are no cut bounds: leave out width: region and bounds: cuts")
        return self

    @property
    def keeps_bounds(self) -> bool:
        """Whether the bounds that regions inherit from cuts are needed."""
        return self.width == "region" or self.bounds == "cuts"


@dataclass(frozen=True)
class Dimension:
    """A quasi-identifier that can be cut: its number, and where its code stands in which packed key."""

    number: int
    key: int
    stride: int
    codes: int
    part: str  # of the frequency table: the code times the stride


@dataclass(frozen=True)
class Axes:
    """Where codes stand: every dimension's positions, extents and weights."""

    dimensions: tuple[Dimension, ...]
    positions: TableName
    extents: TableName
    nullable: frozenset[int]  # the numbers of dimensions in which NULL occurs

    @property
    def keys(self) -> list[list[Dimension]]:
        """The dimensions in each packed key."""
        count = max((d.key for d in self.dimensions), default=0)
        return [[d for d in self.dimensions if d.key == key] for key in range(1, count + 1)]


@dataclass(frozen=True)
class Round:
    """One round of cuts: regions that were open, cuts per quasi-identifier, sides too small to be cut again."""

    open_regions: int
    cuts: dict[int, int]
    small_sides: int
    largest: int  # rows of the largest region that was cut

    @property
    def all_cuts(self) -> int:
        """The regions that were cut."""
        return sum(self.cuts.values())


@dataclass(frozen=True)
class Partition:
    """The regions a table was cut into, and how it came to them."""

    table: TableName  # every combination with its region
    bounds: TableName | None  # every region's bounds inherited from cuts
    rules: Mondrian
    rounds: int
    regions: int
    cuts: tuple[int, ...]  # per quasi-identifier
    statements: int
    was_anonymous: bool
    kept: TableName | None = None  # the cuts of all rounds, where a plan is to be made of them
    planned: bool = False  # the cuts are those of a plan

    def told(self) -> Partition:
        """The same without the names of tables that are gone with the run."""
        return replace(self, table=TableName(("regions",)), bounds=None, kept=None)


@dataclass(frozen=True)
class RegionLabels:
    """One quasi-identifier's published cells, by span of codes: labels or bounds, and what a cell loses."""

    number: int
    table: TableName
    published: tuple[tuple[str, str], ...]  # columns of the table, and what they are called in the recoding


@dataclass(frozen=True)
class RegionCells:
    """Which combination is in which class, and the cells of each quasi-identifier."""

    assignments: TableName
    regions: TableName  # with what each spans, also where regions published alike are one class
    keys: int
    labels: tuple[RegionLabels, ...]
    splits_combinations: bool
