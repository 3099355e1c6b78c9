"""The hierarchy `table`: a table of the same database."""

from __future__ import annotations

from typing import ClassVar, Self

from kanon_sql.hierarchy.listing import Listing
from kanon_sql.hierarchy.rule import RowReader
from kanon_sql.tables import Column


class FromTable(Listing):
    """A hierarchy in a table of the same database, with the columns value, level1, level2 and so on."""

    key: ClassVar[str] = "table"
    unit: ClassVar[str] = "row"
    table: str

    @property
    def where(self) -> str:
        return f"hierarchy table {self.table}"

    def read_table(self, read_rows: RowReader) -> Self:
        return self.with_lines(read_rows(self.table, self.where))

    def describe_uncovered(self, values: str, column: Column) -> str:
        del column
        advice = f"Add the missing values, or map them to the root with {{table: {self.table}, unlisted: root}}"
        return f"table {self.table} does not list {values}. {advice}"
