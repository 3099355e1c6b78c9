"""Database files: whether this user may read and write them, and why a write failed."""

from __future__ import annotations

import os
from pathlib import Path

from kanon_sql.errors import BackendError

_FULL = ("no space left", "disk quota", "file too large")

# Fragments of the operating system's messages when a file cannot be written, and the cause to report.
_CAUSES = (
    (
        _FULL,
        "the disk is full, or a limit on its use is reached; free some space, then run again",
    ),
    (
        ("permission denied", "read-only file system", "operation not permitted"),
        "this user may not write there; make the database file and its folder writable",
    ),
)


def require_file(database: str, *, writes: bool) -> None:
    """Raise if a database file does not exist, or if this user may not read it or, to write, change it."""
    path = Path(database)
    if not _may(path.parent, os.X_OK) and path.parent.is_dir():
        raise BackendError(f"database file {database} cannot be reached: this user may not enter the folder {path.parent}")
    if not path.is_file():
        raise BackendError(f"database file {database} does not exist")
    if not _may(path, os.R_OK):
        raise BackendError(f"database file {database} cannot be read by this user; grant it the right to read the file")
    if writes:
        require_writable(path)


def require_writable(path: Path) -> None:
    """Raise if a database file or its folder, where logs are kept, is read-only for this user."""
    for checked, what in ((path, "database file"), (path.parent, "folder")):
        if not _may(checked, os.W_OK):
            raise BackendError(
                f"{what} {checked} is read-only for this user; make the database file and its folder writable, or copy the file elsewhere"
            )


def is_disk_full(text: str) -> bool:
    """Return whether the text of an error says that the system refused to write for lack of space."""
    return any(fragment in text.lower() for fragment in _FULL)


def cause_of(text: str) -> str | None:
    """Return why a file could not be written, if the text of an error says it."""
    lowered = text.lower()
    return next((cause for fragments, cause in _CAUSES if any(fragment in lowered for fragment in fragments)), None)


def _may(path: Path, mode: int) -> bool:
    """Return whether this user may access a file in a mode; also false on a file system that is mounted read-only."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)
