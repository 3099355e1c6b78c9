"""What the database's catalog says of tables and their columns."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class Relation:
    """A table or view that exists, by its full name."""

    name: TableName
    is_table: bool


def resolve(workspace: Workspace, name: TableName) -> Relation | None:
    """The table or view a name means, if there is one."""
    rows = workspace.look_up("catalog/table", _padded(name))
    if not rows:
        return None
    *parts, is_table = rows[0]
    return Relation(TableName(tuple(part for part in parts if part is not None)), bool(is_table))


def describe(workspace: Workspace, name: TableName) -> TableDescription:
    """The columns and keys of a table or view, given its full name."""
    columns = tuple(
        Column(column, type_name, workspace.backend.kind_of(family), bool(nullable))
        for column, type_name, family, nullable in workspace.look_up("catalog/columns", _padded(name))
    )
    unique = frozenset(row[0] for row in workspace.look_up("catalog/unique_columns", _padded(name)))
    return TableDescription(name, columns, unique)


def table_names(workspace: Workspace) -> list[str]:
    """The tables and views a user may have meant."""
    return [row[0] for row in workspace.look_up("catalog/tables", ())]


def _padded(name: TableName) -> tuple[str | None, ...]:
    """Database, schema and table, None where the name does not say."""
    unsaid: tuple[str | None, ...] = (None,) * (3 - len(name.parts))
    return unsaid + name.parts
