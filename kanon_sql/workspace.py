"""The one door to the database: one run on one connection, and every table it makes."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from kanon_sql.backends import Backend
from kanon_sql.errors import KanonError
from kanon_sql.statements import PREFIX, Stage, StageListener, Statement, StatementRunner
from kanon_sql.tables import Column, TableName

INDEXED_CHARACTERS = 64

__all__ = ["Stage", "StageListener", "Statement", "Workspace"]


class Workspace(StatementRunner):
    """One run: everything it makes stands in one transaction where the engine has one, and is gone afterwards."""

    def __init__(self, backend: Backend, *, writes: bool, listener: StageListener | None = None) -> None:
        super().__init__(backend, listener)
        self._writes = writes
        self._temporary: list[TableName] = []
        self._lasting: list[TableName] = []

    def __enter__(self) -> Self:
        try:
            self._timed("begin", "begin", lambda: self.backend.begin(writes=self._writes))
        except BaseException:
            self.backend.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self._undo()
        except Exception:
            if error is None:
                raise
        finally:
            self.backend.close()

    def commit(self) -> None:
        """Makes what the run did visible."""
        self._timed("commit", "commit", self.backend.commit)

    def create(self, what: str, template: str, /, **arguments: Any) -> TableName:
        """A temporary table of this run, filled by a template's query."""
        table = self._name(what)
        self.define("ddl/create_temporary_table_as", table=table, select=self.select(template, **arguments))
        if self.backend.needs_statistics:
            self.define("ddl/analyze_table", table=table)
        return table

    def index(self, table: TableName, column: str, *, is_text: bool = False) -> None:
        """Lets joins find rows by a column, on engines that would compare every pair otherwise."""
        if self.backend.needs_indexes:
            self.define("ddl/index_table", table=table, column=column, prefix=INDEXED_CHARACTERS if is_text else 0)

    def load(self, what: str, columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> TableName:
        """A temporary table of this run, filled with rows as bound parameters."""
        table = self._name(what)
        self.define("ddl/create_temporary_table", table=table, columns=columns)
        size = max(1, self.backend.max_parameters // len(columns))
        for start in range(0, len(rows), size):
            chunk = rows[start : start + size]
            parameters = [self.backend.bindable(value) for row in chunk for value in row]
            shape = {"rows": len(chunk), "placeholder": self.backend.placeholder}
            self.define("ddl/insert_rows", parameters, table=table, columns=columns, **shape)
        return table

    def stage_table(self, target: TableName, columns: Sequence[Column], template: str, /, **arguments: Any) -> TableName:
        """The staged table beside the target: these columns, filled by a template's query."""
        staged = self._beside(target, "staged")
        self.define("ddl/create_table", table=staged, columns=columns)
        self.define("ddl/insert_select", table=staged, columns=columns, select=self.select(template, **arguments))
        return staged

    def publish_as(self, staged: TableName, target: TableName, *, replaces: bool) -> None:
        """Gives the staged table the target's name in place of the table that had it: the last thing a run does."""
        self.forget(*self._temporary)
        pairs = [(staged, target)]
        if replaces:
            pairs.insert(0, (target, self._beside(target, "old")))
        for together in [pairs] if self.backend.renames_together else [[pair] for pair in pairs]:
            self.define("ddl/rename_tables", pairs=together)
        self._lasting.remove(staged)
        self._drop_lasting()
        if self.backend.rolls_back_tables:
            self.commit()

    def forget(self, *tables: TableName) -> None:
        """Drops temporary tables that nothing needs any more."""
        for table in tables:
            self.define("ddl/drop_temporary_table", table=table)
            self._temporary.remove(table)

    def _name(self, what: str) -> TableName:
        self._temporary.append(TableName((PREFIX + what,)))
        return self._temporary[-1]

    def _beside(self, target: TableName, what: str) -> TableName:
        self._lasting.append(target.sibling(PREFIX + what))
        return self._lasting[-1]

    def _drop_lasting(self) -> None:
        while self._lasting:
            self.define("ddl/drop_table_if_exists", table=self._lasting[-1])
            self._lasting.pop()

    def _undo(self) -> None:
        """Rolls back; where the engine keeps tables all the same, drops them, on a new connection if this one is lost."""
        self.backend.rollback()
        if self.backend.rolls_back_tables:
            return
        try:
            self.forget(*reversed(self._temporary))
            self._drop_lasting()
        except KanonError:
            self.backend.reconnect()
            self._drop_lasting()
