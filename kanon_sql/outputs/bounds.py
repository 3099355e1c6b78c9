"""The output `bounds`: the smallest and the largest value, in two columns of the source's type."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from kanon_sql.outputs.output import Output
from kanon_sql.tables import Column


def bound_names(name: str) -> tuple[str, str]:
    """Return the two columns that replace one published as bounds."""
    return f"{name}_min", f"{name}_max"


class Bounds(Output):
    """Two columns of the source's type."""

    name: ClassVar[str] = "bounds"
    has_bounds: ClassVar[bool] = True
    cells: ClassVar[tuple[tuple[str, str], ...]] = (("low", "low"), ("high", "high"))
    expression: ClassVar[str] = "labels/regions/outputs/bounds.sql"

    def problem(self, column: Column) -> str | None:
        return None if column.is_numeric else "is for numbers and dates; write output: labels or set"

    def published_names(self, name: str) -> tuple[str, ...]:
        return bound_names(name)

    def published_columns(self, column: Column, level: int | None, text_column: Callable[[Column], Column]) -> tuple[Column, ...]:
        del level, text_column
        return tuple(Column(name, column.type, column.kind) for name in bound_names(column.name))
