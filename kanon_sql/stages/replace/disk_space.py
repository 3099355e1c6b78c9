"""Disk space for a run in place: for the new rows, and for erasing the original ones after the commit."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kanon_sql.errors import BackendError, QueryError
from kanon_sql.sql import templates
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

Need = tuple[Path, int]  # bytes in a folder


@dataclass(frozen=True)
class DiskSpace:
    """The disk space that a run in place needs; unknown for a server."""

    new_rows: tuple[Need, ...] = ()
    erasing: tuple[Need, ...] = ()

    def require(self, *, written: bool) -> None:
        """Raise an error if a disk has too little free space; `written` means that the new rows are on it already."""
        disks: dict[int, Need] = {}
        for folder, size in (*self.erasing, *(() if written else self.new_rows)):
            device = folder.stat().st_dev
            first, so_far = disks.get(device, (folder, 0))
            disks[device] = (first, so_far + size)
        for folder, size in disks.values():
            free = shutil.disk_usage(folder).free
            if free < size:
                raise BackendError(
                    f"the disk of {folder} has too little free space to erase the original rows after the release: "
                    f"about {size:,} bytes are needed, {free:,} are free; nothing was changed. Free some space and run again"
                )


def measure_disk_space(workspace: Workspace, table: TableName, columns: Sequence[str]) -> DiskSpace:
    """Return the space that replacing a table's rows takes if these columns stay."""
    if workspace.backend.dialect == "duckdb" and workspace.backend.file is not None:
        return _in_duckdb(workspace, workspace.backend.file.parent, table, columns)
    if workspace.backend.dialect == "sqlite":
        return _in_sqlite(workspace)
    return DiskSpace()


def _in_duckdb(workspace: Workspace, folder: Path, table: TableName, columns: Sequence[str]) -> DiskSpace:
    """Return the space in DuckDB: erasing copies all other tables, and the columns that stay."""
    name = templates.qualified(table, workspace.backend.dialect)
    try:
        ((block, used, own, staying),) = workspace.look_up("replace/sizes", (list(columns), name))
    except QueryError:
        if not any('"' in part for part in table.parts):
            raise
        return DiskSpace()  # DuckDB 1.x cannot find the sizes of a table with a quote in its name
    return DiskSpace(new_rows=((folder, block * staying),), erasing=((folder, block * (used - own + staying)),))


def _in_sqlite(workspace: Workspace) -> DiskSpace:
    """Return the space in SQLite: VACUUM writes a temporary file, and the replaced pages to a journal next to the database."""
    ((file, used, in_memory),) = workspace.look_up("replace/sizes", ())
    if not file:
        return DiskSpace()
    journal = (Path(file).parent, used)
    return DiskSpace(erasing=(journal,) if in_memory else (journal, (_temporary_folder(), used)))


def _temporary_folder() -> Path:
    """Return the folder in which SQLite makes temporary files: the first of its list that can be written to."""
    named = [os.environ.get("SQLITE_TMPDIR"), os.environ.get("TMPDIR"), "/var/tmp", "/usr/tmp", "/tmp"]  # noqa: S108
    return next((Path(folder) for folder in named if folder and Path(folder).is_dir() and os.access(folder, os.W_OK | os.X_OK)), Path())
