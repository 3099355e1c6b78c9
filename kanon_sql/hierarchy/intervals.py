"""The hierarchy `intervals`: numbers in half-open intervals of growing width."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, ClassVar

from pydantic import Field, field_validator

from kanon_sql.hierarchy.numbers import NumberLevel, NumberRule, finite, nesting


class Intervals(NumberRule):
    """Numbers in half-open intervals `[lo,hi)` of growing width."""

    key: ClassVar[str] = "intervals"
    intervals: Annotated[list[Decimal], Field(min_length=1)]
    origin: Decimal = Decimal(0)

    @field_validator("intervals")
    @classmethod
    def _nest(cls, widths: list[Decimal]) -> list[Decimal]:
        return nesting(widths, "width")

    @field_validator("origin")
    @classmethod
    def _finite(cls, origin: Decimal) -> Decimal:
        return finite(origin)

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
