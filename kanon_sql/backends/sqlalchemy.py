"""Databases behind SQLAlchemy: it gives the connection, the SQL reaches the driver as it is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Self

import sqlalchemy as sa

from kanon_sql.backends.base import Backend, Row
from kanon_sql.errors import BackendError, RequestError


class SQLAlchemyBackend(Backend):
    """A connection that SQLAlchemy opened; statements go to its DBAPI cursor untouched by parameter parsing."""

    def __init__(self, connection: sa.Connection, *, owned: bool) -> None:
        if connection.in_transaction():
            raise RequestError("the connection has an open transaction; commit or roll it back first")
        self._connection = connection
        self._owned = owned
        self._driver: Any = connection.connection.driver_connection
        self.driver_errors = (connection.dialect.loaded_dbapi.Error,)
        self._prepare()

    @classmethod
    def open(cls, url: sa.URL) -> Self:
        """A new connection of its own, outside any pool."""
        try:
            engine = sa.create_engine(url, poolclass=sa.pool.NullPool, hide_parameters=True)
            return cls(engine.connect(), owned=True)
        except (sa.exc.SQLAlchemyError, ImportError) as error:
            raise BackendError(cls._explain_connecting(url, error)) from None

    @classmethod
    @abstractmethod
    def _explain_connecting(cls, url: sa.URL, error: Exception) -> str:
        """Why the connection could not be opened, without the password."""

    def _prepare(self) -> None:
        """Sets up the driver's connection once."""

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

    def close(self) -> None:
        if self._owned:
            self._connection.close()
            self._connection.engine.dispose()


def _plain(value: Any) -> Any:
    """Counts that a driver delivers as decimals become int or float."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value
