"""Reads tables and their columns from the catalog of the database."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class Relation:
    """A table or view that exists, by its full name."""

    name: TableName
    is_table: bool


def resolve(workspace: Workspace, name: TableName) -> Relation | None:
    """Return the table or view that a name refers to, if it exists."""
    rows = workspace.look_up("workspace/catalog/table", _padded(name))
    if not rows:
        return None
    *parts, is_table = rows[0]
    return Relation(TableName(tuple(part for part in parts if part is not None)), bool(is_table))


def describe(workspace: Workspace, name: TableName) -> TableDescription:
    """Return the columns and keys of a table or view, by its full name."""
    columns = tuple(
        Column(column, workspace.backend.types.declared(type_name), workspace.backend.types.kind_of(family))
        for column, type_name, family in workspace.look_up("workspace/catalog/columns", _padded(name))
    )
    unique = frozenset(row[0] for row in workspace.look_up("workspace/catalog/unique_columns", _padded(name)))
    return TableDescription(name, columns, unique)


def describe_temporary(workspace: Workspace, table: TableName) -> TableDescription:
    """Return the columns of a temporary table or view of the run."""
    if not workspace.backend.run_tables.are_temporary:
        found = resolve(workspace, table)
        return describe(workspace, found.name if found else table)
    if workspace.backend.lists_temporary_tables:
        (home,) = workspace.look_up("workspace/catalog/temporary_schema", ())
        return describe(workspace, TableName((*filter(None, home), table.table)))
    columns = tuple(_shown(workspace, *row[:3]) for row in workspace.fetch("workspace/catalog/temporary_columns", table=table))
    return TableDescription(table, columns, frozenset())


def _shown(workspace: Workspace, name: str, type_name: str, collation: str | None) -> Column:
    """Return a column from a row of `show full columns`."""
    family = "boolean" if type_name == "tinyint(1)" else re.split(r"[( ]", type_name)[0]
    spelled = f" character set {collation.split('_')[0]} collate {collation}" if collation else ""
    return Column(name, type_name + spelled, workspace.backend.types.kind_of(family))


def current_schema(workspace: Workspace) -> TableName:
    """Return the schema of names without one, as the name of any table in it."""
    (home,) = workspace.look_up("workspace/catalog/current_schema", ())
    return TableName((*filter(None, home), "table"))


def suggest_table(workspace: Workspace, name: TableName) -> str:
    """Return a suggestion to append to a message: a table of a similar name, with its schema unless it needs none."""
    rows = workspace.look_up("workspace/catalog/tables", ())
    known = [TableName(tuple(part for part in row if part is not None)) for row in rows if not row[-1].startswith("__kanon_")]
    known.sort(key=lambda table: (-len(table.parts), str(table)))  # of tables with one name, the last one is suggested
    schema = tuple(part.casefold() for part in name.parts[:-1])
    nearby = [table for table in known if tuple(part.casefold() for part in table.parts[:-1]) == schema]
    for tables in (nearby, known):
        by_name = {table.table.casefold(): table for table in tables}
        close = difflib.get_close_matches(name.table.casefold(), by_name, n=1)
        if close:
            return f" (did you mean {str(by_name[close[0]])!r}?)"
    return ""


def tables_of(workspace: Workspace, schema: TableName) -> list[TableName]:
    """Return every table and view of a schema, which may be named with its database."""
    parts = (None,) * (2 - len(schema.parts)) + schema.parts[-2:]
    return [TableName((*schema.parts, row[0])) for row in workspace.look_up("workspace/catalog/schema_tables", parts)]


def has_schema(workspace: Workspace, name: TableName) -> bool:
    """Return whether the schema in a name exists; a name without one is in the current schema."""
    return len(name.parts) == 1 or bool(workspace.look_up("workspace/catalog/schema", _padded(name)[:2]))


def may_read(workspace: Workspace, reader: TableName, table: TableName) -> bool:
    """Return whether a view or a partitioned table may read a table, also through other views; conservatively true."""
    return any(_mentions(text, table.table.casefold()) for text in definitions_read(workspace, [reader]).values())


def definitions_read(workspace: Workspace, readers: Iterable[TableName]) -> dict[str, str]:
    """Return the texts, in lower case, of the views among these relations and of the views they may read, by name."""
    texts: dict[str, str] = {}
    for name, text in workspace.look_up("workspace/catalog/definitions", ()):
        texts[name.casefold()] = texts.get(name.casefold(), "") + " " + (text or "").casefold()
    seen, waiting = set(), {reader.table.casefold() for reader in readers}
    while waiting:
        seen.add(name := waiting.pop())
        waiting |= {other for other in texts if _mentions(texts.get(name, ""), other)} - seen
    return {name: texts[name] for name in sorted(seen) if name in texts}


def _mentions(text: str, name: str) -> bool:
    """Return whether a text contains a name as a separate word."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _padded(name: TableName) -> tuple[str | None, ...]:
    """Return database, schema and table; None means that the name has no such part."""
    unsaid: tuple[str | None, ...] = (None,) * (3 - len(name.parts))
    return unsaid + name.parts
