"""Connections: a URL, a SQLAlchemy Engine or Connection, or a DuckDB connection becomes a backend."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from kanon_sql.backends.base import Backend, Purpose, Row
from kanon_sql.backends.run_tables import Definition
from kanon_sql.backends.settings import DUCKDB, MARIADB, POSTGRESQL, SQLITE, Kind, check_settings
from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import RequestError

if TYPE_CHECKING:
    import duckdb
    import sqlalchemy as sa

    Connectable: TypeAlias = "str | sa.URL | sa.Engine | sa.Connection | duckdb.DuckDBPyConnection | ConfiguredUrl"

__all__ = ["Backend", "ConfiguredUrl", "Definition", "Purpose", "Row", "connect", "read_settings", "recover_command"]


@dataclass(frozen=True)
class Engine:
    """An engine, known by the name that its URLs begin with."""

    module: str  # imported when it is used, because drivers are slow to import and not all of them are installed
    backend: str
    settings: Mapping[str, Kind]  # that users can choose
    connection: str = ""  # the class of its own driver's connections; "" means that it is reached through SQLAlchemy
    driver: str = ""  # for SQLAlchemy, when the URL names none

    def backend_class(self) -> Any:
        """Return the class of the engine's backend."""
        return getattr(import_module(f"{__name__}.{self.module}"), self.backend)


ENGINES = {
    "duckdb": Engine("duckdb", "DuckDBBackend", DUCKDB, connection="DuckDBPyConnection"),
    "sqlite": Engine("sqlite", "SQLiteBackend", SQLITE),
    "postgresql": Engine("postgresql", "PostgreSQLBackend", POSTGRESQL, driver="psycopg"),
    "mariadb": Engine("mariadb", "MariaDBBackend", MARIADB, driver="pymysql"),
    "mysql": Engine("mariadb", "MariaDBBackend", MARIADB, driver="pymysql"),
}


@dataclass(frozen=True)
class ConfiguredUrl:
    """The URL of a database, and settings of its engine for every connection to it, checked by `read_settings`."""

    url: str = field(repr=False)
    settings: Mapping[str, str]


def read_settings(engine: str, settings: Mapping[str, object], where: str) -> dict[str, str]:
    """Return the checked form of a user's settings of an engine, or raise an error that begins with `where`."""
    return check_settings(engine, ENGINES[engine].settings, settings, where) if engine in ENGINES else {}


def connect(connection: Connectable, *, read_only: bool = False, create: bool = False) -> Backend:
    """Return the backend for a connection; an object that the caller passed stays open when the backend is closed."""
    settings = connection.settings if isinstance(connection, ConfiguredUrl) else {}
    connection = connection.url if isinstance(connection, ConfiguredUrl) else connection
    engine = _engine_with_own_driver(connection)
    if engine is not None:
        backend: Backend = engine.backend_class().connect(connection, read_only=read_only, create=create, settings=settings)
        return backend
    return _connect_sqlalchemy(connection, settings)


def recover_command(connection: Connectable) -> str:
    """Return the command that finishes runs on this database, ready for a shell; a password is masked."""
    if isinstance(connection, ConfiguredUrl):
        connection = connection.url
    if _engine_with_own_driver(connection) is not None:
        return f"kanon recover {shlex.quote(str(connection)) if _engine_name(connection) in ENGINES else 'URL'}"
    import sqlalchemy as sa

    passed: Any = connection
    url = passed.engine.url if isinstance(passed, sa.Engine | sa.Connection) else _parse(passed)
    return f"kanon recover {shlex.quote(url.render_as_string(hide_password=True))}"


def _engine_with_own_driver(connection: Any) -> Engine | None:
    """Return the engine of a URL or connection that SQLAlchemy is not needed for, so its users need not wait for that import."""
    own = {name: engine for name, engine in ENGINES.items() if engine.connection}
    found = own.get(_engine_name(connection))
    return found or next((engine for engine in own.values() if engine.connection == type(connection).__name__), None)


def _engine_name(connection: Any) -> str:
    """Return what the text of a connection says before its first colon: of a URL, the engine."""
    return str(connection).partition(":")[0]


def _connect_sqlalchemy(connection: Any, settings: Mapping[str, str]) -> Backend:
    import sqlalchemy as sa

    if isinstance(connection, str | sa.URL):
        url = _parse(connection)
        opened: Backend = _backend_class(url.get_backend_name()).open(url, settings)
        return opened
    if isinstance(connection, sa.Engine | sa.Connection):
        cls, closes = _backend_class(connection.dialect.name), isinstance(connection, sa.Engine)
        backend: Backend = cls(connection.connect() if isinstance(connection, sa.Engine) else connection, closes=closes)
        return backend
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
    engine = ENGINES.get(parsed.drivername)
    if engine is not None and engine.driver:
        parsed = parsed.set(drivername=f"{parsed.drivername}+{engine.driver}")
    if "@" in f"{parsed.host}{parsed.database}" and parsed.get_backend_name() != "sqlite":
        raise RequestError("the connection URL has a second @: write @ as %40 and / as %2F in user and password")
    if "password" in parsed.query:
        raise RequestError("the connection URL holds a password in its query part, where logs would show it; write user:password@host")
    return parsed


def _backend_class(name: str) -> Any:
    """Return the class of an engine's backend by the name that SQLAlchemy has for the engine."""
    if name not in ENGINES:
        raise RequestError(
            f"databases of the kind {name!r}{did_you_mean(name, tuple(ENGINES))} are not supported; supported are {', '.join(ENGINES)}"
        )
    return ENGINES[name].backend_class()
