"""The output `midpoint`: one number, halfway between the smallest and the largest value of a region."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from kanon_sql.outputs.output import Output
from kanon_sql.tables import Column


class Midpoint(Output):
    """One column of floating-point numbers."""

    name: ClassVar[str] = "midpoint"
    needs_regions: ClassVar[bool] = True
    cells: ClassVar[tuple[tuple[str, str], ...]] = (("published_value", "value"),)
    expression: ClassVar[str] = "labels/regions/outputs/midpoint.sql"

    def problem(self, column: Column) -> str | None:
        is_number = column.kind in ("integer", "decimal", "single", "float")
        return None if is_number else "is for numbers; write output: labels or bounds"

    def published_columns(self, column: Column, level: int | None, text_column: Callable[[Column], Column]) -> tuple[Column, ...]:
        del text_column
        return (column if level == 0 else Column(column.name, "double precision", "float"),)
