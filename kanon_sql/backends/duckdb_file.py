"""Files of DuckDB: the spill folder, and a new database file without deleted rows."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb

from kanon_sql.backends.files import is_disk_full
from kanon_sql.errors import BackendError
from kanon_sql.sql import templates

_SPILL = ".kanon_spill_"
_COPY = ".kanon_copy"

# DuckDB draws its bar on stdout, where JSON is expected.
NO_BAR = "set enable_progress_bar = false"


class SpillFolder:
    """A separate folder for data that does not fit into memory: a killed run would leave raw values in the usual one."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, database: Path, parent: str | None = None) -> None:
        """Choose the folder: next to the database, or inside a parent that the user chose, which other databases may use too."""
        remove_leftovers(database)
        beginning = database
        if parent is not None:
            digest = hashlib.sha256(str(database).encode()).hexdigest()[:8]
            beginning = Path(parent).resolve() / f"{database.name}.{digest}"
            _remove_spilled(beginning)
        self._folder = beginning.with_name(f"{beginning.name}{_SPILL}{os.getpid()}")
        with suppress(duckdb.Error):  # another connection of this process has spilled already
            connection.execute(f"set temp_directory = {_text(self._folder)}")

    def remove(self) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)


def remove_leftovers(database: Path) -> None:
    """Remove leftovers of killed runs next to a database, which only one process can have open for writing."""
    _remove_spilled(database)
    _remove_copies(database)


def _remove_spilled(beginning: Path) -> None:
    """Remove the spill folders of other processes whose paths begin like this."""
    for leftover in beginning.parent.glob(f"{_escaped(beginning.name)}{_SPILL}*"):
        if leftover.name != f"{beginning.name}{_SPILL}{os.getpid()}":
            shutil.rmtree(leftover, ignore_errors=True)


def execute(connection: duckdb.DuckDBPyConnection, sql: str, parameters: Sequence[object] = ()) -> Any:
    """Run a statement; Ctrl-C, which DuckDB reports as an error of the statement, is raised as such."""
    try:
        return connection.execute(sql, list(parameters)) if parameters else connection.execute(sql)
    except (duckdb.InterruptException, RuntimeError) as error:
        if isinstance(error, duckdb.InterruptException) or "interrupt" in str(error).lower():
            raise KeyboardInterrupt from None
        raise


def rewrite(database: Path, statements: Sequence[str]) -> None:
    """Replace the file by a copy that holds the same, but no free block; statements are run in the copy."""
    _remove_copies(database)
    try:
        connection = duckdb.connect(":memory:")
        try:
            _replace_by_copy(connection, database, statements)
        finally:
            _close(connection)
        return
    except (duckdb.Error, OSError) as error:
        if not is_disk_full(str(error)):
            raise
    finally:
        _remove_copies(database)
    needed, free = database.stat().st_size, shutil.disk_usage(database.parent).free
    raise BackendError(f"the disk is full: a new file of up to {needed:,} bytes is written next to the database, {free:,} bytes are free")


def _replace_by_copy(connection: duckdb.DuckDBPyConnection, database: Path, statements: Sequence[str]) -> None:
    copy = database.with_name(database.name + _COPY)
    execute(connection, NO_BAR)
    execute(connection, f"attach {_text(database)} as original (read_only)")  # nobody can write to it until the end
    if database.with_name(f"{database.name}.wal").exists():
        raise BackendError("another process has written to the file and left a log next to it")
    # A log would need the same space again, and only a complete copy is used.
    execute(connection, f"attach {_text(copy)} as scrubbed (recovery_mode 'no_wal_writes'{_same_version(connection)})")
    execute(connection, "copy from database original to scrubbed")
    execute(connection, "use scrubbed")
    for statement in statements:
        execute(connection, statement)
    execute(connection, "use memory")
    execute(connection, "detach scrubbed")
    _replace_file(copy, database)


def _remove_copies(database: Path) -> None:
    """Remove a half-made copy and what DuckDB left next to it."""
    for leftover in database.parent.glob(f"{_escaped(database.name)}{_COPY}*"):
        leftover.unlink(missing_ok=True)


def _close(connection: duckdb.DuckDBPyConnection) -> None:
    """Close a connection, again if Ctrl-C stopped the first attempt, because nobody else could open the file."""
    try:
        connection.close()
    finally:
        connection.close()


def _same_version(connection: duckdb.DuckDBPyConnection) -> str:
    """Return the option that lets the copy be read by the versions of DuckDB that could read the original."""
    row = execute(connection, templates.render("replace/storage_version", "duckdb", {}), ["original"]).fetchone()
    version = str(row[0]).split(" ")[0].rstrip("+") if row and row[0] else ""
    return f", storage_version {_text(version)}" if version.startswith("v") else ""


def _replace_file(copy: Path, database: Path) -> None:
    """Give the copy the file's name, mode and owner, safe against a crash."""
    shutil.copymode(database, copy)
    status = database.stat()
    with suppress(PermissionError):
        os.chown(copy, status.st_uid, status.st_gid)
    for path in (copy, database.parent):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        if path == copy:
            copy.replace(database)


def _text(value: Path | str) -> str:
    return "'" + str(value).replace("'", "''") + "'"


def _escaped(name: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)
