"""The hospital patients on every engine, in types that all engines have, loaded from one CSV file."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import duckdb
from sqlalchemy import NullPool, create_engine

from benchmarks.engine_databases import Database, DuckDB, SQLite
from benchmarks.settings import Settings
from benchmarks.tables.cases import HOSPITAL, TABLE
from benchmarks.tables.duckdb_files import source_file
from kanon_sql.backends.duckdb_file import NO_BAR

COLUMNS = {
    "patient_id": "bigint primary key",
    "name": "varchar(60)",
    "email": "varchar(100)",
    "birth_date": "date",
    "zip": "varchar(5)",
    "sex": "varchar(1)",
    "marital_status": "varchar(20)",
    "education": "varchar(30)",
    "country": "varchar(30)",
    "ward": "varchar(30)",
    "diagnosis": "varchar(10)",
    "cost": "decimal(10,2)",
}
NULL = r"\N"
_COPIED_BYTES = 1 << 20


def patients_csv(settings: Settings) -> Path:
    """Return the CSV file with the hospital's rows; create it if it is missing."""
    source = source_file(HOSPITAL, settings)
    file = source.with_suffix(".csv")
    if not file.exists():
        unfinished = file.with_name(f"unfinished_{file.name}")
        with duckdb.connect(str(source), read_only=True) as connection:
            columns = ", ".join(COLUMNS)
            connection.execute(f"copy (select {columns} from {TABLE}) to {_quoted(unfinished)} (format csv, header false, null '{NULL}')")
        unfinished.rename(file)
    return file


def load_patients(database: Database, file: Path) -> None:
    """Create the table, load the file, and let the engine collect statistics."""
    database.execute(f"create table {TABLE} ({', '.join(f'{name} {kind}' for name, kind in COLUMNS.items())})")
    _LOADERS[database.name](database, file)


def _load_duckdb(database: Database, file: Path) -> None:
    database.execute(f"{NO_BAR}; copy {TABLE} from {_quoted(file)} (format csv, header false, nullstr '{NULL}')")


def _load_sqlite(database: Database, file: Path) -> None:
    assert isinstance(database, SQLite)
    marks = ", ".join("?" * len(COLUMNS))
    with closing(sqlite3.connect(database.path)) as connection, connection:
        connection.executemany(f"insert into {TABLE} values ({marks})", _rows(file))


def copy_to_postgresql(source: duckdb.DuckDBPyConnection, database: Database, folder: Path) -> None:
    """Copy the source table to PostgreSQL, with the same types."""
    file = folder / "copied.csv"
    source.execute(f"copy {TABLE} to {_quoted(file)} (format csv, header false, null '{NULL}')")
    columns = source.execute(f"describe {TABLE}").fetchall()
    definitions = [f"{name} {'double precision' if kind == 'DOUBLE' else kind}" for name, kind, *_ in columns]
    database.execute(f"create table {TABLE} ({', '.join(definitions)})")
    _load_postgresql(database, file)


def _load_postgresql(database: Database, file: Path) -> None:
    with _driver(database) as driver:
        driver.autocommit = True
        with driver.cursor() as cursor:
            with cursor.copy(f"copy {TABLE} from stdin (format csv, null '{NULL}')") as copy, file.open("rb") as source:
                while block := source.read(_COPIED_BYTES):
                    copy.write(block)
            cursor.execute(f"vacuum analyze {TABLE}")
            cursor.execute("checkpoint")


def _load_mariadb(database: Database, file: Path) -> None:
    load = f"load data local infile {_quoted(file)} into table {TABLE} character set utf8mb4 fields terminated by ','"
    with _driver(database, local_infile=True) as driver, driver.cursor() as cursor:
        cursor.execute(f"{load} optionally enclosed by '\"'")
        driver.commit()
        cursor.execute(f"analyze table {TABLE}")


_LOADERS: dict[str, Callable[[Database, Path], None]] = {
    DuckDB.name: _load_duckdb,
    SQLite.name: _load_sqlite,
    "postgresql": _load_postgresql,
    "mariadb": _load_mariadb,
}


def _rows(file: Path) -> Iterator[list[str | None]]:
    with file.open(encoding="utf-8", newline="") as lines:
        for row in csv.reader(lines):
            yield [None if value == NULL else value for value in row]


@contextmanager
def _driver(database: Database, **arguments: Any) -> Iterator[Any]:
    """Open a connection of the driver itself, for bulk loading."""
    with closing(create_engine(database.url, poolclass=NullPool, connect_args=arguments).raw_connection()) as connection:
        yield connection.driver_connection


def _quoted(file: Path) -> str:
    return "'" + str(file).replace("'", "''") + "'"
