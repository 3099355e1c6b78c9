"""Ways to connect: a URL, a SQLAlchemy Engine or Connection, or a DuckDB connection becomes a backend."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import parse_qsl

from kanon_sql.backends.base import Backend, Purpose, Row
from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import RequestError

if TYPE_CHECKING:
    import duckdb
    import sqlalchemy as sa

    from kanon_sql.backends.sqlalchemy import SQLAlchemyBackend

    Connectable: TypeAlias = "str | sa.URL | sa.Engine | sa.Connection | duckdb.DuckDBPyConnection"

__all__ = ["Backend", "Purpose", "Row", "connect", "recover_command"]

DUCKDB_SETTINGS = ("memory_limit", "threads", "max_temp_directory_size")
ENGINES = ("duckdb", "sqlite", "postgresql", "mariadb", "mysql")


def connect(connection: Connectable, *, read_only: bool = False, create: bool = False) -> Backend:
    """The backend for a connection; what was handed in stays open when the backend is closed."""
    if str(connection).startswith("duckdb:"):
        return _open_duckdb(str(connection), read_only=read_only, create=create)
    if type(connection).__name__ == "DuckDBPyConnection":
        return _wrap_duckdb(connection)
    return _connect_sqlalchemy(connection)


def recover_command(connection: Connectable) -> str:
    """Return the command that finishes runs on this database, ready for a shell; a password is masked."""
    if str(connection).startswith("duckdb:"):
        return f"kanon recover {shlex.quote(str(connection))}"
    if type(connection).__name__ == "DuckDBPyConnection":
        return "kanon recover URL"
    import sqlalchemy as sa

    given: Any = connection
    url = given.engine.url if isinstance(given, sa.Engine | sa.Connection) else _parse(given)
    return f"kanon recover {shlex.quote(url.render_as_string(hide_password=True))}"


def _open_duckdb(url: str, *, read_only: bool, create: bool) -> Backend:
    from kanon_sql.backends.duckdb import DuckDBBackend

    if not url.startswith("duckdb:///"):
        raise RequestError(
            "write a DuckDB database as duckdb:///relative/file.duckdb, duckdb:////absolute/file.duckdb or duckdb:///:memory:"
        )
    database, settings = _settings_of(url.removeprefix("duckdb:///"))
    return DuckDBBackend.open(database or ":memory:", read_only=read_only, create=create, settings=settings)


def _settings_of(database: str) -> tuple[str, dict[str, str]]:
    """The database of a DuckDB URL, and what stands behind its question mark."""
    path, mark, query = database.rpartition("?")
    if not mark or "=" not in query:
        return database, {}
    settings = dict(parse_qsl(query, keep_blank_values=True))
    for name in settings:
        if name not in DUCKDB_SETTINGS:
            meant = did_you_mean(name, DUCKDB_SETTINGS)
            raise RequestError(f"{name!r}{meant} cannot be set in the URL of a DuckDB file; settings are {', '.join(DUCKDB_SETTINGS)}")
    return path, settings


def _wrap_duckdb(connection: Any) -> Backend:
    from kanon_sql.backends.duckdb import DuckDBBackend

    return DuckDBBackend(connection, owned=False)


def _connect_sqlalchemy(connection: Any) -> Backend:
    """The backend for everything but DuckDB, whose users need not wait for SQLAlchemy."""
    import sqlalchemy as sa

    if isinstance(connection, str | sa.URL):
        url = _parse(connection)
        return _backend_class(url.get_backend_name()).open(url)
    if isinstance(connection, sa.Engine):
        return _backend_class(connection.dialect.name)(connection.connect(), closes=True)
    if isinstance(connection, sa.Connection):
        return _backend_class(connection.dialect.name)(connection, closes=False)
    raise RequestError(
        f"a {type(connection).__name__} is not a connection: give a URL, a SQLAlchemy Engine or Connection, or a DuckDB connection"
    )


def _parse(url: str | sa.URL) -> sa.URL:
    import sqlalchemy as sa

    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        raise RequestError(
            "the connection URL cannot be read: write for example duckdb:///clinic.duckdb, sqlite:///clinic.db, "
            "postgresql+psycopg://user@host/database or mysql+pymysql://user@host/database"
        ) from None
    if parsed.drivername in ("mysql", "mariadb", "postgresql"):
        parsed = parsed.set(drivername={"postgresql": "postgresql+psycopg"}.get(parsed.drivername, f"{parsed.drivername}+pymysql"))
    if "@" in f"{parsed.host}{parsed.database}" and parsed.get_backend_name() != "sqlite":
        raise RequestError("the connection URL has a second @: write @ as %40 and / as %2F in user and password")
    if "password" in parsed.query:
        raise RequestError("the connection URL holds a password in its query part, where logs would show it; write user:password@host")
    return parsed


def _backend_class(engine: str) -> type[SQLAlchemyBackend]:
    if engine == "sqlite":
        from kanon_sql.backends.sqlite import SQLiteBackend

        return SQLiteBackend
    if engine == "postgresql":
        from kanon_sql.backends.postgresql import PostgreSQLBackend

        return PostgreSQLBackend
    if engine in ("mysql", "mariadb"):
        from kanon_sql.backends.mariadb import MariaDBBackend

        return MariaDBBackend
    meant = did_you_mean(engine, ENGINES)
    raise RequestError(f"databases of the kind {engine!r}{meant} are not supported; supported are {', '.join(ENGINES)}")
