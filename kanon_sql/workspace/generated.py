"""The generated columns of a table, stored or virtual, and the columns they are computed from."""

from __future__ import annotations

from collections.abc import Mapping

from kanon_sql.sql.table_text import mentioned, names_in, read
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


def generated_columns(workspace: Workspace, table: TableName) -> dict[str, frozenset[str]]:
    """Return the generated columns of a table, each with the columns that its expression names."""
    found: dict[str, frozenset[str]] = {}
    for name, column, text in workspace.look_up("workspace/catalog/generated", table.parts):
        if text is None:
            found[name] = found.get(name, frozenset()) | ({column} - {None})
        else:
            found |= _as_written(text, table)
    return found


def all_sources(generated: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """Return for each generated column every column it is computed from, directly or through other generated columns."""
    found = {}
    for name in generated:
        seen, waiting = set[str](), set(generated[name])
        while waiting:
            seen.add(column := waiting.pop())
            waiting |= generated.get(column, frozenset()) - seen
        found[name] = frozenset(seen - {name})
    return found


def _as_written(text: str, table: TableName) -> dict[str, frozenset[str]]:
    """Return the generated columns of a table from its text."""
    columns = read(text, table.table).columns
    names = [column.name for column in columns]
    return {c.name: frozenset(mentioned(names_in(c.generation), names)) - {c.name} for c in columns if c.is_generated}
