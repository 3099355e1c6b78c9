"""DuckDB through its own driver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import duckdb

from kanon_sql.backends.base import Backend, Purpose, Row
from kanon_sql.backends.duckdb_file import NO_BAR, SpillFolder, execute, rewrite
from kanon_sql.backends.duckdb_session import DuckDBSession
from kanon_sql.backends.duckdb_url import parse_url
from kanon_sql.backends.files import cause_of, is_disk_full, require_file
from kanon_sql.backends.types import ColumnTypes
from kanon_sql.errors import BackendError, RequestError
from kanon_sql.sql import templates
from kanon_sql.tables import ColumnKind

_KINDS: dict[str, ColumnKind] = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"), "integer"),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"), "integer"),
    "FLOAT": "single",
    "DOUBLE": "float",
    **dict.fromkeys(("VARCHAR", "UUID", "ENUM", "INTERVAL", "TIME", "TIME WITH TIME ZONE"), "text"),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE"), "timestamp"),
    "DECIMAL": "decimal",
    "BOOLEAN": "boolean",
    "DATE": "date",
}


# In a file, a column of few texts is stored as a dictionary. DuckDB then calls a function once per text, but joins row by row. In memory,
# texts are stored one by one, and the function would compare each with every key of the map.
MAPPED_VALUES = 64

_NOT_COMMITTED = "DuckDB could not commit; check the disk and the permissions of the database file, then run again"


class DuckDBTypes(ColumnTypes):
    """The column types of DuckDB."""

    def kind_of(self, family: str) -> ColumnKind:
        if family.endswith("]"):
            return "other"
        return _KINDS.get(family.split("(")[0].strip().upper(), "other")

    def holds_labels(self, type_name: str) -> bool:
        return type_name == "VARCHAR"


class DuckDBBackend(Backend):
    """A DuckDB connection, opened here or passed by the caller."""

    dialect: ClassVar[str] = "duckdb"
    title: ClassVar[str] = "DuckDB"
    types: ClassVar[ColumnTypes] = DuckDBTypes()
    text_type: ClassVar[str] = "VARCHAR"
    exact_text_type: ClassVar[str] = "VARCHAR"
    binds_lists: ClassVar[bool] = True
    carries_text: ClassVar[bool] = False  # sorts stay narrow, and an insert converts text to any type
    counts_columns_fast: ClassVar[bool] = True
    driver_errors = (duckdb.Error,)

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        *,
        owned: bool,
        path: Path | None = None,
        settings: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._connection = connection
        self._settings: dict[str, Any] = dict(settings)
        self._owned = self.is_alone = self.ends_with_run = owned
        self._spill = SpillFolder(connection, path, settings.get("temp_directory")) if path is not None else None
        if path is not None:
            self.rewrite_file = partial(self._rewrite, path)
        if owned:
            self.run(NO_BAR)
        # Outside a transaction every statement is a transaction with its own id.
        first, second = (self.fetch("select txid_current()") for _ in range(2))
        if first == second:
            raise RequestError("the connection has an open transaction; commit or roll it back first")
        self._session = DuckDBSession(connection)
        self.expect_columns = self._session.expect_columns

    @classmethod
    def connect(
        cls, connection: Any, *, read_only: bool, create: bool, settings: Mapping[str, str] = MappingProxyType({})
    ) -> DuckDBBackend:
        """Return the backend for a URL or for a connection of the driver, which stays open."""
        if isinstance(connection, duckdb.DuckDBPyConnection):
            return cls(connection, owned=False)
        database, in_url = parse_url(str(connection))
        return cls.open(database or ":memory:", read_only=read_only, create=create, settings={**in_url, **settings})

    @classmethod
    def open(cls, database: str, *, read_only: bool, create: bool, settings: Mapping[str, str] = MappingProxyType({})) -> DuckDBBackend:
        """Connect to a database file, which must exist unless it is to be created, or to `:memory:`."""
        memory = database in ("", ":memory:")
        if not memory and not (create and not Path(database).exists()):
            require_file(database, writes=not read_only)
        try:
            connection = duckdb.connect(database or ":memory:", read_only=read_only and not memory, config=dict(settings))
            try:
                if not memory:
                    _require_own_file(connection, database)
                file = None if memory else Path(database).resolve()
                backend = cls(connection, owned=True, path=None if read_only else file, settings=settings)
                backend.file = file
                backend.mapped_values = 0 if memory else MAPPED_VALUES
                return backend
            except BaseException:
                connection.close()  # otherwise this process would keep the file locked
                raise
        except duckdb.IOException as error:
            if is_disk_full(str(error)):
                raise BackendError(
                    f"database file {database} cannot be opened: the disk is full, and DuckDB must write to finish what is in the log "
                    f"next to the file (.wal); free some space and try again. No row is lost"
                ) from None
            if "lock" in str(error).lower():
                raise BackendError(f"database file {database} is in use by another process; try again when it is closed") from None
            raise BackendError(f"database file {database} cannot be opened: {_why_closed(str(error))}") from None
        except duckdb.Error as error:
            if settings and isinstance(error, duckdb.InvalidInputException | duckdb.ParserException):
                raise RequestError(
                    f"DuckDB does not accept the value of {' or '.join(settings)}; write for example memory_limit=4GB in the URL, "
                    "or memory_limit: 4GB in the settings of the profile"
                ) from None
            reason = f"not a DuckDB file, or damaged ({type(error).__name__})"
            raise BackendError(f"database file {database} cannot be opened: {reason}") from None

    def run(self, sql: str, parameters: Sequence[object] = ()) -> None:
        self._execute(sql, parameters)

    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        return [tuple(row) for row in self._execute(sql, parameters).fetchall()]

    def _execute(self, sql: str, parameters: Sequence[object]) -> Any:
        return execute(self._connection, sql, parameters)

    def begin(self, purpose: Purpose) -> None:
        self._session.prepare()
        # Memory of tables that are dropped in a transaction is free only after it. If no other process can open the file, only this
        # process could change the source, and the sums of the release would show it.
        self.counts_outside = purpose == "count" and self.is_alone
        if not self.counts_outside:
            self.run("begin")

    def commit(self) -> None:
        self.run("commit")

    def rollback(self) -> None:
        try:
            self.run("rollback")
        except duckdb.Error:
            return  # no transaction is open, or the engine has ended it itself

    def _rewrite(self, path: Path, statements: Sequence[str]) -> None:
        """Close the file, replace it by a copy that holds no free block, and open that."""
        self._connection.close()
        try:
            rewrite(path, statements)
        except BaseException:
            with suppress(duckdb.Error):  # the first error is reported
                self._reopen(path)
            raise
        self._reopen(path)

    def _reopen(self, path: Path) -> None:
        self._connection = duckdb.connect(str(path), config=self._settings)
        self._session = DuckDBSession(self._connection)
        self.expect_columns = self._session.expect_columns
        self.run(NO_BAR)

    def close(self) -> None:
        if self._owned:
            self._connection.close()
            if self._spill is not None:
                self._spill.remove()
        else:
            self._session.restore()

    def explain(self, error: Exception) -> str:
        match error:
            case _ if is_disk_full(str(error)):
                return "the disk is full"
            case duckdb.OutOfMemoryException():
                return "DuckDB ran out of memory or of space for temporary files"
            case duckdb.IOException():
                return cause_of(str(error)) or "DuckDB could not read or write its files"
            case duckdb.PermissionException() | duckdb.InvalidInputException() if "read-only" in str(error):
                return "the database is open for reading only"
            case duckdb.DependencyException():
                return "something depends on the table that would be replaced, such as an index or a foreign key; drop that first"
            case duckdb.TransactionException() if "conflict" in str(error).lower():
                return "another transaction changed the same table; run again"
            case duckdb.TransactionException():
                return cause_of(str(error)) or _NOT_COMMITTED
            case _:
                return f"DuckDB refused the statement ({type(error).__name__})"


def _why_closed(text: str) -> str:
    """Return why DuckDB could not open a file."""
    if "newer version of duckdb" in text.lower():
        return f"it was written by a newer version of DuckDB than {duckdb.__version__}; upgrade DuckDB"
    return cause_of(text) or "not a DuckDB file, or damaged"


def _require_own_file(connection: duckdb.DuckDBPyConnection, database: str) -> None:
    """Raise an error if the database is not the file: DuckDB opens a CSV file as a view in memory, where a release would be lost."""
    (path,) = connection.execute(templates.render("workspace/catalog/own_file", "duckdb", {})).fetchall()[0]
    if path is None:
        raise BackendError(f"{database} is not a DuckDB file; load it into one first: create table t as from '{database}'")
