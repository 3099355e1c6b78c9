"""What every engine must do to replace a table's rows under the table's own name."""

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
    """Whether the original rows were erased from where the engine left them, and what remains."""

    done: bool
    remaining: tuple[str, ...] = ()
    expected: bool = False  # nothing failed: this connection cannot erase what remains, or was told not to


class Protocol(ABC):
    """One engine's way: claim, lock, stage, write, finish, commit, settle, scrub; undo and settle also after a crash."""

    not_ours: ClassVar[tuple[str, ...]]
    needs_undo: ClassVar[bool] = False  # what was done before the commit outlives a crash
    makes_tables_under_lock: ClassVar[bool] = True
    reads_once_under_lock: ClassVar[bool] = False  # a statement may mention the locked table once, by its own name
    appends_columns: ClassVar[bool] = False  # a new column can only stand last

    def __init__(self, workspace: Workspace, table: TableName) -> None:
        self._workspace = workspace
        self.table = table

    @abstractmethod
    def lock(self, ours: Sequence[TableName], *, begin: bool = True) -> None:
        """Keeps writers out, in a new transaction or the present one; `ours` are the lasting tables the run writes to besides."""

    @abstractmethod
    def dependents(self) -> list[DependentObject]:
        """Everything that belongs to the table or reads it, nearest first."""

    @abstractmethod
    def stage(self, change: Change, columns: Sequence[Column], select: str) -> TableName:
        """The staged table with these columns, filled by a query."""

    def prepare(self, change: Change) -> tuple[list[str], list[str]]:  # noqa: ARG002 (most engines need none)
        """Statements that undo what `write` does before the commit, and that finish it afterwards."""
        return [], []

    @abstractmethod
    def write(self, staged: TableName, change: Change) -> None:
        """Puts the staged rows in place of the table's own; visible to others at commit."""

    def finish(self, change: Change) -> None:  # noqa: B027 (most engines have nothing to add)
        """Brings back what `write` took away, once the table has been verified."""

    def settle(self, statements: Sequence[str]) -> None:
        """What can only be done after the commit, and letting everyone in again; harmless when it was done before."""
        for statement in statements:
            self._workspace.define("workspace/ddl/as_written", statement=statement)

    def undo(self, statements: Sequence[str]) -> None:
        """Takes back what outlived a crash before the commit."""
        self.settle(statements)

    @abstractmethod
    def scrub(self) -> Scrub:
        """Erases the original rows from free space, logs and statistics, as far as they are ours."""

    def label_column(self, column: Column) -> Column:
        """The column that holds labels in place of this one's values: as it is declared where that takes any text."""
        backend = self._workspace.backend
        if column.kind == "text" and backend.types.holds_labels(column.type):
            return column
        return Column(column.name, backend.text_type, "text")
