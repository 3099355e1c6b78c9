"""Values of the Mondrian algorithm: its rules, axes and rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from kanon_sql.tables import TableName


class Mondrian(BaseModel):
    """Rules for cutting and publishing regions; the first choice of each is the default."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    mode: Literal["strict", "relaxed"] = "strict"
    tie: Literal["first", "last"] = "first"
    width: Literal["data", "region"] = "data"
    bounds: Literal["tight", "cuts"] = "tight"
    keep_if_anonymous: bool = False

    @model_validator(mode="after")
    def _has_cuts(self) -> Self:
        if self.mode == "relaxed" and (self.width, self.bounds) != ("data", "tight"):
            raise ValueError("a relaxed cut runs through a value, so its regions have no cut bounds; remove width: region and bounds: cuts")
        return self

    @property
    def keeps_bounds(self) -> bool:
        """Return whether regions need the bounds of their cuts."""
        return self.width == "region" or self.bounds == "cuts"


@dataclass(frozen=True)
class Dimension:
    """A quasi-identifier that can be cut: its number, its packed key, and the position of its code in that key."""

    number: int
    key: int
    stride: int
    codes: int
    part: str  # of the frequency table: the code times the stride


@dataclass(frozen=True)
class Axes:
    """The dimensions with the positions of their codes, their extents and their weights."""

    dimensions: tuple[Dimension, ...]
    positions: TableName
    extents: TableName
    nullable: frozenset[int]  # the numbers of dimensions in which NULL occurs

    @property
    def keys(self) -> list[list[Dimension]]:
        """Return the dimensions in each packed key."""
        count = max((d.key for d in self.dimensions), default=0)
        return [[d for d in self.dimensions if d.key == key] for key in range(1, count + 1)]


@dataclass(frozen=True)
class Round:
    """One round of cuts: the open regions, the cuts per quasi-identifier, and the sides too small for another cut."""

    open_regions: int
    cuts: dict[int, int]
    small_sides: int
    largest: int  # rows of the largest region that was cut

    @property
    def all_cuts(self) -> int:
        """Return the number of regions that were cut."""
        return sum(self.cuts.values())
