"""Stop a real run before or after any of its statements: a wrapper of the lowest layer of each backend, without hooks in the product."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

import duckdb
import psycopg
import pymysql
import pytest
from faults.sample_database import SECRET

import kanon_sql.backends.duckdb as duckdb_home
import kanon_sql.backends.duckdb_file as file_home
from kanon_sql.backends import Backend
from kanon_sql.backends.duckdb import DuckDBBackend
from kanon_sql.backends.sqlalchemy import SQLAlchemyBackend
from kanon_sql.workspace import Workspace

Result = TypeVar("Result")
Moment = Literal["before", "after"]
Action = Callable[[Backend | None, str], None]


@dataclass(frozen=True)
class Step:
    """One operation of a run on its database, with its stage and template."""

    number: int
    stage: str
    what: str
    on_backend: bool


@dataclass
class Trap:
    """Counts the steps of a run and acts before or after one of them, or after it and before every later one."""

    at: int = 0
    moment: Moment = "before"
    action: Action | None = None
    persistent: bool = False
    steps: list[Step] = field(default_factory=list)
    sprung: bool = False
    stage: str = "connect"

    def step(self, backend: Backend | None, what: str, perform: Callable[[], Result]) -> Result:
        """Perform one step, with the action that is due."""
        number = len(self.steps) + 1
        self.steps.append(Step(number, self.stage, _named(what), backend is not None))
        if (self.persistent and self.sprung) or (number == self.at and self.moment == "before"):
            self._act(backend, what)
        try:
            return perform()
        finally:
            if number == self.at and self.moment == "after":
                self._act(backend, what)

    def _act(self, backend: Backend | None, what: str) -> None:
        self.sprung = True
        if self.action is not None:
            self.action(backend, what)


@contextmanager
def trapped(trap: Trap) -> Iterator[Trap]:
    """Send every operation of a run on its database through the trap."""
    with pytest.MonkeyPatch.context() as patch:
        cursor, execute, stage = SQLAlchemyBackend._cursor, DuckDBBackend._execute, Workspace.stage
        replace, sync = Path.replace, os.fsync

        def traced_stage(self: Workspace, name: str) -> Any:
            trap.stage = name
            return stage(self, name)

        patch.setattr(Workspace, "stage", traced_stage)
        patch.setattr(SQLAlchemyBackend, "_cursor", lambda self, sql, given: trap.step(self, sql, lambda: cursor(self, sql, given)))
        patch.setattr(DuckDBBackend, "_execute", lambda self, sql, given: trap.step(self, sql, lambda: execute(self, sql, given)))
        patch.setattr(Path, "replace", lambda self, to: trap.step(None, "replace file", lambda: replace(self, to)))
        patch.setattr(os, "fsync", lambda handle: trap.step(None, "fsync", lambda: sync(handle)))
        patch.setattr(duckdb_home, "duckdb", _Driver(trap, counts_statements=False))
        patch.setattr(file_home, "duckdb", _Driver(trap, counts_statements=True))
        yield trap


class _Driver:
    """The DuckDB driver, whose connections are opened, and optionally used, through the trap."""

    def __init__(self, trap: Trap, *, counts_statements: bool) -> None:
        self._trap, self._counts = trap, counts_statements

    def connect(self, *given: Any, **options: Any) -> Any:
        connection = self._trap.step(None, "connect", lambda: duckdb.connect(*given, **options))
        return _Statements(self._trap, connection) if self._counts else connection

    def __getattr__(self, name: str) -> Any:
        return getattr(duckdb, name)


class _Statements:
    """A connection of the scrub, whose statements go through the trap."""

    def __init__(self, trap: Trap, connection: duckdb.DuckDBPyConnection) -> None:
        self._trap, self._connection = trap, connection

    def execute(self, sql: str, *given: Any) -> Any:
        return self._trap.step(None, sql, lambda: self._connection.execute(sql, *given))

    def close(self) -> None:
        self._trap.step(None, "close", self._connection.close)


def _named(sql: str) -> str:
    """Return the template of a statement, or its first words."""
    lines = [line for line in sql.splitlines() if line.startswith("/* kanon_sql ")]
    return lines[-1].removeprefix("/* kanon_sql ").removesuffix(" */") if lines else " ".join(sql.split()[:3])


def fail(backend: Backend | None, what: str) -> None:
    """Raise an error of the driver whose text contains a value."""
    dialect = backend.dialect if backend else "file" if what in ("fsync", "replace file") else "duckdb"
    match dialect:
        case "postgres":
            raise psycopg.errors.QueryCanceled(f"value {SECRET}")
        case "mysql":
            raise pymysql.err.OperationalError(1205, f"value {SECRET}")
        case "duckdb":
            raise duckdb.IOException(f"value {SECRET}")
        case "sqlite":
            assert backend is not None
            raise backend.driver_errors[0](f"value {SECRET}")
        case _:
            raise OSError(28, "No space left on device")


def interrupt(backend: Backend | None, what: str) -> None:
    """Simulate Ctrl-C."""
    raise KeyboardInterrupt


def interrupt_statement(backend: Backend | None, what: str) -> None:
    """Simulate Ctrl-C while the statement runs, as the driver reports it."""
    if backend is None and what not in ("connect", "close", "fsync", "replace file"):
        raise RuntimeError("Query interrupted")
    if backend is not None and backend.dialect == "sqlite":
        raise sqlite3.OperationalError("interrupted")
    raise KeyboardInterrupt


def disconnect(backend: Backend | None, what: str) -> None:
    """End the connection: by the server, or by closing it."""
    if backend is None:
        return
    driver = getattr(backend, "_driver", None) or getattr(backend, "_connection", None)
    assert driver is not None
    if backend.dialect == "postgres" and not driver.closed:
        with psycopg.connect(driver.info.dsn, autocommit=True) as other:
            other.execute("select pg_terminate_backend(%s, 10000)", [driver.info.backend_pid])
    elif backend.dialect == "mysql" and driver.open:
        _kill(driver)
    elif backend.dialect in ("duckdb", "sqlite"):
        driver.close()


def _kill(driver: Any) -> None:
    """End a MariaDB connection from another one, and wait until the server has removed it."""
    other = pymysql.connect(unix_socket=driver.unix_socket, user="root")
    try:
        with other.cursor() as cursor:
            cursor.execute(f"kill {driver.thread_id()}")
            while cursor.execute(f"select 1 from information_schema.processlist where id = {driver.thread_id()}"):
                cursor.fetchall()
    finally:
        other.close()


def die(backend: Backend | None, what: str) -> None:
    """Kill the process."""
    os.kill(os.getpid(), signal.SIGKILL)
