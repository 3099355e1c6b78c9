"""What every backend offers the workspace: run SQL text untouched, in a transaction, with its errors explained."""

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

# What a transaction is for: to read one picture of the source; to publish a new table from one; to count for a search that must
# not hold anyone up, or for a new table; to replace a table's rows under a lock.
Purpose = Literal["read", "publish", "search", "count", "in_place"]


class Backend(ABC):
    """One connection to one database."""

    dialect: ClassVar[str]
    title: ClassVar[str]  # what people call it
    types: ClassVar[ColumnTypes]
    run_tables: ClassVar[RunTables] = RunTables()  # where the tables of a run are, and how a staging table gets its final name
    text_type: ClassVar[str]  # for published labels
    exact_text_type: ClassVar[str]  # for text compared byte for byte in the run's own tables
    bytes_type: ClassVar[str] = "blob"
    placeholder: ClassVar[str] = "?"
    largest_integer: ClassVar[int] = 10**38 - 1  # that sums are exact up to
    max_parameters: ClassVar[int] = 30_000
    binds_lists: ClassVar[bool] = False  # a whole column of values can be one parameter, which is far faster than one each
    carries_text: ClassVar[bool] = True  # text at level 0 is taken from the source row, which has its type and collation
    keeps_derived_order: ClassVar[bool] = True  # an ORDER BY inside a derived table survives a join
    has_transactions: ClassVar[bool] = True  # without, neither of the following two holds
    rolls_back_tables: ClassVar[bool] = True  # CREATE, RENAME and DROP are part of the transaction
    searches_in_transaction: ClassVar[bool] = True  # a transaction that only reads holds nobody up
    needs_indexes: ClassVar[bool] = False  # joins between tables of the run are slow without an index
    needs_statistics: ClassVar[bool] = False  # the planner knows nothing of a new table until it is analyzed
    lists_temporary_tables: ClassVar[bool] = True  # the catalog knows the columns of temporary tables
    declares_in_views: ClassVar[bool] = False  # a table made of a query forgets the types its columns were declared with
    locks_sources: ClassVar[bool] = False  # nobody can alter what a transaction has locked for reading, until it ends
    has_claims: ClassVar[bool] = False  # a session can hold a name that other sessions see
    has_turns: ClassVar[bool] = False  # of two transactions that create the same missing table, one would fail without a turn
    has_row_security: ClassVar[bool] = False  # policies may hide rows of a table from some users
    timeouts: ClassVar[tuple[str, ...]] = ()  # which a session can be given
    grants: ClassVar[Literal["in_transaction", "by_name"] | None] = None  # rights on a table: made with it, or by its name, or none
    joined_tables: ClassVar[int | None] = None  # that a statement can join, None: any number
    hides_tables: ClassVar[bool] = False  # the catalog lists no table that this user has no right on
    driver_errors: tuple[type[Exception], ...] = ()
    counts_outside: bool = False  # counting has opened no transaction: the one to write in is still to be opened
    is_alone: bool = False  # no other process can reach the database while this connection is open
    expect_columns: Callable[[int], None] | None = None  # prepares for statements about tables of so many columns
    rewrite_file: Callable[[Sequence[str]], None] | None = None  # puts a copy without free space in the file's place
    file: Path | None = None  # the file that is the database, if it was opened here

    @property
    def reader(self) -> Reader:
        """How SQL that a user wrote is run."""
        return Reader()

    @abstractmethod
    def run(self, sql: str, parameters: Sequence[object] = ()) -> None:
        """Runs one statement."""

    @abstractmethod
    def fetch(self, sql: str, parameters: Sequence[object] = ()) -> list[Row]:
        """The rows of one query, numbers as int and float."""

    @abstractmethod
    def begin(self, purpose: Purpose) -> None:
        """Opens the transaction that a purpose needs on this engine, if any."""

    @abstractmethod
    def commit(self) -> None:
        """Makes everything since `begin` visible at once."""

    @abstractmethod
    def rollback(self) -> None:
        """Undoes everything since `begin`; harmless outside a transaction."""

    @abstractmethod
    def close(self) -> None:
        """Closes the connection if this backend opened it."""

    @abstractmethod
    def explain(self, error: Exception) -> str:
        """A driver's error in our words: its kind, never its text, which may hold values."""

    def user(self) -> str:
        """Who is at work."""
        return getpass.getuser()

    def reconnect(self) -> None:
        """Opens a new connection in place of one that was lost."""
        raise BackendError("the connection was lost")
