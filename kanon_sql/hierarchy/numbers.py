"""Hierarchies of numbers: intervals, explicit edges, rounding, top and bottom codes; bounds are exact decimals."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from kanon_sql.hierarchy.rule import Rule
from kanon_sql.tables import ColumnKind

DIGITS = 38  # that databases reckon with


@dataclass(frozen=True)
class NumberLevel:
    """How one level labels a number; numbers are whole, in units of 1/scale."""

    how: Literal["step", "edges", "round", "value"]
    step: int = 0
    edges: tuple[int, ...] = ()

    @property
    def half(self) -> int:
        """Half a rounding step."""
        return self.step // 2


class NumberRule(Rule):
    """A hierarchy whose labels are reckoned from a number and the policy's own numbers."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("integer", "decimal", "single", "float")
    template: ClassVar[str] = "labels/levels/numbers"

    @property
    @abstractmethod
    def numbers(self) -> list[Decimal]:
        """Every number the labels are made of."""

    @property
    @abstractmethod
    def levels(self) -> list[NumberLevel]:
        """What each level between the value and the root does."""

    @property
    def height(self) -> int:
        return len(self.levels) + 1

    @property
    def decimals(self) -> int:
        """How many decimal places the labels have at most."""
        return max(-int(number.normalize().as_tuple().exponent) for number in (*self.numbers, Decimal(0)))

    @property
    def scale(self) -> int:
        """What bounds are multiplied by to become whole numbers."""
        return int(10**self.decimals)

    def units(self, number: Decimal) -> int:
        """A number of the policy in units of 1/scale."""
        return int(Fraction(number) * self.scale)

    @property
    def largest(self) -> int:
        """The largest number in units of 1/scale."""
        return max(abs(self.units(number)) for number in (*self.numbers, Decimal(1)))


class Intervals(NumberRule):
    """Numbers in half-open intervals `[lo,hi)` of growing width."""

    intervals: Annotated[list[Decimal], Field(min_length=1)]
    origin: Decimal = Decimal(0)

    @field_validator("intervals")
    @classmethod
    def _nest(cls, widths: list[Decimal]) -> list[Decimal]:
        return _nesting(widths, "width")

    @field_validator("origin")
    @classmethod
    def _finite(cls, origin: Decimal) -> Decimal:
        return _finite(origin)

    @property
    def numbers(self) -> list[Decimal]:
        return [*self.intervals, self.origin]

    @property
    def levels(self) -> list[NumberLevel]:
        return [NumberLevel("step", step=self.units(width)) for width in self.intervals]

    @property
    def start(self) -> int:
        """The origin in units of 1/scale."""
        return self.units(self.origin)


class Edges(NumberRule):
    """Numbers in intervals between explicit edges; below the first is `<lo`, from the last on `>=hi`."""

    edges: Annotated[list[list[Decimal]], Field(min_length=1)]

    @field_validator("edges", mode="before")
    @classmethod
    def _one_level(cls, given: object) -> object:
        flat = isinstance(given, list) and given and not any(isinstance(level, Sequence) for level in given)
        return [given] if flat else given

    @field_validator("edges")
    @classmethod
    def _nest(cls, levels: list[list[Decimal]]) -> list[list[Decimal]]:
        for number, level in enumerate(levels, start=1):
            if not level or any(not edge.is_finite() for edge in level) or any(low >= high for low, high in pairwise(level)):
                raise ValueError(f"level {number} must be growing numbers, such as [0, 18, 65]")
            for edge in level:
                _finite(edge)
        for number, (fine, coarse) in enumerate(pairwise(levels), start=2):
            new = set(coarse) - set(fine)
            if new:
                raise ValueError(f"level {number} has {len(new)} edges that level {number - 1} has not; each level keeps some of those")
            if len(coarse) == len(fine):
                raise ValueError(f"level {number} has the same edges as level {number - 1}")
        return levels

    @property
    def numbers(self) -> list[Decimal]:
        return [edge for level in self.edges for edge in level]

    @property
    def levels(self) -> list[NumberLevel]:
        return [NumberLevel("edges", edges=tuple(self.units(edge) for edge in level)) for level in self.edges]


class Round(NumberRule):
    """Numbers rounded to multiples of growing steps, halves away from zero."""

    round: Annotated[list[Decimal], Field(min_length=1)]

    @field_validator("round")
    @classmethod
    def _nest(cls, steps: list[Decimal]) -> list[Decimal]:
        return _nesting(steps, "step")

    @property
    def numbers(self) -> list[Decimal]:
        return self.round

    @property
    def decimals(self) -> int:
        return super().decimals + 1  # so that half a step is a whole number of units

    @property
    def levels(self) -> list[NumberLevel]:
        return [NumberLevel("round", step=self.units(step)) for step in self.round]


class Codes(BaseModel):
    """What lies below and above the values that are shown."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    low: Decimal | None = None
    high: Decimal | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Codes:
        given = [_finite(number) for number in (self.low, self.high) if number is not None]
        if not given or given != sorted(given):
            raise ValueError("needs low, high or both, and low not above high, such as {low: 18, high: 90}")
        return self


class TopBottom(Intervals):
    """Numbers below and above get a code of their own first, and keep it up to the root; intervals may follow for the rest."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("integer", "decimal", "float")
    top_bottom: Codes
    intervals: list[Decimal] = Field(default=[])

    @property
    def numbers(self) -> list[Decimal]:
        return [*super().numbers, *(number for number in (self.top_bottom.low, self.top_bottom.high) if number is not None)]

    @property
    def levels(self) -> list[NumberLevel]:
        return [NumberLevel("value"), *super().levels]

    @property
    def bottom(self) -> int | None:
        """Where the shown values begin, in units of 1/scale."""
        return None if self.top_bottom.low is None else self.units(self.top_bottom.low)

    @property
    def top(self) -> int | None:
        """Where the shown values end, in units of 1/scale."""
        return None if self.top_bottom.high is None else self.units(self.top_bottom.high)


def _finite(number: Decimal) -> Decimal:
    """The number, if bounds can be reckoned with it as whole units."""
    if not number.is_finite():
        raise ValueError("must be a number")
    if number and not (int(number.normalize().as_tuple().exponent) > -DIGITS and number.adjusted() < DIGITS):
        raise ValueError(f"must have fewer than {DIGITS} digits before and after the point")
    return number


def _nesting(widths: list[Decimal], word: str) -> list[Decimal]:
    """Positive numbers, each a multiple of the one before."""
    if any(not width.is_finite() or width <= 0 for width in widths):
        raise ValueError(f"{word}s must be positive numbers")
    for narrow, wide in pairwise(map(_finite, widths)):
        if wide <= narrow or Fraction(wide) % Fraction(narrow):
            raise ValueError(f"each {word} must be a multiple of the one before it, and {wide} is not one of {narrow}")
    return [_finite(width) for width in widths]
