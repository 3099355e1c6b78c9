"""Databases behind SQLAlchemy: it gives the connection, the SQL reaches the driver as it is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, ClassVar, Self

import sqlalchemy as sa

from kanon_sql.backends.base import Backend, Row
from kanon_sql.errors import BackendError, RequestError


class SQLAlchemyBackend(Backend):
    """A connection that SQLAlchemy opened; statements go to its DBAPI cursor untouched by parameter parsing."""

    extra: ClassVar[str] = ""  # what to install when the driver is missing

    def __init__(self, connection: sa.Connection, *, owned: bool) -> None:
        if connection.in_transaction():
            raise RequestError("the connection has an open transaction; commit or roll it back first")
        self._owned = owned
        self.driver_errors = (connection.dialect.loaded_dbapi.Error,)
        self._adopt(connection)

    def _adopt(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._driver: Any = connection.connection.driver_connection
        self._prepare()

    @classmethod
    def open(cls, url: sa.URL) -> Self:
        """A new connection of its own, outside any pool."""
        try:
            engine = sa.create_engine(url, poolclass=sa.pool.NullPool, hide_parameters=True)
            return cls(engine.connect(), owned=True)
        except ImportError:
            raise BackendError(f"the driver for {url.drivername} is missing: pip install 'kanon_sql[{cls.extra}]'") from None
        except sa.exc.NoSuchModuleError:
            raise BackendError(f"there is no driver {url.drivername}: write {cls.dialect_hint()}") from None
        except sa.exc.DBAPIError as error:
            reason = cls.explain_connecting(url, error.orig or error)
            raise BackendError(f"cannot connect to {describe(url)}: {reason}") from None
        except sa.exc.SQLAlchemyError as error:
            raise BackendError(f"cannot connect to {describe(url)} ({type(error).__name__})") from None

    @classmethod
    @abstractmethod
    def dialect_hint(cls) -> str:
        """How a URL of this engine is written."""

    @classmethod
    @abstractmethod
    def explain_connecting(cls, url: sa.URL, error: BaseException) -> str:
        """Why the connection could not be opened, in our words."""

    @abstractmethod
    def _prepare(self) -> None:
        """Sets up a new driver connection."""

    def _restore(self) -> None:
        """Gives a connection that was handed in its own settings back."""

    def run(self, sql: str, parameters: Sequence[object] = ()) -> None:
        self._cursor(sql, parameters).close()

    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        cursor = self._cursor(sql, parameters)
        try:
            return [tuple(_plain(value) for value in row) for row in cursor.fetchall()]
        finally:
            cursor.close()

    def _cursor(self, sql: str, parameters: Sequence[object]) -> Any:
        cursor = self._driver.cursor()
        if parameters:
            cursor.execute(sql, tuple(parameters))
        else:
            cursor.execute(sql)
        return cursor

    def reconnect(self) -> None:
        self._adopt(self._connection.engine.connect())

    def close(self) -> None:
        if self._owned:
            self._connection.close()
            self._connection.engine.dispose()
        else:
            self._restore()


def describe(url: sa.URL) -> str:
    """Where a URL leads, without user and password."""
    place = f"{url.host}:{url.port}" if url.host and url.port else url.host or "the local server"
    return f"{url.get_backend_name()} database {url.database!r} at {place}"


def _plain(value: Any) -> Any:
    """Counts that a driver delivers as decimals become int or float."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
