"""The hierarchy `top_bottom`: one label for all numbers below a limit, one for all above another."""

from __future__ import annotations

from decimal import Decimal
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from kanon_sql.hierarchy.intervals import Intervals
from kanon_sql.hierarchy.numbers import NumberLevel, finite
from kanon_sql.tables import ColumnKind


class Codes(BaseModel):
    """The limits below and above which numbers get a common label."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    low: Decimal | None = None
    high: Decimal | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Codes:
        limits = [finite(number) for number in (self.low, self.high) if number is not None]
        if not limits or limits != sorted(limits):
            raise ValueError("needs low, high or both, and low must not be above high, such as {low: 18, high: 90}")
        return self


class TopBottom(Intervals):
    """Numbers below and above the limits get a common label, up to the root; intervals may follow for the rest."""

    key: ClassVar[str] = "top_bottom"
    kinds: ClassVar[tuple[ColumnKind, ...]] = ("integer", "decimal", "float")
    spells_values: ClassVar[bool] = True
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
        return None if self.top_bottom.low is None else self.units(self.top_bottom.low)

    @property
    def top(self) -> int | None:
        return None if self.top_bottom.high is None else self.units(self.top_bottom.high)
