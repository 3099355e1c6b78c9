"""How engines run SQL that a user wrote: what they refuse while it runs, and how they name the functions it calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Literal

NamesFunctions = Literal["in_catalog", "when_compiled", "in_texts"]


class Reader:
    """An engine that cannot refuse changes inside a transaction; the functions of its views are known from their texts."""

    names_functions: ClassVar[NamesFunctions] = "in_texts"  # how the engine names the functions that a view calls

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """Let the database refuse statements that change something, where it can inside the present transaction."""
        yield

    def called_functions(self, sql: str) -> list[tuple[str, str | None]]:  # noqa: ARG002 (engines that name none)
        """Return the functions that an explained query calls and the view each is called in, where the engine names them."""
        raise AssertionError(f"{type(self).__name__} names no functions when it compiles a query")


class SQLiteReader(Reader):
    """SQLite refuses changes under a pragma, and asks an authorizer about everything it compiles."""

    names_functions: ClassVar[NamesFunctions] = "when_compiled"

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    @contextmanager
    def read_only(self) -> Iterator[None]:
        (before,) = self._driver.execute("pragma query_only").fetchone()
        self._driver.execute("pragma query_only = on")
        try:
            yield
        finally:
            self._driver.execute(f"pragma query_only = {before}")

    def called_functions(self, sql: str) -> list[tuple[str, str | None]]:
        import sqlite3  # here, because other engines do not need it

        called: set[tuple[str, str | None]] = set()
        # What SQLite's compiler asks for when a query only reads.
        reading = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}

        def authorize(action: int, table: str | None, name: str | None, _: str | None, view: str | None) -> int:
            if action == sqlite3.SQLITE_FUNCTION and name is not None:
                called.add((name.lower(), view))
            declares = action == sqlite3.SQLITE_UPDATE and table == "sqlite_master"  # a table function such as json_each, in memory
            return sqlite3.SQLITE_OK if action in reading or declares else sqlite3.SQLITE_DENY

        self._driver.set_authorizer(authorize)  # compiles even a statement that the driver has kept
        try:
            self._driver.execute(sql).close()
        finally:
            self._driver.set_authorizer(None)
        return sorted(called, key=lambda found: (found[1] or "", found[0]))


class PostgreSQLReader(Reader):
    """PostgreSQL refuses changes after a savepoint, and its catalog names the functions of a view."""

    names_functions: ClassVar[NamesFunctions] = "in_catalog"

    def __init__(self, driver: Any, run: Callable[[str], None]) -> None:
        self._driver, self._run = driver, run

    @contextmanager
    def read_only(self) -> Iterator[None]:
        self._run("savepoint kanon_reading")
        try:
            self._run("set local transaction_read_only = on")
            yield
        finally:
            if not self._driver.closed:
                self._run("rollback to savepoint kanon_reading")
                self._run("release savepoint kanon_reading")


class MariaDBReader(Reader):
    """MariaDB refuses changes in a transaction that only reads."""

    def __init__(self, driver: Any, run: Callable[[str], None]) -> None:
        self._driver, self._run = driver, run

    @contextmanager
    def read_only(self) -> Iterator[None]:
        self._run("start transaction read only")
        try:
            yield
        finally:
            if self._driver.open:
                self._run("rollback")
