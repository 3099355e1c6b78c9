"""The protocol by which an engine replaces the rows of a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from kanon_sql.stages.replace.change import Change, DependentObject
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class Scrub:
    """Whether the original rows were erased from free space, logs and statistics, and where some remain."""

    done: bool
    remaining: tuple[str, ...] = ()
    expected: bool = False  # nothing failed: this connection cannot erase the remaining rows, or the policy says not to


class Protocol(ABC):
    """The steps of one engine: lock, stage, write, finish, commit, settle, scrub; undo and settle also run after a crash."""

    not_ours: ClassVar[tuple[str, ...]]
    needs_undo: ClassVar[bool] = False  # the engine keeps changes made before the commit, also after a crash
    makes_tables_under_lock: ClassVar[bool] = True
    reads_once_under_lock: ClassVar[bool] = False  # a statement can mention the locked table only once, and by its own name
    appends_columns: ClassVar[bool] = False  # a new column can only be the last one

    def __init__(self, workspace: Workspace, table: TableName) -> None:
        self._workspace = workspace
        self.table = table

    @abstractmethod
    def lock(self, others: Sequence[TableName], *, begin: bool = True) -> None:
        """Keep writers out, in a new transaction or the current one; `others` are the other permanent tables that the run writes to."""

    @abstractmethod
    def dependents(self) -> list[DependentObject]:
        """Return the objects that depend on the table, nearest first."""

    @abstractmethod
    def stage(self, change: Change, columns: Sequence[Column], select: str) -> TableName:
        """Create the staging table with these columns, filled by a query."""

    def prepare(self, change: Change) -> tuple[list[str], list[str]]:  # noqa: ARG002 (most engines need none)
        """Return the statements that undo a write before its commit, and those that complete it afterwards."""
        return [], []

    @abstractmethod
    def write(self, staged: TableName, change: Change) -> None:
        """Replace the table's rows by the staged ones; other sessions see them after the commit."""

    def finish(self, change: Change) -> None:  # noqa: B027 (most engines have nothing to add)
        """Restore the objects that `write` removed temporarily, after the table is verified."""

    def settle(self, statements: Sequence[str]) -> None:
        """Run the steps after the commit, and unlock the table; safe to repeat."""
        for statement in statements:
            self._workspace.define("workspace/ddl/as_written", statement=statement)

    def undo(self, statements: Sequence[str]) -> None:
        """Undo changes that the engine kept although they were not committed."""
        self.settle(statements)

    @abstractmethod
    def scrub(self) -> Scrub:
        """Erase the original rows from free space, logs and statistics that this connection can reach."""

    def label_column(self, column: Column) -> Column:
        """Return the column that holds labels instead of this one's values: as declared, if its type takes any text."""
        backend = self._workspace.backend
        if column.kind == "text" and backend.types.holds_labels(column.type):
            return column
        return Column(column.name, backend.text_type, "text")
