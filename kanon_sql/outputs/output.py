"""The base class of output kinds: how a generalized quasi-identifier is published."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from kanon_sql.tables import Column


class Output:
    """One kind of output. A kind is one file and one line in `OUTPUTS`; it has no state."""

    name: ClassVar[str]  # as a policy writes it
    needs_regions: ClassVar[bool] = False  # only algorithms that publish regions, not levels, have it
    needs_mean: ClassVar[bool] = False  # it needs the mean of each region's values
    has_bounds: ClassVar[bool] = False  # two columns replace the source's column on every level
    # The columns of a region's label table that are published, and their names in the recoding.
    cells: ClassVar[tuple[tuple[str, str], ...]] = (("label", "label"),)
    expression: ClassVar[str] = "labels/regions/outputs/labels.sql"  # what is published for a range of numbers or dates

    def problem(self, column: Column) -> str | None:
        """Return why a column cannot be published like this and what to do, or None."""
        del column
        return None

    def for_regions(self, column: Column, *, has_hierarchy: bool) -> Output:
        """Return the output of a column whose policy asks for this one, if regions are published."""
        del column, has_hierarchy
        return self

    def published_names(self, name: str) -> tuple[str, ...]:
        """Return the names of the columns of the release that hold a column."""
        return (name,)

    def published_columns(self, column: Column, level: int | None, text_column: Callable[[Column], Column]) -> tuple[Column, ...]:
        """Return the columns of the release that hold a column at a level; None means a region."""
        return (column if level == 0 else text_column(column),)

    def sources(self, level: int | None) -> tuple[str, ...]:
        """Return the names in the recoding of what is published at a level; None means a region."""
        return tuple("value" if level == 0 else name for _, name in self.cells)

    def region_template(self, column: Column) -> str:
        """Return the template of the column's label table for regions."""
        return "labels/regions/ranges" if column.is_numeric else "labels/regions/ancestors"

    def varies_by_region(self, *, cuts: bool) -> bool:
        """Return whether regions with the same first and last value may be published differently."""
        del cuts
        return self.needs_mean
