"""The interface of every backend: run SQL text unchanged, in a transaction, and explain errors."""

from __future__ import annotations

import getpass
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from kanon_sql.backends.reading import Reader
from kanon_sql.backends.run_tables import RunTables
from kanon_sql.backends.types import ColumnTypes
from kanon_sql.errors import BackendError

Row = tuple[Any, ...]

# The purpose of a transaction: read one snapshot of the source; publish a new table from one; count for a search that must not block
# others, or for a new table; replace a table's rows under a lock.
Purpose = Literal["read", "publish", "search", "count", "in_place"]


class Backend(ABC):
    """One connection to one database."""

    dialect: ClassVar[str]
    title: ClassVar[str]  # its name in messages
    types: ClassVar[ColumnTypes]
    run_tables: RunTables = RunTables()  # where the tables of a run are, and how a staging table gets its final name
    text_type: ClassVar[str]  # for published labels
    exact_text_type: ClassVar[str]  # for text compared byte for byte in temporary tables
    bytes_type: ClassVar[str] = "blob"
    placeholder: ClassVar[str] = "?"
    largest_integer: ClassVar[int] = 10**38 - 1  # sums are exact up to it
    max_parameters: ClassVar[int] = 30_000
    binds_lists: ClassVar[bool] = False  # a whole column of values can be one parameter, which is far faster than one each
    carries_text: ClassVar[bool] = True  # text at level 0 is taken from the source row, which has its type and collation
    counts_columns_fast: ClassVar[bool] = False  # counting every column alone costs little compared with counting combinations
    keeps_derived_order: ClassVar[bool] = True  # an ORDER BY inside a derived table survives a join
    has_transactions: ClassVar[bool] = True  # without, neither of the following two holds
    rolls_back_tables: ClassVar[bool] = True  # CREATE, RENAME and DROP are part of the transaction
    searches_in_transaction: ClassVar[bool] = True  # a transaction that only reads blocks nobody
    # Columns of the run's tables whose joins are slow without an index. "codes" means all except values of the source, for which the
    # engine builds a faster index in every statement.
    needs_indexes: ClassVar[Literal["all", "codes"] | None] = None
    needs_statistics: ClassVar[bool] = False  # the planner has no statistics of a new table until it is analyzed
    rollup_scans: ClassVar[int] = 3  # scans of its source that making a rollup costs
    rollup_shrinks: ClassVar[int] = 4  # a rollup is worth making if it has at most this fraction of the combinations
    lists_temporary_tables: ClassVar[bool] = True  # the catalog knows the columns of temporary tables
    declares_in_views: ClassVar[bool] = False  # a table created from a query loses the declared types of its columns
    locks_sources: ClassVar[bool] = False  # nobody can alter a table that a transaction has locked for reading, until it ends
    has_claims: ClassVar[bool] = False  # a session can hold a name that other sessions see
    has_turns: ClassVar[bool] = False  # of two transactions that create the same missing table, one would fail without a turn
    has_row_security: ClassVar[bool] = False  # policies may hide rows of a table from some users
    timeouts: ClassVar[tuple[str, ...]] = ()  # that a session can set
    grants: ClassVar[Literal["in_transaction", "by_name"] | None] = None  # permissions on a table: part of it, or of its name
    joined_tables: ClassVar[int | None] = None  # in one statement; None means any number
    hides_tables: ClassVar[bool] = False  # the catalog lists no table that this user has no permission on
    lookup_bytes: int = 0  # the size up to which a table in which rows are looked up is moved to memory; 0 means that none is
    driver_errors: tuple[type[Exception], ...] = ()
    counts_outside: bool = False  # counting has opened no transaction, so writing must open one
    is_alone: bool = False  # no other process can reach the database while this connection is open
    ends_with_run: bool = False  # closing this backend ends the session, and with it all temporary tables
    expect_columns: Callable[[int], None] | None = None  # prepares for statements on tables with this number of columns
    rewrite_file: Callable[[Sequence[str]], None] | None = None  # replaces the file by a copy without free space
    mapped_values: int = 0  # a column with at most this many texts is looked up in a map that a session variable holds, not joined
    file: Path | None = None  # the file that is the database, if it was opened here

    @property
    def reader(self) -> Reader:
        """Return the way in which this engine runs SQL that a user wrote."""
        return Reader()

    @abstractmethod
    def run(self, sql: str, parameters: Sequence[object] = ()) -> None:
        """Run one statement."""

    @abstractmethod
    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """Return the rows of one query, numbers as int and float."""

    @abstractmethod
    def begin(self, purpose: Purpose) -> None:
        """Prepare the session, and open the transaction that a purpose needs on this engine, if any."""

    @abstractmethod
    def commit(self) -> None:
        """Make everything since `begin` visible at once."""

    @abstractmethod
    def rollback(self) -> None:
        """Undo everything since `begin`; harmless outside a transaction."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection if this backend opened it."""

    @abstractmethod
    def explain(self, error: Exception) -> str:
        """Return the reason of a driver's error by its kind, never its text, which may hold values."""

    def user(self) -> str:
        """Return the current user."""
        return getpass.getuser()

    def reconnect(self) -> None:
        """Replace a lost connection by a new one."""
        raise BackendError("the connection was lost")
