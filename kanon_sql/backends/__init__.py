"""Ways to connect: a URL, a SQLAlchemy Engine or Connection, or a DuckDB connection becomes a backend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from kanon_sql.backends.base import Backend, Row
from kanon_sql.errors import RequestError

if TYPE_CHECKING:
    import duckdb
    import sqlalchemy as sa

    from kanon_sql.backends.sqlalchemy import SQLAlchemyBackend

    Connectable: TypeAlias = "str | sa.URL | sa.Engine | sa.Connection | duckdb.DuckDBPyConnection"

__all__ = ["Backend", "Row", "connect"]

ENGINES = ("duckdb", "sqlite")


def connect(connection: Connectable, *, read_only: bool = False, create: bool = False) -> Backend:
    """The backend for a connection; what was handed in stays open when the backend is closed."""
    import sqlalchemy as sa

    if isinstance(connection, str | sa.URL):
        return _open(_parse(connection), read_only=read_only, create=create)
    if isinstance(connection, sa.Engine):
        return _wrap(connection.connect(), owned=True)
    if isinstance(connection, sa.Connection):
        return _wrap(connection, owned=False)
    return _native(connection)


def _parse(url: str | sa.URL) -> sa.URL:
    import sqlalchemy as sa

    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError:
        raise RequestError("the connection URL cannot be read: write for example duckdb:///clinic.duckdb or sqlite:///clinic.db") from None
    if "password" in parsed.query:
        raise RequestError("the connection URL holds a password in its query part, where logs would show it; write user:password@host")
    return parsed


def _open(url: sa.URL, *, read_only: bool, create: bool) -> Backend:
    engine = url.get_backend_name()
    if engine == "duckdb":
        from kanon_sql.backends.duckdb import DuckDBBackend

        return DuckDBBackend.open(url.database or ":memory:", read_only=read_only, create=create)
    return _backend_class(engine).open(url)


def _wrap(connection: sa.Connection, *, owned: bool) -> Backend:
    return _backend_class(connection.dialect.name)(connection, owned=owned)


def _backend_class(engine: str) -> type[SQLAlchemyBackend]:
    if engine == "sqlite":
        from kanon_sql.backends.sqlite import SQLiteBackend

        return SQLiteBackend
    raise RequestError(f"databases of the kind {engine!r} are not supported; supported are {', '.join(ENGINES)}")


def _native(connection: Any) -> Backend:
    import duckdb

    from kanon_sql.backends.duckdb import DuckDBBackend

    if isinstance(connection, duckdb.DuckDBPyConnection):
        return DuckDBBackend(connection, owned=False)
    raise RequestError(
        f"a {type(connection).__name__} is not a connection: give a URL, a SQLAlchemy Engine or Connection, or a DuckDB connection"
    )
