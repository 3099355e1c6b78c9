"""Where an engine keeps the tables of a run, and how a staging table gets its final name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kanon_sql.tables import Column, TableName


@dataclass(frozen=True)
class Definition:
    """A statement that creates, changes or drops a table: its template and arguments."""

    template: str
    arguments: dict[str, Any]


Naming = Callable[[TableName, TableName], tuple[Definition, ...]]


def rename(staged: TableName, target: TableName) -> tuple[Definition, ...]:
    """Give the staging table the target's name, in the same schema."""
    return (Definition("workspace/ddl/rename_table", {"table": staged, "to": target}),)


def copy_and_drop(staged: TableName, target: TableName) -> tuple[Definition, ...]:
    """Copy the staging table under the target's name, for engines that cannot rename; indexes and grants are not copied."""
    return (
        Definition("workspace/ddl/copy_table", {"table": target, "source": staged}),
        Definition("workspace/ddl/drop_table_if_exists", {"table": staged}),
    )


@dataclass(frozen=True)
class RunTables:
    """Temporary tables, or ordinary ones that the run drops at its end, in a scratch schema if one is named."""

    are_temporary: bool = True
    schema: tuple[str, ...] = ()  # () means the schema that a name without one refers to
    naming: Naming = rename
    separates_scanned: bool = False  # a temporary table that is only read as a whole has storage of another kind

    def locate(self, name: str) -> TableName:
        """Return the full name of a table of the run."""
        return TableName((*self.schema, name))

    def create(self, table: TableName, columns: Sequence[Column]) -> Definition:
        """Create an empty table."""
        return Definition(f"workspace/ddl/create_{self._kind}", {"table": table, "columns": columns})

    def create_as(self, table: TableName, select: str, *, is_scanned: bool = False) -> Definition:
        """Create a table from a query."""
        kind = "scanned_table" if is_scanned and self.separates_scanned else self._kind
        return Definition(f"workspace/ddl/create_{kind}_as", {"table": table, "select": select})

    def drop(self, tables: Sequence[TableName]) -> Definition:
        """Drop tables if they exist."""
        what = "temporary_tables" if self.are_temporary else "tables_if_exist"
        return Definition(f"workspace/ddl/drop_{what}", {"tables": tables})

    @property
    def _kind(self) -> str:
        return "temporary_table" if self.are_temporary else "table"
