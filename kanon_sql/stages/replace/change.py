"""The change to a table whose rows are replaced: its columns before and after, and the objects that are dropped."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kanon_sql.sql.table_text import Constraint
from kanon_sql.tables import Column, TableName


@dataclass(frozen=True)
class DependentObject:
    """An object that depends on a table: its kind and name, the columns it uses, and the statement that drops it."""

    kind: str
    name: str
    columns: frozenset[str]
    detail: str = ""
    removal: str = ""
    text: str = ""
    constraint: Constraint | None = None


@dataclass(frozen=True)
class Obstacle:
    """A dependent object that would be dropped or broken, and why; the policy may permit some by name."""

    dependent: DependentObject
    why: str
    may_be_lost: bool


@dataclass(frozen=True)
class Clause:
    """One clause of an ALTER TABLE: the action, the column, key or check, and its new definition."""

    action: str
    name: str = ""
    definition: str = ""
    after: str = ""


@dataclass(frozen=True)
class Change:
    """A table's columns as they are and as they will be; `recoded` columns keep their name but not their values."""

    table: TableName
    before: tuple[Column, ...]
    after: tuple[Column, ...]
    recoded: frozenset[str]
    emptied: frozenset[str] = frozenset()
    lost: tuple[DependentObject, ...] = ()
    staying: tuple[DependentObject, ...] = ()

    @cached_property
    def dropped(self) -> tuple[Column, ...]:
        """Return the columns that are dropped."""
        names = {column.name for column in self.after}
        return tuple(column for column in self.before if column.name not in names)

    @cached_property
    def added(self) -> tuple[Column, ...]:
        """Return the columns that are added."""
        names = {column.name for column in self.before}
        return tuple(column for column in self.after if column.name not in names)

    @cached_property
    def retyped(self) -> tuple[Column, ...]:
        """Return the columns whose type changes."""
        types = {column.name: column.type for column in self.before}
        return tuple(column for column in self.after if column.name in types and types[column.name] != column.type)

    @cached_property
    def changed(self) -> frozenset[str]:
        """Return the columns whose values change: recoded, emptied, of another type, or dropped."""
        names = (column.name for column in (*self.dropped, *self.retyped))
        return self.recoded | self.emptied | frozenset(names)
