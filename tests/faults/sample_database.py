"""Sample tables for fault injection: patients with names that must be erased, and other tables that must not change."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pymysql
import sqlalchemy as sa
from support.databases import Database, DuckDB, PostgreSQL, Row, Server, SQLite

import kanon_sql as ks

SECRET = "kanarie"  # is in every name; the code that searches for it never contains it
K = 3

POLICY: dict[str, Any] = {
    "algorithm": "datafly",
    "table": "patients",
    "publish": {"in_place": True},
    "privacy": {"k": K},
    "suppression": 0.1,
    "columns": {
        "id": {"role": "insensitive", "accept_unique": True},
        "name": "identifier",
        "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [10, 40]}},
        "zip": {"role": "quasi_identifier", "hierarchy": {"mask": {"char": "#", "hide": [1, 2]}}},
        "diagnosis": "sensitive",
        "note": "insensitive",
    },
}
STAYING = ("id", "age", "zip", "diagnosis", "note")
ERRORS: tuple[type[Exception], ...] = (duckdb.Error, sqlite3.Error, psycopg.Error, pymysql.err.Error, sa.exc.SQLAlchemyError)
DIAGNOSES = ("flu", "cold", "asthma", "gout")


def patients(count: int = 40) -> list[Row]:
    """Return rows that need generalization, and two that are far from all others."""
    rows: list[Row] = []
    for number in range(1, count + 1):
        age = 96 + number if number > count - 2 else 20 + number * 7 % 20
        rows.append((number, f"{SECRET}-{number:03d}", age, f"{10 + number % 2}{number % 5}", DIAGNOSES[number % 4], f"note {number % 8}"))
    return rows


def policy(**publish: Any) -> dict[str, Any]:
    """Return the policy with these publishing options."""
    return {**POLICY, "publish": {**POLICY["publish"], **publish}}


@dataclass(frozen=True)
class State:
    """The state of the database: the patients' rows, their dependent objects, everything else, and the journal."""

    rows: Counter[Row]
    inventory: tuple[Row, ...]
    view: Counter[Row]
    others: tuple[Row, ...]
    tables: frozenset[str]
    journal: tuple[Row, ...]
    history: tuple[Row, ...]


class SampleDatabase:
    """The sample tables in one database, which can be created again any number of times."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.url = database.url
        self._saved: Path | None = None

    @property
    def folder(self) -> Path | None:
        """Return the folder of the database's file, or None."""
        return self.database.path.parent if isinstance(self.database, DuckDB | SQLite) else None

    def set_up(self) -> None:
        """Create the tables as they were before any run."""
        if isinstance(self.database, DuckDB | SQLite):
            self._set_up_file(self.database.path)
        else:
            self.ask(*_emptied(self.database), *_script(self.database))

    def _set_up_file(self, path: Path) -> None:
        for beside in path.parent.glob(f"{path.name}*"):
            shutil.rmtree(beside) if beside.is_dir() else beside.unlink()
        if self._saved is None:
            if isinstance(self.database, SQLite):
                self.ask("vacuum")
            self.ask(*_script(self.database))
            self._saved = path.parent.parent / f"{path.parent.name}.saved"
            shutil.copyfile(path, self._saved)
        else:
            shutil.copyfile(self._saved, path)

    def ask(self, *statements: str) -> list[list[Row]]:
        """Return the rows of each statement, on one separate connection."""
        if isinstance(self.database, DuckDB):
            with duckdb.connect(str(self.database.path)) as connection:
                return [[tuple(row) for row in connection.execute(sql).fetchall()] for sql in statements]
        if isinstance(self.database, SQLite):
            with closing(sqlite3.connect(self.database.path, isolation_level=None)) as file:
                return [[tuple(row) for row in file.execute(sql).fetchall()] for sql in statements]
        with sa.create_engine(self.url, poolclass=sa.NullPool).connect() as server:
            driver: Any = server.connection.driver_connection
            driver.autocommit = True if isinstance(self.database, PostgreSQL) else driver.autocommit(True)
            with driver.cursor() as cursor:
                found = []
                for sql in statements:
                    cursor.execute(sql)
                    found.append([tuple(row) for row in cursor.fetchall()] if cursor.description else [])
                return found

    def run(self, **publish: Any) -> ks.AnonymizeReport:
        """Anonymize the patients in place."""
        return ks.anonymize(self.url, policy(**publish), yes=True)

    def content(self) -> Counter[Row]:
        """Return the patients' rows with the columns that are kept, as text, because a run may be changing a column's type."""
        (rows,) = self.ask(f"select {', '.join(STAYING)} from patients")
        return as_text(rows)

    def state(self) -> State:
        """Return everything that a fault could have damaged."""
        (tables,) = self.ask(_TABLES[self.database.name].format(database=getattr(self.database, "database", "")))
        names = frozenset(row[0] for row in tables)
        inventories = [sql.format(database=getattr(self.database, "database", "")) for sql in INVENTORY[self.database.name]]
        journal = "select run_id, table_name, state from __kanon_journal order by run_id"
        history = "select run_id, status from kanon_runs order by run_id, status"
        found = self.ask(
            "select * from patients",
            "select * from notes",
            "select 'wards', w.* from wards as w order by id",
            "select 'audit', a.* from audit as a order by entry",
            *([journal] if "__kanon_journal" in names else ["select 1 from wards where id < 0"]),
            *([history] if "kanon_runs" in names else ["select 1 from wards where id < 0"]),
            *inventories,
        )
        rows, view, wards, audit, entries, runs, *inventory = found
        return State(
            Counter(rows), tuple(tuple(map(str, row)) for part in inventory for row in part), Counter(view), (*wards, *audit), names,
            tuple(entries), tuple(runs),
        )  # fmt: skip


def as_text(rows: Sequence[Row]) -> Counter[Row]:
    """Return rows as a multiset of texts."""
    return Counter(tuple(str(value) for value in row) for row in rows)


def smallest_class(rows: Counter[Row]) -> int:
    """Return the k of published rows (id, age, zip, diagnosis, note)."""
    return min(Counter((row[1], row[2]) for row in rows.elements()).values())


def _script(database: Database) -> list[str]:
    """Return the statements that create the sample tables."""
    text = "varchar(200)" if database.name == "mariadb" else database.types["text"]
    integer = database.types["integer"]
    values = ", ".join(str(row).replace('"', "'") for row in patients())
    uncompressed = ["set force_compression = 'uncompressed'"] if database.name == "duckdb" else []
    return [
        *uncompressed,
        f"create table patients (id {integer} not null primary key, name {text} not null, age {integer}, zip {text},"
        f" diagnosis {text} not null, note {text} default 'none')",
        "create index by_diagnosis on patients (diagnosis)",
        "create index by_age on patients (age)",
        f"create table wards (id {integer}, title {text})",
        "insert into wards values (1, 'north'), (2, 'south')",
        f"create table audit (entry {integer}, what {text})",
        "insert into audit values (1, 'opened')",
        f"insert into patients values {values}",
        "create view notes as select id, note from patients",
        *_EXTRAS.get(database.name, ()),
        *(["analyze"] if database.name in ("sqlite", "postgresql") else []),
        *(["analyze table patients persistent for all"] if database.name == "mariadb" else []),
        *(["checkpoint"] if database.name == "duckdb" else []),
    ]


_EXTRAS = {
    "duckdb": ("comment on table patients is 'who was here'", "comment on column patients.note is 'what was said'"),
    "sqlite": ("create trigger watch after delete on patients begin insert into audit values (2, old.diagnosis); end",),
    "postgresql": (
        "create function watched() returns trigger language plpgsql as "
        "$$ begin insert into audit values (2, old.diagnosis); return null; end $$",
        "create trigger watch after delete or truncate on patients for each statement execute function watched()",
        "comment on table patients is 'who was here'",
        "grant select on patients to public",
    ),
}

_TABLES = {
    "duckdb": "select table_name from duckdb_tables() union all select view_name from duckdb_views() where not internal",
    "sqlite": "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%'",
    "postgresql": "select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
    " where n.nspname = 'public' and c.relkind in ('r', 'v', 'm')",
    "mariadb": "select table_name from information_schema.tables where table_schema = '{database}'",
}

INVENTORY: dict[str, list[str]] = {
    "duckdb": [
        "select column_name, data_type, is_nullable, column_default, comment from duckdb_columns() where table_name = 'patients'"
        " order by column_index",
        "select index_name, sql from duckdb_indexes() order by index_name",
        "select constraint_text from duckdb_constraints() where table_name = 'patients' order by all",
        "select view_name, sql from duckdb_views() where not internal",
        "select comment from duckdb_tables() where table_name = 'patients'",
    ],
    "sqlite": [
        "select type, name, tbl_name, sql from sqlite_master where tbl_name not like '%kanon_%' and name not like 'sqlite_stat%'"
        " order by type, name"
    ],
    "postgresql": [
        "select column_name, data_type, is_nullable, column_default from information_schema.columns where table_name = 'patients'"
        " order by ordinal_position",
        "select indexdef from pg_indexes where tablename = 'patients' order by indexdef",
        "select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'patients'::regclass order by conname",
        "select tgname, tgenabled, pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'patients'::regclass order by tgname",
        "select relacl, relowner::regrole, obj_description(oid), reloptions, relrowsecurity from pg_class where oid = 'patients'::regclass",
        "select viewname, definition from pg_views where schemaname = 'public'",
    ],
    "mariadb": [
        "show create table patients",
        "select index_name, column_name, sub_part from information_schema.statistics where table_schema = '{database}'"
        " and table_name = 'patients' order by index_name, seq_in_index",
        "select table_name, view_definition from information_schema.views where table_schema = '{database}'",
    ],
}


def _emptied(database: Database) -> list[str]:
    assert isinstance(database, Server)
    if isinstance(database, PostgreSQL):
        return ["drop schema public cascade", "create schema public"]
    return [
        f"drop database {database.database}", database.creation.format(database.database), f"use {database.database}",
    ]  # fmt: skip
