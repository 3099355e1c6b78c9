"""What becomes of a table whose rows are replaced: its columns before and after, and what would be lost."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kanon_sql.sql.table_text import Constraint
from kanon_sql.tables import Column, TableName


@dataclass(frozen=True)
class DependentObject:
    """Something that belongs to a table or reads it: its kind and name, the columns it is about, and how it is dropped."""

    kind: str
    name: str
    columns: frozenset[str]
    detail: str = ""
    removal: str = ""
    text: str = ""
    constraint: Constraint | None = None


@dataclass(frozen=True)
class Obstacle:
    """A dependent that cannot survive, and why; some can be given up by name."""

    dependent: DependentObject
    why: str
    may_be_lost: bool


@dataclass(frozen=True)
class Clause:
    """One step of an ALTER TABLE: what is done, to which column, key or check, and how it is then written."""

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
        """Columns that are no longer there afterwards."""
        names = {column.name for column in self.after}
        return tuple(column for column in self.before if column.name not in names)

    @cached_property
    def added(self) -> tuple[Column, ...]:
        """Columns that were not there before."""
        names = {column.name for column in self.before}
        return tuple(column for column in self.after if column.name not in names)

    @cached_property
    def retyped(self) -> tuple[Column, ...]:
        """Columns whose type becomes another."""
        types = {column.name: column.type for column in self.before}
        return tuple(column for column in self.after if column.name in types and types[column.name] != column.type)

    @cached_property
    def changed(self) -> frozenset[str]:
        """Columns that no longer hold what they held: recoded, emptied, of another type, or gone."""
        names = (column.name for column in (*self.dropped, *self.retyped))
        return self.recoded | self.emptied | frozenset(names)
