"""Real databases for the tests: each engine creates tables from logical types and returns canonical values."""

from __future__ import annotations

import os
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import duckdb
from sqlalchemy import NullPool, create_engine, make_url
from support import servers

Row = tuple[Any, ...]


class Database(ABC):
    """One database of one engine, empty at the start."""

    name: ClassVar[str]
    types: ClassVar[dict[str, str]]
    mark: ClassVar[str] = "?"
    caseless: ClassVar[str] = "text collate nocase"
    url: str

    @abstractmethod
    def execute(self, sql: str, rows: Sequence[Row] = ()) -> list[Row]:
        """Run a statement on its own connection: once, or once per row of parameters."""

    @abstractmethod
    def tables(self) -> set[str]:
        """Return the permanent tables and views of the database."""

    def quote(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def create(self, table: str, columns: Mapping[str, str], rows: Iterable[Row] = ()) -> None:
        """Create a table of these logical (or, if unknown, literal) types and insert rows."""
        declared = ", ".join(f"{self.quote(name)} {self.types.get(kind, kind)}" for name, kind in columns.items())
        self.execute(f"create table {self.quote(table)} ({declared})")
        given = [tuple(self.bound(value) for value in row) for row in rows]
        if given:
            marks = ", ".join([self.mark] * len(columns))
            self.execute(f"insert into {self.quote(table)} values ({marks})", given)

    def drop(self, table: str) -> None:
        self.execute(f"drop table if exists {self.quote(table)}")

    def rows(self, table: str, columns: Sequence[str] = ()) -> list[Row]:
        """Return the table's rows in the order of a plain select, in canonical values."""
        listed = ", ".join(self.quote(name) for name in columns) or "*"
        return [tuple(canonical(value) for value in row) for row in self.execute(f"select {listed} from {self.quote(table)}")]

    def bound(self, value: Any) -> Any:
        return value

    def close(self) -> None:  # noqa: B027 (files go with the test's folder)
        """Remove what is not in the test's folder."""


class DuckDB(Database):
    name = "duckdb"
    types: ClassVar[dict[str, str]] = {
        "integer": "bigint", "double": "double", "decimal": "decimal(18,4)", "boolean": "boolean",
        "date": "date", "timestamp": "timestamp", "text": "varchar",
    }  # fmt: skip

    def __init__(self, folder: Path) -> None:
        self.path = folder / "test.duckdb"
        self.url = f"duckdb:///{self.path}"
        duckdb.connect(str(self.path)).close()

    def execute(self, sql: str, rows: Sequence[Row] = ()) -> list[Row]:
        with duckdb.connect(str(self.path)) as connection:
            if rows:
                connection.executemany(sql, rows)
                return []
            return [tuple(row) for row in connection.execute(sql).fetchall()]

    def tables(self) -> set[str]:
        return {row[0] for row in self.execute("select table_name from information_schema.tables")}


class SQLite(Database):
    name = "sqlite"
    types: ClassVar[dict[str, str]] = {
        "integer": "integer", "double": "double", "decimal": "decimal(18,4)", "boolean": "boolean",
        "date": "date", "timestamp": "timestamp", "text": "text",
    }  # fmt: skip

    def __init__(self, folder: Path) -> None:
        self.path = folder / "test.db"
        self.url = f"sqlite:///{self.path}"
        self.execute("vacuum")

    def execute(self, sql: str, rows: Sequence[Row] = ()) -> list[Row]:
        connection = sqlite3.connect(self.path)
        try:
            with connection:
                if rows:
                    connection.executemany(sql, rows)
                    return []
                return connection.execute(sql).fetchall()
        finally:
            connection.close()

    def tables(self) -> set[str]:
        return {row[0] for row in self.execute("select name from sqlite_master where type in ('table', 'view')")}

    def bound(self, value: Any) -> Any:
        if isinstance(value, datetime):
            return value.isoformat(sep=" ")
        if isinstance(value, date):
            return value.isoformat()
        return float(value) if isinstance(value, Decimal) else value


class Server(Database):
    """A separate database on a server that the tests started."""

    counter: ClassVar[int] = 0
    creation: ClassVar[str] = "create database {}"
    server: ClassVar[str] = ""  # which server to start, where the engine's name does not say it

    def __init__(self, folder: Path) -> None:
        Server.counter += 1
        self.database = f"kanon_test_{os.getpid()}_{Server.counter}"
        self.home_url = make_url(servers.url_of(self.server or self.name))
        self.url = self.home_url.set(database=self.database).render_as_string(hide_password=False)
        self.at_home(self.creation.format(self.database))

    def at_home(self, sql: str) -> None:
        """Run a statement outside the test's database."""
        engine = create_engine(self.home_url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(sql.replace("%", "%%"))

    def execute(self, sql: str, rows: Sequence[Row] = ()) -> list[Row]:
        engine = create_engine(self.url, poolclass=NullPool)
        with engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            with driver.cursor() as cursor:
                if rows:
                    cursor.executemany(sql, rows)
                else:
                    cursor.execute(sql)
                found = [tuple(row) for row in cursor.fetchall()] if cursor.description else []
            driver.commit()
            return found

    def quote_mark(self, name: str) -> str:
        """Return a quoted name for a statement with parameters, in which % is doubled."""
        return self.quote(name).replace("%", "%%")

    def create(self, table: str, columns: Mapping[str, str], rows: Iterable[Row] = ()) -> None:
        super().create(table, columns)
        given = [tuple(self.bound(value) for value in row) for row in rows]
        if given:
            self.execute(f"insert into {self.quote_mark(table)} values ({', '.join(['%s'] * len(columns))})", given)


class PostgreSQL(Server):
    name = "postgresql"
    types: ClassVar[dict[str, str]] = {
        "integer": "bigint", "double": "double precision", "decimal": "numeric(18,4)", "boolean": "boolean",
        "date": "date", "timestamp": "timestamp", "text": "text",
    }  # fmt: skip

    def tables(self) -> set[str]:
        return {row[0] for row in self.execute("select table_name from information_schema.tables where table_schema = 'public'")}

    def close(self) -> None:
        self.at_home(f"drop database {self.database} with (force)")


class OlderPostgreSQL(PostgreSQL):
    """The oldest version in the wheel but one, which has no function to clear statistics."""

    server = "postgresql_16"


class MariaDB(Server):
    name = "mariadb"
    creation = "create database {} character set utf8mb4"
    caseless = "varchar(20) collate utf8mb4_general_ci"
    types: ClassVar[dict[str, str]] = {
        "integer": "bigint", "double": "double", "decimal": "decimal(18,4)", "boolean": "boolean",
        "date": "date", "timestamp": "datetime", "text": "varchar(1000)",
    }  # fmt: skip

    def quote(self, name: str) -> str:
        return "`" + name.replace("`", "``") + "`"

    def tables(self) -> set[str]:
        sql = f"select table_name from information_schema.tables where table_schema = '{self.database}'"
        return {row[0] for row in self.execute(sql)}

    def close(self) -> None:
        self.at_home(f"drop database {self.database}")


def canonical(value: Any) -> Any:
    """Return a value that compares equal on engines without its type: booleans as 0 and 1, dates as text, numbers by value."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal | float) and value == value and abs(value) != float("inf"):
        return int(value) if value == int(value) else float(value)
    return value


ENGINES: dict[str, type[Database]] = {engine.name: engine for engine in (DuckDB, SQLite, PostgreSQL, MariaDB)}
