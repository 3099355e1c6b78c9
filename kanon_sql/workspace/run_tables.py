"""The tables a run makes: temporary ones to work with, and lasting ones that are to become or hold a release."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.backends import Backend
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace.statements import PREFIX, StageListener, StatementRunner

INDEXED_CHARACTERS = 64


class RunTables(StatementRunner):
    """Makes, fills, names and drops the tables of one run."""

    def __init__(self, backend: Backend, listener: StageListener | None = None) -> None:
        super().__init__(backend, listener)
        self._temporary: list[TableName] = []
        self._lasting: list[TableName] = []

    def create(self, what: str, template: str, /, **arguments: Any) -> TableName:
        """A temporary table of this run, filled by a template's query."""
        table = self._name(what)
        self.define("workspace/ddl/create_temporary_table_as", table=table, select=self.select(template, **arguments))
        if self.backend.needs_statistics:
            self.define("workspace/ddl/analyze_table", table=table)
        return table

    def add(self, table: TableName, template: str, /, **arguments: Any) -> None:
        """Adds the rows of a template's query, whose columns are the table's own, to a table of this run."""
        self.define("workspace/ddl/insert_all", table=table, select=self.select(template, **arguments))

    def index(self, table: TableName, column: str, *, is_text: bool = False) -> None:
        """Lets joins find rows by a column, on engines that would compare every pair otherwise."""
        if self.backend.needs_indexes:
            self.define("workspace/ddl/index_table", table=table, column=column, prefix=INDEXED_CHARACTERS if is_text else 0)

    def load(self, what: str, columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> TableName:
        """A temporary table of this run, filled with rows as bound parameters."""
        table = self._name(what)
        self.define("workspace/ddl/create_temporary_table", table=table, columns=columns)
        placeholder = self.backend.placeholder
        if self.backend.binds_lists and rows:
            lists = [list(map(self.backend.bindable, values)) for values in zip(*rows, strict=True)]
            self.define("workspace/ddl/insert_lists", lists, table=table, columns=columns, placeholder=placeholder)
            return table
        size = max(1, self.backend.max_parameters // len(columns))
        for start in range(0, len(rows), size):
            chunk = rows[start : start + size]
            parameters = [self.backend.bindable(value) for row in chunk for value in row]
            self.define("workspace/ddl/insert_rows", parameters, table=table, columns=columns, rows=len(chunk), placeholder=placeholder)
        return table

    def stage_temporary(self, columns: Sequence[Column], select: str) -> TableName:
        """The staged table as a temporary one with these columns, filled by a query."""
        staged = self._name("staged")
        self.define("workspace/ddl/create_temporary_table", table=staged, columns=columns)
        self.define("workspace/ddl/insert_select", table=staged, columns=columns, select=select)
        return staged

    def stage_beside(self, target: TableName, columns: Sequence[Column], select: str) -> TableName:
        """The staged table beside the target with these columns, filled by a query."""
        staged = self.beside(target, "staged")
        self.define("workspace/ddl/create_table", table=staged, columns=columns)
        self.define("workspace/ddl/insert_select", table=staged, columns=columns, select=select)
        return staged

    def rename(self, staged: TableName, target: TableName) -> None:
        """Gives a lasting table of the run a name that stays."""
        self.define("workspace/ddl/rename_table", table=staged, to=target)
        self._lasting.remove(staged)

    def beside(self, target: TableName, what: str) -> TableName:
        """The name of a lasting table of the run in the target's schema."""
        self._lasting.append(target.sibling(PREFIX + what))
        return self._lasting[-1]

    def is_lasting(self, table: TableName) -> bool:
        """Whether a table of the run outlives its connection."""
        return table in self._lasting

    def keep(self, table: TableName) -> TableName:
        """Lets a lasting table of the run stay; its name as the database knows it."""
        self._lasting.remove(table)
        return table.sibling(self.finished(table.table))

    def forget(self, *tables: TableName) -> None:
        """Drops temporary tables that nothing needs any more."""
        for table in tables:
            self.define("workspace/ddl/drop_temporary_table", table=table)
            self._temporary.remove(table)

    def forget_all(self) -> None:
        """Drops every temporary table of the run."""
        self.forget(*reversed(self._temporary))

    def _name(self, what: str) -> TableName:
        self._temporary.append(TableName((PREFIX + what,)))
        return self._temporary[-1]
