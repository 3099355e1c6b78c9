"""Real databases for the tests: each engine makes tables from logical types and reads them back alike."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import duckdb

Row = tuple[Any, ...]


class Database(ABC):
    """One database of one engine, empty at the start."""

    name: ClassVar[str]
    types: ClassVar[dict[str, str]]
    mark: ClassVar[str] = "?"
    url: str

    @abstractmethod
    def execute(self, sql: str, rows: Sequence[Row] = ()) -> list[Row]:
        """Runs a statement on a connection of its own: once, or once per row of parameters."""

    @abstractmethod
    def tables(self) -> set[str]:
        """The lasting tables and views of the database."""

    def quote(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def create(self, table: str, columns: Mapping[str, str], rows: Iterable[Row] = ()) -> None:
        """A table of these logical (or, where unknown, literal) types, filled with rows."""
        declared = ", ".join(f"{self.quote(name)} {self.types.get(kind, kind)}" for name, kind in columns.items())
        self.execute(f"create table {self.quote(table)} ({declared})")
        given = [tuple(self.bound(value) for value in row) for row in rows]
        if given:
            marks = ", ".join([self.mark] * len(columns))
            self.execute(f"insert into {self.quote(table)} values ({marks})", given)

    def drop(self, table: str) -> None:
        self.execute(f"drop table if exists {self.quote(table)}")

    def rows(self, table: str, columns: Sequence[str] = ()) -> list[Row]:
        """The table's rows in the order a plain select gives them, in canonical values."""
        listed = ", ".join(self.quote(name) for name in columns) or "*"
        return [tuple(canonical(value) for value in row) for row in self.execute(f"select {listed} from {self.quote(table)}")]

    def bound(self, value: Any) -> Any:
        return value


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


def canonical(value: Any) -> Any:
    """A value so that engines without its type compare equal: booleans as 0 and 1, dates as text, numbers by value."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal | float) and value == value and abs(value) != float("inf"):
        return int(value) if value == int(value) else float(value)
    return value


ENGINES: dict[str, type[Database]] = {engine.name: engine for engine in (DuckDB, SQLite)}
