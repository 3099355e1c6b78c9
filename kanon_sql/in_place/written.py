"""Dependants of a table on engines whose catalogs tell them as text: what a text mentions, it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kanon_sql.in_place.change import Dependant
from kanon_sql.in_place.table_text import TableText, mentioned
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


def dependants_as_written(workspace: Workspace, table: TableName, text: TableText, *, triggers: bool = True) -> list[Dependant]:
    """Keys and checks from the table's own text; indexes, triggers, views and foreign keys of others from the catalog."""
    names = [column.name for column in text.columns]
    found = [
        Dependant("incoming_key", name, frozenset(), detail=child, removal=removal)
        for name, child, removal in workspace.look_up("in_place/incoming_keys", table.parts)
    ]
    found += [Dependant(c.kind, c.name, frozenset(c.columns), text=c.text, constraint=c) for c in text.constraints]
    found += [
        Dependant("generated", column.name, frozenset(mentioned(" ".join(column.clauses), names)) - {column.name})
        for column in text.columns
        if column.is_generated
    ]
    for name, is_unique, written in workspace.look_up("in_place/indexes", table.parts):
        columns = frozenset(mentioned(written[written.index("(") :], names))
        plain = written.count("(") == 1 and " where " not in written.lower()
        found.append(Dependant("unique" if is_unique else "index" if plain else "expression_index", name, columns, text=written))
    if triggers:
        found += [
            Dependant("trigger", name, frozenset(mentioned(written, names)), removal=removal, text=written)
            for name, written, removal in workspace.look_up("in_place/triggers", table.parts)
        ]
    return found + list(_readers(workspace.look_up("in_place/views", table.parts), names))


def _readers(views: Sequence[tuple[Any, ...]], names: list[str]) -> Iterator[Dependant]:
    """The views that read the table, also through other views, with the table's columns they mention."""
    waiting = [(name, text or "", mention) for name, text, mention, _ in views]
    known = list(dict.fromkeys(of_table for *_, of_table in views))
    progress = True
    while progress:
        progress = False
        for name, text, mention in list(waiting):
            if mentioned(_after_name(text), known):
                yield Dependant("view", name, frozenset(mentioned(text, names)), text=text)
                known.append(mention)
                waiting.remove((name, text, mention))
                progress = True


def _after_name(text: str) -> str:
    """A view's text from its query on, where it begins with its own name."""
    position = text.lower().find(" as ")
    return text[position:] if text.lower().startswith("create") and position >= 0 else text
