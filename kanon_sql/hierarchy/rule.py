"""What every hierarchy has, and those that need no numbers and no list: suppress, masks, calendar units."""

from __future__ import annotations

from abc import abstractmethod
from itertools import pairwise
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from kanon_sql.tables import ColumnKind

CALENDAR = ("month", "quarter", "year", "decade", "century")
DateUnit = Literal["week", "month", "quarter", "year", "decade", "century"]

GROUPABLE: tuple[ColumnKind, ...] = ("integer", "decimal", "single", "float", "boolean", "date", "timestamp", "text")


class Rule(BaseModel):
    """One way to describe a hierarchy; `kinds` are the columns it fits."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    kinds: ClassVar[tuple[ColumnKind, ...]] = GROUPABLE
    template: ClassVar[str]

    @property
    @abstractmethod
    def height(self) -> int:
        """The number of generalization steps, the root included."""


class Suppress(Rule):
    """The value, then the root."""

    template: ClassVar[str] = "labels/levels/suppress"
    suppress: Literal[True] = True

    @property
    def height(self) -> int:
        return 1


class MaskRule(BaseModel):
    """How many characters are hidden from the right at each level, and by which character."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    char: Annotated[str, Field(min_length=1, max_length=1)] = "*"
    hide: Annotated[list[int], Field(min_length=1)]

    @field_validator("hide")
    @classmethod
    def _grow(cls, hide: list[int]) -> list[int]:
        if hide[0] < 1 or any(more <= less for less, more in pairwise(hide)):
            raise ValueError("must be growing whole numbers from 1, such as [1, 2, 3]")
        return hide


class Mask(Rule):
    """Text whose last characters are hidden step by step."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("text", "integer")
    template: ClassVar[str] = "labels/levels/mask"
    mask: MaskRule

    @property
    def height(self) -> int:
        return len(self.mask.hide) + 1


class Dates(Rule):
    """Dates in calendar units."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("date", "timestamp")
    template: ClassVar[str] = "labels/levels/dates"
    dates: Annotated[list[DateUnit], Field(min_length=1)]

    @field_validator("dates")
    @classmethod
    def _nest(cls, units: list[DateUnit]) -> list[DateUnit]:
        if units == ["week"]:
            return units
        if "week" in units:
            raise ValueError("a week nests in no other unit: write [week] alone")
        ranks = [CALENDAR.index(unit) for unit in units]
        if ranks != sorted(set(ranks)):
            raise ValueError("units must grow: " + ", ".join(CALENDAR))
        return units

    @property
    def height(self) -> int:
        return len(self.dates) + 1
