"""SQLite: BEGIN IMMEDIATE keeps writers and other runs out; VACUUM erases the original rows from the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from kanon_sql.errors import KanonError, RequestError
from kanon_sql.sql.table_text import TableText, read
from kanon_sql.stages.replace.change import Change
from kanon_sql.stages.replace.protocol import Scrub
from kanon_sql.stages.replace.rebuilding import RebuildingProtocol
from kanon_sql.tables import Column, TableName


class SQLiteProtocol(RebuildingProtocol):
    """Replace the rows in one transaction; in rollback-journal mode, readers get a locked-database error while it commits."""

    not_ours: ClassVar[tuple[str, ...]] = ("backups and copies of the file", "free blocks of the file system")

    def lock(self, others: Sequence[TableName], *, begin: bool = True) -> None:  # noqa: ARG002 (the lock is on the whole file)
        if begin:
            self._workspace.transaction.begin("in_place")

    def _text(self) -> TableText:
        rows = self._workspace.look_up("replace/table_text", self.table.parts)
        if not rows:
            raise RequestError(f"{self.table} is in an attached database; open that database itself to replace its rows")
        return read(rows[0][0], self.table.table)

    def stage(self, change: Change, columns: Sequence[Column], select: str) -> TableName:
        self._counter = self._count()
        return super().stage(change, columns, select)

    def _count(self) -> int | None:
        """Return the highest number that AUTOINCREMENT has assigned, if the table uses it."""
        if not self._workspace.look_up("replace/has_counters", ()):
            return None
        rows = self._workspace.look_up("replace/counter", (self.table.table,))
        return int(rows[0][0]) if rows else None

    def finish(self, change: Change) -> None:
        super().finish(change)
        if self._counter is not None and "autoincrement" in str(self._text().columns).lower():
            self._workspace.define("replace/add_counter", [self.table.table])
            self._workspace.define("replace/set_counter", [self._counter, self.table.table])
        for (name,) in self._workspace.look_up("replace/statistics_tables", ()):
            self._workspace.define("replace/delete_statistics", [self.table.table], statistics=name)

    def scrub(self) -> Scrub:
        """Rewrite the file by VACUUM, and empty the write-ahead log and a persistent journal."""
        try:
            ((mode,),) = self._workspace.fetch("replace/journal_mode")
            if mode == "persist":
                self._workspace.fetch("replace/journal_mode_delete")
            self._workspace.define("replace/vacuum")
            ((busy, *_),) = self._workspace.fetch("replace/checkpoint")
            if mode == "persist":
                self._workspace.fetch("replace/journal_mode_persist")
        except KanonError as error:
            return Scrub(done=False, remaining=(f"original rows in free pages of the file ({error})",))
        if mode == "memory":
            return Scrub(done=False, remaining=("original rows in memory, until the process ends",), expected=True)
        if mode == "wal" and busy:
            return Scrub(done=False, remaining=("original rows in the write-ahead log, which another connection is reading",))
        return Scrub(done=True)
