"""Databases reached through SQLAlchemy: it opens the connection, and the driver gets the SQL unchanged."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from types import MappingProxyType
from typing import Any, ClassVar, Self

import sqlalchemy as sa

from kanon_sql.backends.base import Backend, Row
from kanon_sql.errors import BackendError, RequestError


class SQLAlchemyBackend(Backend):
    """A connection that SQLAlchemy opened; statements go to its DBAPI cursor untouched by parameter parsing."""

    url_form: ClassVar[str]  # the form of a URL of this engine
    connect_args: ClassVar[Mapping[str, str]] = MappingProxyType({})  # for the driver, when the connection is opened here
    extra: ClassVar[str] = ""  # the extra to install when the driver is missing

    def __init__(self, connection: sa.Connection, *, closes: bool, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        self._closes = closes
        self._chosen = settings  # by the user, checked; they override the values that the engine sets itself
        self.driver_errors = (connection.dialect.loaded_dbapi.Error,)
        self._adopt(connection)
        if connection.in_transaction() or self._has_open_transaction():
            raise RequestError("the connection has an open transaction; commit or roll it back first")
        try:
            self._prepare()
        except BaseException:
            with suppress(AttributeError, *self.driver_errors):  # a setting that was not read yet was not changed
                self._restore()
            raise

    def _adopt(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._driver: Any = connection.connection.driver_connection

    @classmethod
    def open(cls, url: sa.URL, settings: Mapping[str, str] = MappingProxyType({})) -> Self:
        """Open a separate connection, outside any pool."""
        try:
            engine = sa.create_engine(url, poolclass=sa.pool.NullPool, hide_parameters=True, connect_args=dict(cls.connect_args))
            return cls._of(engine.connect(), describe(url), settings)
        except ImportError:
            raise BackendError(
                f"the driver for {url.drivername} is missing: pip install 'kanon_sql[{cls.extra}]' and write {cls.url_form}"
            ) from None
        except sa.exc.NoSuchModuleError:
            raise BackendError(f"there is no driver {url.drivername}: write {cls.url_form}") from None
        except sa.exc.DBAPIError as error:
            reason = cls.explain_connecting(url, error.orig or error)
            raise BackendError(f"cannot connect to {describe(url)}: {reason}") from None
        except sa.exc.SQLAlchemyError as error:
            raise BackendError(f"cannot connect to {describe(url)} ({type(error).__name__})") from None

    @classmethod
    def _of(cls, connection: sa.Connection, location: str, settings: Mapping[str, str]) -> Self:
        """Return the backend of a new connection, which is closed again if it cannot be set up."""
        try:
            return cls(connection, closes=True, settings=settings)
        except connection.dialect.loaded_dbapi.Error as error:
            reason = f"the connection could not be set up ({type(error).__name__})"
        except BaseException:
            connection.close()
            raise
        connection.close()
        raise BackendError(f"cannot connect to {location}: {reason}")

    @classmethod
    @abstractmethod
    def explain_connecting(cls, url: sa.URL, error: BaseException) -> str:
        """Return why the connection could not be opened."""

    @abstractmethod
    def _has_open_transaction(self) -> bool:
        """Return whether a transaction is open on the driver's connection."""

    @abstractmethod
    def _prepare(self) -> None:
        """Set up a new driver connection."""

    @abstractmethod
    def _restore(self) -> None:
        """Restore the settings of a connection that the caller passed or that returns to a pool."""

    def _refused_settings(self) -> RequestError:
        """Return the error for settings of the user that the server refuses."""
        return RequestError(f"settings: {self.title} does not accept the value of {' or '.join(self._chosen)}; correct or remove it")

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
        lost = self._connection
        failures: tuple[type[Exception], ...] = (sa.exc.SQLAlchemyError, *self.driver_errors)
        try:
            self._adopt(lost.engine.connect())
            if self._closes:
                lost.invalidate()
                lost.close()
            self._closes = True
            self._prepare()
        except failures as error:
            raise BackendError(f"the connection was lost, and a new one could not be opened ({type(error).__name__})") from None

    def close(self) -> None:
        with suppress(*self.driver_errors):  # a lost connection has no settings to restore
            self._restore()
        if self._closes:
            self._connection.close()


def describe(url: sa.URL) -> str:
    """Return the database and server of a URL, without user and password."""
    location = f"{url.host}:{url.port}" if url.host and url.port else url.host or "the local server"
    return f"{url.get_backend_name()} database {url.database!r} at {location}"


def _plain(value: Any) -> Any:
    """Return a number that a driver delivers as a decimal as int or float."""
    if isinstance(value, Decimal):
        return int(value) if value.is_finite() and value == value.to_integral_value() else float(value)
    return value
