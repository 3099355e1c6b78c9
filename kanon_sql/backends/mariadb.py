"""MariaDB (and, untested, MySQL) through PyMySQL."""

from __future__ import annotations

import datetime
from typing import Any, ClassVar, Literal

import sqlalchemy as sa

from kanon_sql.backends.base import Purpose
from kanon_sql.backends.reading import MariaDBReader, Reader
from kanon_sql.backends.rights import missing_in_mariadb
from kanon_sql.backends.run_tables import RunTables
from kanon_sql.backends.sqlalchemy import SQLAlchemyBackend
from kanon_sql.backends.types import ColumnTypes
from kanon_sql.errors import RequestError
from kanon_sql.tables import ColumnKind

_KINDS: dict[str, ColumnKind] = {
    **dict.fromkeys(("tinyint", "smallint", "mediumint", "int", "bigint", "year"), "integer"),
    "float": "single",
    "double": "float",
    **dict.fromkeys(("datetime", "timestamp"), "timestamp"),
    **dict.fromkeys(("char", "varchar", "tinytext", "text", "mediumtext", "longtext"), "text"),
    **dict.fromkeys(("enum", "set", "uuid", "inet4", "inet6", "time"), "text"),
    "decimal": "decimal",
    "boolean": "boolean",
    "date": "date",
}

_REASONS = {
    1290: "the server is read-only",
    1792: "the session is read-only (tx_read_only); set it to 0, or connect as a user that may write",
    1836: "the server is read-only",
    1021: "the server's disk is full",
    1114: "a table is full; the server's disk or temporary space is used up",
    1205: "another transaction holds a lock on the table; try again when it has ended",
    1213: "the server ended it to resolve a deadlock; run again",
    1050: "a table of that name was created during the run; is another run publishing into it?",
    1146: "a table was dropped during the run; is another run using it?",
    1317: "another session cancelled it",
    1969: "it was cancelled by a statement timeout",
    1406: "a value is too long for its column",
    **dict.fromkeys((1071, 1709), "an index on columns that become text would be too long; drop it or shorten it first"),
    **dict.fromkeys(
        (1116, 1117, 1118),
        "a table or statement exceeds a limit of MariaDB on joined tables, columns or the size of a row; leave columns out",
    ),
    1264: "a number is out of range",
    1690: "a number is out of range",
    **dict.fromkeys((0, 2006, 2013, 1053, 1927), "the connection to the server was lost"),
}

_MEMORY_TABLE = 2**28  # bytes of a table in memory, unless the server or the user allows more
_LOOKUP = 2**26  # bytes of one that a run keeps; it has one per quasi-identifier

# Literals and casts compare byte for byte; dates are read in one time zone; no value is cut silently.
_SESSION = {
    "sql_mode": "'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_UNSIGNED_SUBTRACTION'",
    "character_set_client": "utf8mb4",
    "character_set_results": "utf8mb4",
    "character_set_connection": "utf8mb4",
    "collation_connection": "utf8mb4_nopad_bin",
    "time_zone": "'+00:00'",
    "lock_wait_timeout": "least(@@lock_wait_timeout, 30)",  # otherwise a forgotten reader makes a run wait for a day
    "innodb_lock_wait_timeout": "@@innodb_lock_wait_timeout",  # that a run may set
    "max_statement_time": "@@max_statement_time",
    "optimizer_search_depth": "2",  # otherwise planning a join of twenty small tables takes minutes
    "sql_safe_updates": "0",
    "sql_select_limit": "18446744073709551615",
    "sql_big_selects": "1",
    "sql_auto_is_null": "0",
    "sql_quote_show_create": "1",  # the text of a table is read by its quotes
    "completion_type": "'NO_CHAIN'",
    "tx_isolation": "'REPEATABLE-READ'",  # rows of other sessions count once they are committed
    "div_precision_increment": "greatest(@@div_precision_increment, 4)",
    "group_concat_max_len": "greatest(@@group_concat_max_len, 1048576)",
    "max_sort_length": "greatest(@@max_sort_length, 1024)",
    "sort_buffer_size": "greatest(@@sort_buffer_size, 2097152)",
    # Larger tables inside a statement go to disk, where grouping takes twice as long.
    "tmp_table_size": f"greatest(@@tmp_table_size, {_MEMORY_TABLE})",
    "max_heap_table_size": f"greatest(@@max_heap_table_size, {_MEMORY_TABLE})",
    "max_recursive_iterations": "greatest(@@max_recursive_iterations, 1000)",
    "check_constraint_checks": "1",
    "explicit_defaults_for_timestamp": "1",  # otherwise a NULL becomes the time of the insert
    "default_storage_engine": "InnoDB",  # a release is written in a transaction
    "default_tmp_storage_engine": "null",  # the same for temporary tables: not every engine takes long text
}

_REFUSED_VALUES = (1193, 1231, 1232, 1292)  # a setting is unknown, or its value is not allowed

# Settings that an in-place run may change in addition; some need a permission to be set at all, even to their current value.
_CHANGED_IN_PLACE = ("foreign_key_checks", "binlog_row_image")
_CHANGEABLE = "select " + ", ".join(f"@@session.{name}" for name in _CHANGED_IN_PLACE)


class MariaDBTypes(ColumnTypes):
    """The column types of MariaDB."""

    def holds_labels(self, type_name: str) -> bool:
        kind, _, rest = type_name.lower().partition(" ")
        roomy = kind in ("text", "mediumtext", "longtext") or (kind.startswith("varchar(") and int(kind[8:-1]) >= 255)
        return roomy and rest.startswith("character set utf8mb4")

    def name_limit(self, name: str) -> str | None:
        return "64 characters" if len(name) > 64 else None

    def kind_of(self, family: str) -> ColumnKind:
        return _KINDS.get(family, "other")

    def bindable(self, value: object) -> object:
        if isinstance(value, datetime.datetime) and value.tzinfo:
            return value.astimezone(datetime.UTC).replace(tzinfo=None)
        return value


class MariaDBBackend(SQLAlchemyBackend):
    """A MariaDB connection; tables are created outside any transaction, so the run drops them itself."""

    dialect: ClassVar[str] = "mysql"
    title: ClassVar[str] = "MariaDB"
    types: ClassVar[ColumnTypes] = MariaDBTypes()
    url_form: ClassVar[str] = "mysql+pymysql://user:password@host/database"
    text_type: ClassVar[str] = "text character set utf8mb4"
    exact_text_type: ClassVar[str] = "text character set utf8mb4 collate utf8mb4_nopad_bin"
    placeholder: ClassVar[str] = "%s"
    keeps_derived_order: ClassVar[bool] = False
    rolls_back_tables: ClassVar[bool] = False
    searches_in_transaction: ClassVar[bool] = False
    needs_indexes: ClassVar[Literal["all", "codes"] | None] = "all"
    lists_temporary_tables: ClassVar[bool] = False
    timeouts: ClassVar[tuple[str, ...]] = ("lock_timeout", "statement_timeout")
    grants: ClassVar[Literal["in_transaction", "by_name"] | None] = "by_name"
    joined_tables: ClassVar[int | None] = 61
    hides_tables: ClassVar[bool] = True
    has_claims: ClassVar[bool] = True
    extra: ClassVar[str] = "mysql"

    @classmethod
    def explain_connecting(cls, url: sa.URL, error: BaseException) -> str:
        code = error.args[0] if error.args else None
        match code:
            case 1045 | 1698:
                return f"user {url.username!r} or the password is not accepted"
            case 1049 | 1044:
                return "there is no such database, or this user may not use it"
            case 2003 | 2002:
                return "no server answers at this address"
            case _:
                return f"the server refused (error {code})" if code else type(error).__name__

    @property
    def reader(self) -> Reader:
        return MariaDBReader(self._driver, self.run)

    def _has_open_transaction(self) -> bool:
        return bool(self._driver.server_status & 1)  # SERVER_STATUS_IN_TRANS

    def _prepare(self) -> None:
        if self._connection.dialect.driver != "pymysql":
            raise RequestError(f"MariaDB is used through PyMySQL: write {self.url_form}")
        from pymysql import cursors

        self._autocommit, self._cursorclass = self._driver.get_autocommit(), self._driver.cursorclass
        self._driver.cursorclass = cursors.Cursor
        self._driver.autocommit(True)
        self._charset = self._driver.charset
        self._changed = {**_SESSION, **self._chosen}
        (self._settings,) = self.fetch("select " + ", ".join(f"@@{name}" for name in self._changed))
        (self._changeable,) = self.fetch(_CHANGEABLE)
        self._driver.set_character_set("utf8mb4")
        try:
            self.run("set " + ", ".join(f"{name} = {value}" for name, value in self._changed.items()))
        except self.driver_errors as error:
            if self._chosen and error.args[0] in _REFUSED_VALUES:
                raise self._refused_settings() from None
            raise
        ((enforced, largest),) = self.fetch("select @@enforce_storage_engine, @@max_heap_table_size")
        if enforced is None:  # otherwise a table of another engine is refused
            self.run_tables = RunTables(separates_scanned=True)
            self.lookup_bytes = min(_LOOKUP, largest // 2)

    def _restore(self) -> None:
        self._driver.set_character_set(self._charset)
        self.run("set " + ", ".join(f"{name} = %s" for name in self._changed), self._settings)
        for name, found, present in zip(_CHANGED_IN_PLACE, self._changeable, self.fetch(_CHANGEABLE)[0], strict=True):
            if found != present:
                self.run(f"set session {name} = %s", [found])
        self._driver.autocommit(self._autocommit)
        self._driver.cursorclass = self._cursorclass

    def begin(self, purpose: Purpose) -> None:
        """Open a transaction for in place only: CREATE TABLE ends every transaction, so for a new table the sums are compared instead."""
        if purpose == "in_place":
            self.run("set autocommit = 0")  # START TRANSACTION would release the locks of LOCK TABLES

    def commit(self) -> None:
        self.run("commit")

    def rollback(self) -> None:
        self.run("rollback")
        self.run("unlock tables")
        self.run("set autocommit = 1")

    def user(self) -> str:
        return str(self.fetch("select current_user()")[0][0])

    def explain(self, error: Exception) -> str:
        code: Any = error.args[0] if error.args else 0
        if code in (1044, 1142, 1143):
            return missing_in_mariadb(code, str(error.args[-1]))
        return _REASONS.get(code, f"MariaDB refused the statement (error {code})")
