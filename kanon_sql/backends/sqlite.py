"""SQLite: transactions, types and errors."""

from __future__ import annotations

import datetime
import os
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar, Literal, Self

import sqlalchemy as sa

from kanon_sql.backends.base import Purpose, Row
from kanon_sql.backends.files import require_file, require_writable
from kanon_sql.backends.reading import Reader, SQLiteReader
from kanon_sql.backends.sqlalchemy import SQLAlchemyBackend
from kanon_sql.backends.sqlite_functions import AGGREGATES, FUNCTIONS, OURS, logarithm
from kanon_sql.backends.types import ColumnTypes
from kanon_sql.errors import BackendError
from kanon_sql.tables import ColumnKind

# How often SQLite calls back into Python (in virtual machine steps); Ctrl-C is noticed then, also in a long statement.
_STEPS_BETWEEN_SIGNALS = 100_000


_PRAGMAS = {
    "legacy_alter_table": "on",  # otherwise a rename would rewrite the views that read the old table, or fail because of them
    "foreign_keys": "off",  # otherwise dropping a table would delete the rows of tables that point to it
    "secure_delete": "on",  # what is deleted is overwritten
    "ignore_check_constraints": "off",
    "automatic_index": "on",  # otherwise joins compare every pair of rows
    "read_uncommitted": "off",
    "reverse_unordered_selects": "off",
}
_LEAST = {"threads": min(os.cpu_count() or 1, 4)}  # helpers that sort, of which SQLite has none by default; a higher value is kept


@contextmanager
def _heeding_ctrl_c(sql: str) -> Iterator[None]:
    """Raise KeyboardInterrupt for the errors that SQLite reports after Ctrl-C: of the statement, or of a function of this package."""
    try:
        yield
    except sqlite3.OperationalError as error:
        in_ours = str(error).startswith("user-defined ") and any(f"{name}(" in sql for name in OURS)
        if str(error) == "interrupted" or in_ours:
            raise KeyboardInterrupt from None
        raise


_TEXT = ("CHAR", "CLOB", "TEXT")

# SQLite's own affinity rules look for fragments of the type's name; dates and booleans are conventions on top.
_KINDS: tuple[tuple[tuple[str, ...], ColumnKind], ...] = (
    (("DATETIME", "TIMESTAMP"), "timestamp"),
    (("DATE",), "date"),
    (("BOOL",), "boolean"),
    (("INT",), "integer"),
    (_TEXT, "text"),
    (("REAL", "FLOA", "DOUB"), "float"),
    (("JSON", "ARRAY", "XML", "GEOM"), "other"),
    (("NUM", "DEC", "MONEY"), "float"),  # SQLite keeps decimals as binary floating point
)


class SQLiteTypes(ColumnTypes):
    """The column types of SQLite."""

    def kind_of(self, family: str) -> ColumnKind:
        name = family.upper()
        for fragments, kind in _KINDS:
            if any(fragment in name for fragment in fragments):
                return kind
        return "other" if "BLOB" in name else "text" if not name else "float"

    def declared(self, type_name: str) -> str:
        """Return the type if it is plain: SQLite accepts any words for a type."""
        return type_name if re.fullmatch(r"[\w ]*(\([\d, ]*\))?[\w ]*", type_name) else ""

    def holds_labels(self, type_name: str) -> bool:
        return any(fragment in type_name.upper() for fragment in _TEXT)  # no length is ever enforced

    def bindable(self, value: object) -> object:
        if isinstance(value, Decimal):
            return int(value) if value == value.to_integral_value() else float(value)
        if isinstance(value, int) and abs(value) >= 2**63:
            return float(value)  # equals no integer that SQLite can hold
        if isinstance(value, datetime.datetime):
            return value.isoformat(sep=" ")
        if isinstance(value, datetime.date):
            return value.isoformat()
        return value


class SQLiteBackend(SQLAlchemyBackend):
    """A SQLite database file, or one in memory."""

    dialect: ClassVar[str] = "sqlite"
    title: ClassVar[str] = "SQLite"
    types: ClassVar[ColumnTypes] = SQLiteTypes()
    url_form: ClassVar[str] = "sqlite:///file.db"
    text_type: ClassVar[str] = "TEXT"
    exact_text_type: ClassVar[str] = "TEXT"
    largest_integer: ClassVar[int] = 2**63 - 1
    carries_text: ClassVar[bool] = False
    keeps_derived_order: ClassVar[bool] = False
    searches_in_transaction: ClassVar[bool] = False
    needs_indexes: ClassVar[Literal["all", "codes"] | None] = "codes"
    declares_in_views: ClassVar[bool] = True
    joined_tables: ClassVar[int | None] = 64
    timeouts: ClassVar[tuple[str, ...]] = ("lock_timeout",)

    @classmethod
    def open(cls, url: sa.URL, settings: Mapping[str, str] = MappingProxyType({})) -> Self:
        database = url.database
        if database and database != ":memory:" and not database.startswith("file:"):
            require_file(database, writes=False)
        return super().open(url, settings)

    @classmethod
    def explain_connecting(cls, url: sa.URL, error: BaseException) -> str:  # noqa: ARG003 (there is one reason)
        return "not a SQLite file"

    @property
    def reader(self) -> Reader:
        return SQLiteReader(self._driver)

    def _has_open_transaction(self) -> bool:
        return bool(self._driver.in_transaction)

    def _prepare(self) -> None:
        self._factories = self._driver.text_factory, self._driver.row_factory
        self._driver.text_factory, self._driver.row_factory = str, None
        self._isolation_level = self._driver.isolation_level
        self._driver.isolation_level = None  # we say begin and commit; the driver must not
        self._pragmas = {name: self.fetch(f"pragma {name}")[0][0] for name in {**_PRAGMAS, **_LEAST, **self._chosen}}
        raised = {name: max(least, self._pragmas[name]) for name, least in _LEAST.items()}
        for name, value in {**_PRAGMAS, **raised, **self._chosen}.items():
            self.run(f"pragma {name} = {value}")
        self._driver.set_progress_handler(lambda: 0, _STEPS_BETWEEN_SIGNALS)
        for name, arguments, function in FUNCTIONS:
            self._driver.create_function(name, arguments, function, deterministic=True)
        for name, arguments, aggregate in AGGREGATES:
            self._driver.create_aggregate(name, arguments, aggregate)
        try:
            self.fetch("select ln(1)")
        except sqlite3.OperationalError:  # SQLite was built without mathematics
            self._driver.create_function("ln", 1, logarithm, deterministic=True)

    def _restore(self) -> None:
        self._driver.set_progress_handler(None, 0)
        for name, value in self._pragmas.items():
            self.run(f"pragma {name} = {value}")
        self._driver.isolation_level = self._isolation_level
        self._driver.text_factory, self._driver.row_factory = self._factories

    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        with _heeding_ctrl_c(sql):
            return super().fetch(sql, parameters)

    def run(self, sql: str, parameters: Sequence[object] = ()) -> None:
        with _heeding_ctrl_c(sql):
            super().run(sql, parameters)

    def begin(self, purpose: Purpose) -> None:
        if purpose != "read":
            _require_writable(self)
        if purpose == "search":
            return  # in a transaction, what it has read would keep writers out for as long as it searches
        try:
            self.run("begin" if purpose == "read" else "begin immediate")
        except sqlite3.OperationalError as error:
            raise BackendError(f"the transaction could not be opened: {self.explain(error)}") from None
        except sqlite3.DatabaseError as error:
            raise BackendError(f"the database could not be read: {self.explain(error)}") from None

    def commit(self) -> None:
        self.run("commit")

    def rollback(self) -> None:
        if self._driver.in_transaction:
            self.run("rollback")

    def explain(self, error: Exception) -> str:
        if str(error).startswith("Could not decode to UTF-8"):
            return "a text that is not UTF-8 cannot be read; correct such values, or store them as BLOBs"
        if any(fragment in str(error) for fragment in ("too many columns", "too many result set columns", "too many terms", "at most 64")):
            return "a table or statement exceeds a limit of SQLite, such as 2,000 columns; leave columns out"
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        return _REASONS.get(code, f"SQLite refused the statement ({getattr(error, 'sqlite_errorname', type(error).__name__)})")


_REASONS = {
    sqlite3.SQLITE_BUSY: "the database is locked by another connection; try again when it is free",
    sqlite3.SQLITE_LOCKED: "the table is locked by another statement",
    sqlite3.SQLITE_READONLY: "the database is read-only: make the file and its folder writable for this user, and leave out mode=ro "
    "and pragma query_only",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk could not be read or written",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_NOTADB: "the file is not a SQLite database",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
    sqlite3.SQLITE_NOMEM: "SQLite ran out of memory",
}


def _require_writable(backend: SQLiteBackend) -> None:
    """Raise before a search if the release could not be written."""
    ((is_read_only,),) = backend.fetch("pragma query_only")
    if is_read_only:
        raise BackendError(f"the transaction could not be opened: {_REASONS[sqlite3.SQLITE_READONLY]}")
    for _, name, path in backend.fetch("pragma database_list"):
        if name == "main" and path:
            require_writable(Path(path))
