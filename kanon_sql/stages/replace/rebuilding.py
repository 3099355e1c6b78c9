"""Engines that replace a table by a new one: the staging table is created from the table's text, and takes its name."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from kanon_sql.sql.table_text import ColumnText, TableText
from kanon_sql.stages.replace.change import Change, DependentObject
from kanon_sql.stages.replace.protocol import Protocol
from kanon_sql.stages.replace.written import dependents_as_written
from kanon_sql.tables import Column, TableName

_NOT_NULL = re.compile(r"^(CONSTRAINT\s+\S+\s+)?NOT\s+NULL(\s+ON\s+CONFLICT\s+\w+)?\s*", re.IGNORECASE)


class RebuildingProtocol(Protocol):
    """Drop the table and rename the staging table in one transaction, then create indexes and triggers again."""

    @abstractmethod
    def _text(self) -> TableText:
        """Return the table's CREATE TABLE statement."""

    def dependents(self) -> list[DependentObject]:
        return dependents_as_written(self._workspace, self.table, self._text())

    def stage(self, change: Change, columns: Sequence[Column], select: str) -> TableName:
        staged = self._workspace.permanent.name(self.table, "staged")
        self._workspace.define("workspace/ddl/create_table_as_written", table=staged, text=_changed_text(self._text(), change, columns))
        self._workspace.define("workspace/ddl/insert_select", table=staged, columns=columns, select=select)
        return staged

    def write(self, staged: TableName, change: Change) -> None:  # noqa: ARG002 (the staging table already has its shape)
        self._workspace.define("workspace/ddl/drop_table_if_exists", table=self.table)
        self._workspace.permanent.rename(staged, self.table)

    def finish(self, change: Change) -> None:
        for dependent in change.staying:
            if dependent.kind in ("index", "unique", "expression_index", "trigger") and not dependent.constraint:
                self._workspace.define("workspace/ddl/as_written", statement=dependent.text.rstrip().rstrip(";"))


def _changed_text(text: TableText, change: Change, columns: Sequence[Column]) -> TableText:
    """Return the table's text after the change: without dropped keys, with columns dropped, retyped and added."""
    text = text.without([d.constraint for d in change.lost if d.constraint])
    text = text.retyped({column.name: column.type for column in change.retyped})
    text = text.without_defaults({d.name for d in change.lost if d.kind == "default"})
    dropped = {column.name for column in change.dropped}
    written = {column.name: _nullable(column) if column.name in change.emptied else column for column in text.columns}
    order = [column.name for column in columns]
    for index, column in enumerate(text.columns):  # computed columns are not part of a release, but keep their position
        if column.name not in order and column.name not in dropped:
            before = [c.name for c in text.columns[:index] if c.name in order]
            order.insert(order.index(before[-1]) + 1 if before else 0, column.name)
    added = {column.name: ColumnText(column.name, column.type, ()) for column in columns if column.name not in written}
    return replace(text, columns=tuple(written.get(name) or added[name] for name in order))


def _nullable(column: ColumnText) -> ColumnText:
    """Return the column without its NOT NULL; the rest of the clause stays."""
    return replace(column, clauses=tuple(filter(None, (_NOT_NULL.sub("", clause) for clause in column.clauses))))
