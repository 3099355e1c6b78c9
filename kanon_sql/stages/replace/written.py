"""Dependent objects on engines whose catalogs return them as text: an object uses the columns that its text mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kanon_sql.sql.table_text import TableText, mentioned
from kanon_sql.stages.replace.change import DependentObject
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.generated import generated_columns

# Changes with the rows, not with the definition.
_COUNTER = re.compile(r"\s*\bAUTO_INCREMENT=\d+", re.IGNORECASE)
# A star that selects columns, not one in count(*) or between factors.
_STAR = re.compile(r"(?:\bselect|\bdistinct|\ball|[,.]|(?<!count)(?<!count )\()\s*\*", re.IGNORECASE)


def dependents_as_written(
    workspace: Workspace, table: TableName, text: TableText, *, triggers: bool = True, quote: str = ""
) -> list[DependentObject]:
    """Return keys and checks from the table's own text, the rest from the catalog; `quote` surrounds every name in the text of a view."""
    names = [column.name for column in text.columns]
    found = [
        DependentObject("incoming_key", name, frozenset(), detail=child, removal=removal)
        for name, child, removal in workspace.look_up("replace/incoming_keys", table.parts)
    ]
    found += [DependentObject("table", table.table, frozenset(), text=_COUNTER.sub("", text.options))]
    found += [DependentObject("column", column.name, frozenset(), text=column.definition) for column in text.columns]
    found += [DependentObject(c.kind, c.name, frozenset(c.columns), text=c.text, constraint=c) for c in text.constraints]
    found += [DependentObject("generated", name, columns) for name, columns in generated_columns(workspace, table).items()]
    found += [DependentObject("counter", column.name, frozenset({column.name})) for column in text.columns if column.is_counted]
    found += [DependentObject("default", column.name, frozenset({column.name})) for column in text.columns if column.has_default]
    for name, is_unique, written in workspace.look_up("replace/indexes", table.parts):
        columns = frozenset(mentioned(written[written.index("(") :], names))
        plain = written.count("(") == 1 and " where " not in written.lower()
        found.append(DependentObject("unique" if is_unique else "index" if plain else "expression_index", name, columns, text=written))
    if triggers:
        found += [
            DependentObject("trigger", name, frozenset(mentioned(written, names)), removal=removal, text=written)
            for name, written, removal in workspace.look_up("replace/triggers", table.parts)
        ]
    return found + list(_readers(workspace.look_up("replace/views", table.parts), table, names, quote))


def _readers(views: Iterable[tuple[str, str]], table: TableName, names: list[str], quote: str) -> Iterable[DependentObject]:
    """Return the views that read the table, also through other views, with the table's columns that they mention."""
    waiting = [(name, text or "") for name, text in views]
    known = [table.table]
    progress = True
    while progress:
        progress = False
        for name, text in list(waiting):
            query = _after_name(text)
            if mentioned(query, known, quote=quote):
                columns = names if _STAR.search(query) else mentioned(query, names, quote=quote)
                yield DependentObject("view", name, frozenset(columns), text=text)
                known.append(name)
                waiting.remove((name, text))
                progress = True


def _after_name(text: str) -> str:
    """Return a view's text without the part before its query."""
    position = text.lower().find(" as ")
    return text[position:] if text.lower().startswith("create") and position >= 0 else text
