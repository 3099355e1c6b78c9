"""Refuse sources that return different rows each time they are read, and functions in a user's SQL that the database redefines.

A source is read to count and again to publish. Each engine reports functions in its own way: PostgreSQL's catalog names every function
that a view calls, SQLite reports them while it compiles, DuckDB and MariaDB return the texts of views.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kanon_sql.errors import RequestError
from kanon_sql.sql.functions import EXTENSIONS, is_reading, is_varying
from kanon_sql.sql.view_texts import Mention, mentions, varying_of
from kanon_sql.tables import RowSource, SourceQuery, TableName
from kanon_sql.workspace import Workspace

if TYPE_CHECKING:
    from kanon_sql.sql.read_only import ReadOnly

_COPY = "Copy the rows into a table first, and name that table as the source"


@dataclass(frozen=True)
class _Definition:
    """A view or a function of the database, with its text if it is known."""

    home: str | None  # its schema, on engines where view texts contain schemas
    is_here: bool  # a name without a schema may refer to it
    name: str
    is_function: bool
    text: str | None
    is_declared_varying: bool

    def is_meant_by(self, qualifier: str | None) -> bool:
        """Return whether its name with this qualifier may refer to it."""
        return self.is_here if qualifier is None else self.home in (None, qualifier)


def require_deterministic_view(workspace: Workspace, view: TableName) -> None:
    """Raise an error if a view, or one that it reads, returns different rows each time."""
    match workspace.backend.reader.names_functions:
        case "in_catalog":
            _require_deterministic_catalog(workspace, view.parts[-2], view.table)
        case "when_compiled":
            _require_deterministic_compiled(workspace, view, None)
        case "in_texts":
            _require_deterministic_texts(workspace, [view], None, "the source")


def require_deterministic_query(
    workspace: Workspace, source: SourceQuery, proven: ReadOnly, tables: Iterable[TableName], where: str
) -> None:
    """Raise an error if a user's SQL calls a function that the database redefines, or returns different rows each time."""
    match workspace.backend.reader.names_functions:
        case "in_catalog":
            view = TableName((workspace.name("resolved"),))
            workspace.define(
                "profile/source_queries/view", table=view, select=workspace.select("profile/source_queries/shape", source=source)
            )
            _require_deterministic_catalog(workspace, None, view.table, where)
            workspace.define("profile/source_queries/drop_view", table=view)
        case "when_compiled":
            _require_deterministic_compiled(workspace, source, where)
        case "in_texts":
            _require_deterministic_texts(workspace, tables, proven, where)


def _require_deterministic_catalog(workspace: Workspace, schema: str | None, view: str, where: str | None = None) -> None:
    for name, function, is_volatile, is_builtin, extension in workspace.look_up("profile/volatility/functions", (schema, view)):
        is_own = where is not None and name == view
        if is_volatile:
            place = str(where) if is_own else f"view {name}"
            raise RequestError(_varies(place, _called(function)) if is_builtin else _may_vary(place, function, "stable"))
        if is_own and not is_builtin and extension not in EXTENSIONS:
            raise RequestError(_own_function(str(where), function))


def _require_deterministic_compiled(workspace: Workspace, source: RowSource, where: str | None) -> None:
    sql = "explain\n" + workspace.select("profile/source_queries/shape", source=source)
    for function, view in workspace.perform("profile/source_queries/shape", sql, lambda: workspace.backend.reader.called_functions(sql)):
        if is_varying(function, workspace.backend.dialect):
            raise RequestError(_varies(f"view {view}" if view else where or "the source", f"the function {function}"))
        if where is not None and view is None and function.isidentifier() and not is_reading(function, workspace.backend.dialect):
            raise RequestError(_own_function(where, function))


def _require_deterministic_texts(workspace: Workspace, tables: Iterable[TableName], proven: ReadOnly | None, where: str) -> None:
    """Raise an error if a view or function that the source uses, directly or not, returns different values each time."""
    known = [_Definition(*row) for row in workspace.look_up("profile/volatility/definitions", ())]
    own = proven.functions if proven else frozenset()
    called = next((found for found in known if found.is_function and found.is_here and found.name.casefold() in own), None)
    if called is not None:
        raise RequestError(_own_function(where, called.name))
    dialect = workspace.backend.dialect
    names = {(table.parts[-2] if len(table.parts) > 1 else None, table.table.casefold()) for table in tables}
    for view, definition in _reached(known, names, dialect):
        function = varying_of(definition.text or "", dialect)
        if definition.is_declared_varying:
            raise RequestError(_may_vary(view, definition.name, "deterministic"))
        if function is not None:
            raise RequestError(_varies(view, f"the function {definition.name}" if definition.is_function else _called(function)))


def _reached(known: list[_Definition], names: Iterable[Mention], dialect: str) -> Iterator[tuple[str, _Definition]]:
    """Yield every view and function that the names refer to, directly or through other texts, with the view that uses it."""
    waiting, seen = [("the source", set(names))], set[_Definition]()
    while waiting:
        place, mentioned = waiting.pop(0)
        for definition in known:
            if definition not in seen and any(definition.is_meant_by(q) for q, name in mentioned if name == definition.name.casefold()):
                seen.add(definition)
                inside = place if definition.is_function else f"view {definition.name}"
                yield inside, definition
                waiting.append((inside, set(mentions(definition.text or "", dialect))))


def _called(name: str) -> str:
    return "a random sample (tablesample)" if name == "tablesample" else f"the function {name}"


def _varies(where: str, what: str) -> str:
    return f"{where}: {what} returns a different value each time, and the source is read more than once. {_COPY}"


def _may_vary(where: str, function: str, declared: str) -> str:
    return (
        f"{where}: the function {function} may return a different value each time, because it is not declared {declared}, and the source "
        f"is read more than once. Declare it {declared} if it always returns the same value. Otherwise: {_COPY[0].lower()}{_COPY[1:]}"
    )


def _own_function(where: str, function: str) -> str:
    return (
        f"{where}: the function {function} is defined in this database, and its effects are unknown. If it only reads, "
        "create a view that uses it, and name the view as the source"
    )
