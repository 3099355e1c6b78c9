"""The output `set`: all values that a region holds."""

from __future__ import annotations

from typing import ClassVar

from kanon_sql.outputs.output import Output
from kanon_sql.tables import Column


class Sets(Output):
    """One text column with a set of values."""

    name: ClassVar[str] = "set"
    needs_regions: ClassVar[bool] = True

    def problem(self, column: Column) -> str | None:
        return "is for text and booleans; write output: labels or bounds" if column.is_numeric else None

    def region_template(self, column: Column) -> str:
        del column
        return "labels/regions/sets"

    def varies_by_region(self, *, cuts: bool) -> bool:
        return not cuts
