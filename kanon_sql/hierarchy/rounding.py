"""The hierarchy `round`: numbers rounded to multiples of growing steps."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, ClassVar

from pydantic import Field, field_validator

from kanon_sql.hierarchy.numbers import NumberLevel, NumberRule, nesting


class Round(NumberRule):
    """Numbers rounded to multiples of growing steps, halves away from zero."""

    key: ClassVar[str] = "round"
    round: Annotated[list[Decimal], Field(min_length=1)]

    @field_validator("round")
    @classmethod
    def _nest(cls, steps: list[Decimal]) -> list[Decimal]:
        return nesting(steps, "step")

    @property
    def numbers(self) -> list[Decimal]:
        return self.round

    @property
    def decimals(self) -> int:
        return super().decimals + 1  # half a step is then a whole number of units

    @property
    def levels(self) -> list[NumberLevel]:
        return [NumberLevel("round", step=self.units(step)) for step in self.round]
