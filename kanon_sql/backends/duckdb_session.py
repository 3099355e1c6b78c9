"""Settings of a DuckDB connection that the statements of a run depend on."""

from __future__ import annotations

from contextlib import suppress

import duckdb

from kanon_sql.errors import RequestError
from kanon_sql.sql import templates

# For each setting the values that a run can work with, as the catalog spells them; the first is set if another one is found.
_NEEDED: dict[str, tuple[str, ...]] = {
    "TimeZone": ("UTC", "Etc/UTC"),  # calendar units of timestamps with a zone must not depend on the location
    "Calendar": ("gregorian",),
    "default_order": ("asc", "ascending"),
    "default_null_order": ("nulls_last",),
    "default_collation": ("", "binary", "c", "posix"),
    "integer_division": ("false",),
    "ieee_floating_point_ops": ("true",),
    "error_on_division_by_zero": ("true",),
    "scalar_subquery_error_on_multiple_rows": ("true",),
    "disable_timestamptz_casts": ("false",),
    "preserve_insertion_order": ("true",),  # the release is inserted in random order within each class
}
_OF_EXTENSIONS = ("TimeZone", "Calendar")  # RESET gives these DuckDB's own value, not the database's

# Planning how a sort stores its columns grows with about the fourth power of their number: minutes for 200.
_SLOW_OPTIMIZER = "compressed_materialization"
MANY_COLUMNS = 40


class DuckDBSession:
    """The settings of one connection, and what they were before."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._before: dict[str, str | None] = {}  # None means the value of the whole database
        self._optimizers: str | None = None  # the optimizers that were switched off before, if that was changed

    def prepare(self) -> None:
        """Give every setting a value that a run can work with, for this connection only."""
        query = templates.render("workspace/session/settings", "duckdb", {})
        for name, value, scope in self._connection.execute(query, [list(_NEEDED)]).fetchall():
            if (value or "").lower() in (needed.lower() for needed in _NEEDED[name]):
                continue
            self._before.setdefault(name, value if scope == "LOCAL" or name in _OF_EXTENSIONS else None)
            setting = f"{name} = '{_NEEDED[name][0]}'"
            try:
                self._connection.execute(f"set session {setting}")
            except duckdb.InvalidInputException:
                raise RequestError(
                    f"the connection has {name} = {value} and its configuration is locked; set {setting} before locking it"
                ) from None

    def expect_columns(self, count: int) -> None:
        """Switch off an optimizer for wide tables, in the whole database, because a connection cannot set this for itself."""
        query = templates.render("workspace/session/disabled_optimizers", "duckdb", {})
        ((value,),) = self._connection.execute(query).fetchall()
        disabled = [name for name in (value or "").split(",") if name]
        if count > MANY_COLUMNS and _SLOW_OPTIMIZER not in disabled:
            with suppress(duckdb.InvalidInputException):  # with a locked configuration the run is slower, but correct
                self._connection.execute("set disabled_optimizers = $1", [",".join([*disabled, _SLOW_OPTIMIZER])])
                self._optimizers = value or ""

    def restore(self) -> None:
        """Give every changed setting its earlier value."""
        for name, value in self._before.items():
            with suppress(duckdb.InvalidInputException):  # a hook of the user has locked the configuration
                if value is None:
                    self._connection.execute(f"reset session {name}")
                else:
                    self._connection.execute(f"set session {name} = $1", [value])
        self._before.clear()
        if self._optimizers is not None:
            self._connection.execute("set disabled_optimizers = $1", [self._optimizers])
            self._optimizers = None
