"""What the hierarchies of numbers share: levels in exact decimals, their labels and their bounds."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Literal

from kanon_sql.common.spelling import many
from kanon_sql.hierarchy.number_types import decimals_held, range_held
from kanon_sql.hierarchy.rule import Rule, TemplateCall
from kanon_sql.tables import Column, ColumnKind

DIGITS = 38  # that databases compute with


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
    """A hierarchy whose labels are computed from a number and the policy's own numbers."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("integer", "decimal", "single", "float")
    has_bounds: ClassVar[bool] = True

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
    def start(self) -> int:
        """Where intervals begin, in units of 1/scale."""
        return 0

    @property
    def bottom(self) -> int | None:
        """The smallest number that keeps its value at the first level, in units of 1/scale; None means no limit."""
        return None

    @property
    def top(self) -> int | None:
        """The largest number that keeps its value at the first level, in units of 1/scale; None means no limit."""
        return None

    @property
    def decimals(self) -> int:
        """The most decimal places a label has."""
        return self._written_decimals

    @property
    def _written_decimals(self) -> int:
        """The most decimal places a number of the policy has."""
        return max(-int(number.normalize().as_tuple().exponent) for number in (*self.numbers, Decimal(0)))

    @property
    def scale(self) -> int:
        """The factor that makes bounds whole numbers."""
        return int(10**self.decimals)

    def units(self, number: Decimal) -> int:
        """Return a number of the policy in units of 1/scale."""
        return int(Fraction(number) * self.scale)

    @property
    def largest(self) -> int:
        return max(abs(self.units(number)) for number in (*self.numbers, Decimal(1)))

    def labels(self, column: Column) -> TemplateCall:
        arguments = {
            "kind": column.kind,
            "levels": self.levels,
            "rounds": any(level.how == "round" for level in self.levels),
            "top_bottom": self.spells_values,
            "start": self.start,
            "bottom": self.bottom,
            "top": self.top,
            "decimals": self.decimals,
            "scale": self.scale,
        }
        return TemplateCall("labels/levels/numbers", arguments)

    def bounds(self, column: Column, level: int) -> TemplateCall:
        held = decimals_held(column)
        # Half a rounding step, rounded up where the type has fewer decimals.
        half = Decimal(self.levels[level - 1].half) / self.scale
        decimals = self.decimals if held is None else min(held, self.decimals)
        smallest, largest = range_held(column)
        arguments = {
            "how": self.levels[level - 1].how,
            "decimals": decimals,
            "half": math.ceil(half * 10**decimals),
            "half_decimals": decimals,
            "smallest": smallest,
            "largest": largest,
        }
        return TemplateCall("labels/bounds/numbers", arguments)

    def bounds_problem(self, column: Column) -> str | None:
        held = decimals_held(column)
        if held is None or self._written_decimals <= held:
            return None
        return (
            f"its hierarchy has numbers with {many(self._written_decimals, 'decimal place')} and its type {column.type_name} holds {held}, "
            "so the bounds do not fit that type; use rounder numbers, or write output: labels"
        )


def finite(number: Decimal) -> Decimal:
    """Return the number, or raise if it has too many digits to compute bounds with."""
    if not number.is_finite():
        raise ValueError("must be a number")
    if number and not (int(number.normalize().as_tuple().exponent) > -DIGITS and number.adjusted() < DIGITS):
        raise ValueError(f"must have fewer than {DIGITS} digits before and after the decimal point")
    return number


def nesting(widths: list[Decimal], word: str) -> list[Decimal]:
    """Return the numbers, or raise unless each is positive and a multiple of the one before."""
    if any(not width.is_finite() or width <= 0 for width in widths):
        raise ValueError(f"{word}s must be positive numbers")
    for narrow, wide in pairwise(map(finite, widths)):
        if wide <= narrow or Fraction(wide) % Fraction(narrow):
            raise ValueError(f"each {word} must be a multiple of the one before it; {wide} is not a multiple of {narrow}")
    return [finite(width) for width in widths]
