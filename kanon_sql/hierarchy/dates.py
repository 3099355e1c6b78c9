"""The hierarchy `dates`: dates and timestamps in calendar units."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, field_validator

from kanon_sql.hierarchy.rule import Rule, TemplateCall
from kanon_sql.tables import Column, ColumnKind

MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}
DateUnit = Literal["week", "month", "quarter", "year", "decade", "century"]


class Dates(Rule):
    """Dates in calendar units."""

    key: ClassVar[str] = "dates"
    kinds: ClassVar[tuple[ColumnKind, ...]] = ("date", "timestamp")
    has_bounds: ClassVar[bool] = True
    dates: Annotated[list[DateUnit], Field(min_length=1)]

    @field_validator("dates")
    @classmethod
    def _nest(cls, units: list[DateUnit]) -> list[DateUnit]:
        if units == ["week"]:
            return units
        if "week" in units:
            raise ValueError("a week is not part of one month or year; write [week] alone")
        ranks = [list(MONTHS).index(unit) for unit in units]
        if ranks != sorted(set(ranks)):
            raise ValueError("units must grow, in the order " + ", ".join(MONTHS))
        return units

    @property
    def height(self) -> int:
        return len(self.dates) + 1

    def labels(self, column: Column) -> TemplateCall:
        del column
        return TemplateCall("labels/levels/dates", {"units": self.dates})

    def bounds(self, column: Column, level: int) -> TemplateCall:
        del column
        unit = self.dates[level - 1]
        if unit == "week":
            return TemplateCall("labels/bounds/weeks", {})
        return TemplateCall("labels/bounds/dates", {"unit": unit, "months": MONTHS[unit]})
