"""Files of DuckDB: where it spills, and a new file that keeps nothing of deleted rows."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import duckdb

from kanon_sql import templates
from kanon_sql.errors import BackendError

_SPILL = ".kanon_spill_"
_COPY = ".kanon_copy"

# DuckDB draws its bar on stdout, where JSON is expected.
NO_BAR = "set enable_progress_bar = false"


class SpillFolder:
    """A folder of our own for what does not fit into memory: a killed run would leave raw values in the usual one for good."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, database: Path) -> None:
        remove_leftovers(database)
        self._folder = database.with_name(f"{database.name}{_SPILL}{os.getpid()}")
        with suppress(duckdb.Error):  # another connection of this process has spilled already
            connection.execute(f"set temp_directory = {_text(self._folder)}")

    def remove(self) -> None:
        """Removes the folder."""
        shutil.rmtree(self._folder, ignore_errors=True)


def remove_leftovers(database: Path) -> None:
    """Removes what killed runs left beside a database; whoever has it open for writing is the only one who has."""
    for leftover in database.parent.glob(f"{_escaped(database.name)}{_SPILL}*"):
        if leftover.name != f"{database.name}{_SPILL}{os.getpid()}":
            shutil.rmtree(leftover, ignore_errors=True)
    for leftover in database.parent.glob(f"{_escaped(database.name)}{_COPY}*"):
        leftover.unlink(missing_ok=True)


def rewrite(database: Path, statements: Sequence[str]) -> None:
    """Puts a copy in the file's place that holds the same, but no free block; statements are run in the copy."""
    copy = database.with_name(database.name + _COPY)
    copy.unlink(missing_ok=True)
    try:
        connection = duckdb.connect(":memory:")
        try:
            connection.execute(NO_BAR)
            connection.execute(f"attach {_text(database)} as original (read_only)")  # until the end nobody can write to it
            if database.with_name(f"{database.name}.wal").exists():
                raise BackendError("another process has written to the file and left a log beside it")
            connection.execute(f"attach {_text(copy)} as scrubbed{_same_version(connection)}")
            connection.execute("copy from database original to scrubbed")
            connection.execute("use scrubbed")
            for statement in statements:
                connection.execute(statement)
            connection.execute("use memory")
            connection.execute("detach scrubbed")
            _take_place(copy, database)
        finally:
            _close(connection)
    finally:
        copy.unlink(missing_ok=True)


def _close(connection: duckdb.DuckDBPyConnection) -> None:
    """Closes a connection; again, for Ctrl-C may have come first, and nobody else could open the file."""
    try:
        connection.close()
    finally:
        connection.close()


def _same_version(connection: duckdb.DuckDBPyConnection) -> str:
    """The option that lets the copy be read by the versions of DuckDB that could read the original."""
    row = connection.execute(templates.render("in_place/storage_version", "duckdb", {}), ["original"]).fetchone()
    version = str(row[0]).split(" ")[0].rstrip("+") if row and row[0] else ""
    return f" (storage_version {_text(version)})" if version.startswith("v") else ""


def _take_place(copy: Path, database: Path) -> None:
    """Gives the copy the file's name, mode and owner, safe against a crash."""
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
