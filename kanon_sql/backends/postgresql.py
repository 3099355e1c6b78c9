"""PostgreSQL through psycopg 3."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

import sqlalchemy as sa

from kanon_sql.backends.base import Purpose
from kanon_sql.backends.reading import PostgreSQLReader, Reader
from kanon_sql.backends.rights import missing_in_postgresql
from kanon_sql.backends.sqlalchemy import SQLAlchemyBackend
from kanon_sql.backends.types import ColumnTypes
from kanon_sql.errors import BackendError, RequestError
from kanon_sql.tables import ColumnKind

_KINDS: dict[str, ColumnKind] = {
    **dict.fromkeys(("int2", "int4", "int8"), "integer"),
    "float4": "single",
    "float8": "float",
    **dict.fromkeys(("timestamp", "timestamptz"), "timestamp"),
    **dict.fromkeys(("text", "varchar", "bpchar", "name", "char", "citext", "enum"), "text"),
    **dict.fromkeys(("uuid", "interval", "time", "timetz", "inet", "cidr", "macaddr", "macaddr8", "bit", "varbit", "money", "oid"), "text"),
    "numeric": "decimal",
    "bool": "boolean",
    "date": "date",
}

_OF_DRIVER = ("autocommit", "prepare_threshold", "row_factory", "cursor_factory")

_REASONS = {
    "25006": "the server or the transaction is read-only",
    "53100": "the server's disk is full",
    "53400": "it needs more temporary disk space than the server allows (temp_file_limit)",
    "53200": "the server ran out of memory",
    "57014": "a statement timeout or another session cancelled it",
    "55P03": "another transaction holds a lock on the table; try again when it has ended",
    "40P01": "the server ended it to resolve a deadlock; run again",
    "40001": "another transaction changed the same rows; run again",
    "42P07": "a table of that name was created during the run; is another run publishing into it?",
    "23505": "a table of that name was created during the run; is another run publishing into it?",
    "2BP01": "something depends on the table that would be replaced, such as a view or a foreign key; drop that first",
    "57P01": "the server is shutting down",
    "25P03": "the server ended the session because it was idle in a transaction (idle_in_transaction_session_timeout)",
    "25P04": "the server ended the session because its transaction took too long (transaction_timeout)",
    "22003": "a number is too large for its type",
    "22P05": "a character of the policy or of a hierarchy does not exist in the database's encoding; leave it out",
    **dict.fromkeys(("54001", "54011"), "a table or statement exceeds a limit of PostgreSQL, such as 1,600 columns; leave columns out"),
    "54000": "it exceeds a limit of the server; if the policy sets a masking character, the database's encoding may not have it",
    "22021": "a text is not valid in the encoding it is read in; correct such values",
}

# Settings of a session that change what a statement means, or how a value is spelled, for one transaction.
_SETTINGS = {
    "time zone": "'UTC'",
    "datestyle": "iso",
    "intervalstyle": "postgres",
    "extra_float_digits": "1",  # below it, values that differ are spelled alike
    "bytea_output": "hex",
    "standard_conforming_strings": "on",
    "transform_null_equals": "off",
    "quote_all_identifiers": "off",
}
_REFUSED_VALUES = ("22023", "42704", "55P02", "42501")  # a setting is unknown, or its value is not allowed
# In kB. A run is one session, but a statement may use this much several times.
_LARGEST_WORK_MEM = 262_144
_MEMORY = """
select
    work_mem.setting::bigint,
    work_mem.source,
    pg_size_bytes(current_setting('shared_buffers')) / 1024
from pg_settings as work_mem
where work_mem.name = 'work_mem'
"""
_OF_THE_SERVER = ("default", "configuration file")  # any other source is a choice for this role, database or session
_IS_WRITABLE = "select pg_is_in_recovery(), current_setting('default_transaction_read_only') = 'on'"


class PostgreSQLTypes(ColumnTypes):
    """The column types of PostgreSQL."""

    def holds_labels(self, type_name: str) -> bool:
        return type_name.split(" collate ")[0] in ("text", "character varying")

    def name_limit(self, name: str) -> str | None:
        return "63 bytes" if len(name.encode()) > 63 else None

    def kind_of(self, family: str) -> ColumnKind:
        return _KINDS.get(family, "other")


class PostgreSQLBackend(SQLAlchemyBackend):
    """A PostgreSQL connection; a run is one REPEATABLE READ transaction."""

    dialect: ClassVar[str] = "postgres"
    title: ClassVar[str] = "PostgreSQL"
    types: ClassVar[ColumnTypes] = PostgreSQLTypes()
    url_form: ClassVar[str] = "postgresql+psycopg://user:password@host/database"
    text_type: ClassVar[str] = "text"
    exact_text_type: ClassVar[str] = 'text collate "C"'
    bytes_type: ClassVar[str] = "bytea"
    placeholder: ClassVar[str] = "%s"
    needs_statistics: ClassVar[bool] = True
    rollup_scans: ClassVar[int] = 1  # a scan is slow, because temporary tables are never read in parallel
    rollup_shrinks: ClassVar[int] = 2
    locks_sources: ClassVar[bool] = True
    has_claims: ClassVar[bool] = True
    has_turns: ClassVar[bool] = True
    has_row_security: ClassVar[bool] = True
    timeouts: ClassVar[tuple[str, ...]] = ("lock_timeout", "statement_timeout")
    grants: ClassVar[Literal["in_transaction", "by_name"] | None] = "in_transaction"
    connect_args: ClassVar[Mapping[str, str]] = MappingProxyType({"client_encoding": "utf8"})  # of SQL_ASCII, drivers would make bytes
    extra: ClassVar[str] = "postgres"

    @classmethod
    def explain_connecting(cls, url: sa.URL, error: BaseException) -> str:
        text = str(error).lower()
        if "password authentication failed" in text or "no password supplied" in text:
            return f"user {url.username!r} or the password is not accepted"
        if "does not exist" in text:
            return "there is no such database or user"
        if "refused" in text or "no such file" in text:
            return "no server answers at this address"
        if "translate host" in text or "resolve" in text or "name or service" in text:
            return "the host is not known"
        if "timeout" in text:
            return "no answer in time"
        return f"the server refused ({getattr(error, 'sqlstate', None) or type(error).__name__})"

    @property
    def reader(self) -> Reader:
        return PostgreSQLReader(self._driver, self.run)

    def _has_open_transaction(self) -> bool:
        return bool(self._driver.info.transaction_status != 0)

    def _prepare(self) -> None:
        if self._connection.dialect.driver != "psycopg":
            raise RequestError(f"PostgreSQL is used through psycopg 3: write {self.url_form}")
        import psycopg
        from psycopg import rows

        self._settings: dict[str, Any] = {name: getattr(self._driver, name) for name in _OF_DRIVER}
        self._driver.autocommit = True  # we say begin and commit; the driver must not
        self._driver.prepare_threshold = None
        self._driver.row_factory, self._driver.cursor_factory = rows.tuple_row, psycopg.Cursor
        self.driver_errors = (psycopg.Error, UnicodeError)  # in a database of SQL_ASCII, text may be of any encoding
        self._encoding = self._driver.info.parameter_status("client_encoding")
        if self._encoding != "UTF8":
            self.run("set client_encoding to 'UTF8'")

    def _restore(self) -> None:
        if self._encoding != "UTF8":
            self.run("select set_config('client_encoding', %s, false)", [self._encoding])
        for name, value in self._settings.items():
            setattr(self._driver, name, value)

    def begin(self, purpose: Purpose) -> None:
        self._require_writable(purpose)
        memory = self._work_mem()
        # Under a lock the newest state is wanted; a snapshot from before the lock would miss rows.
        self.run(f"begin isolation level {'read committed' if purpose == 'in_place' else 'repeatable read'} read write")
        self.run("; ".join(f"set local {name} {'' if name == 'time zone' else 'to '}{value}" for name, value in _SETTINGS.items()))
        self._tune(memory)

    def _tune(self, memory: Mapping[str, str]) -> None:
        """Give work_mem and the settings of the user their values for this transaction; a query would already take its snapshot."""
        settings = {**memory, **self._chosen}
        if not settings:
            return
        try:
            self.run("; ".join(f"set local {name} to '{value}'" for name, value in settings.items()))
        except self.driver_errors as error:
            if getattr(error, "sqlstate", None) in _REFUSED_VALUES:
                raise self._refused_settings() from None
            raise

    def _work_mem(self) -> dict[str, str]:
        """Return more memory for grouping and sorting than a server gives every session, unless this session already has more."""
        (present, source, shared_buffers) = self.fetch(_MEMORY)[0]
        wanted = min(_LARGEST_WORK_MEM, shared_buffers // 2)
        return {"work_mem": f"{wanted}kB"} if source in _OF_THE_SERVER and present < wanted else {}

    def _require_writable(self, purpose: Purpose) -> None:
        """Raise if the run could not write; one that only reads may make temporary tables in a session that is read-only by default."""
        ((is_replica, is_read_only),) = self.fetch(_IS_WRITABLE)
        if is_replica:
            raise BackendError("the server is a read-only replica, where a run cannot create temporary tables; connect to the primary")
        if is_read_only and purpose != "read":
            raise BackendError(
                "the session is read-only (default_transaction_read_only); set it to off for this user, database or connection, or use "
                "another user"
            )

    def commit(self) -> None:
        self.run("commit")

    def rollback(self) -> None:
        if not self._driver.closed and self._driver.info.transaction_status != 0:
            self.run("rollback")

    def user(self) -> str:
        return str(self.fetch("select current_user")[0][0])

    def explain(self, error: Exception) -> str:
        if isinstance(error, UnicodeError):
            return "a text that is not UTF-8 cannot be read; correct such values, or convert the database to UTF8"
        state = getattr(error, "sqlstate", None)
        if state is None or state.startswith("08"):
            return "the connection to the server was lost"
        if state == "42501":
            return missing_in_postgresql(str(error.args[0] if error.args else "").split("\n")[0])
        return _REASONS.get(state, f"PostgreSQL refused the statement (SQLSTATE {state})")
