"""DuckDB: a comment on the table locks it; copying the database into a new file erases the original rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from kanon_sql.errors import KanonError, RequestError
from kanon_sql.sql.table_text import TableText, read
from kanon_sql.stages.replace.change import Change, DependentObject
from kanon_sql.stages.replace.protocol import Scrub
from kanon_sql.stages.replace.rebuilding import RebuildingProtocol
from kanon_sql.stages.replace.written import dependents_as_written
from kanon_sql.tables import TableName


class DuckDBProtocol(RebuildingProtocol):
    """Replace the rows in one transaction; another transaction that writes to the table during it fails at its own commit."""

    not_ours: ClassVar[tuple[str, ...]] = ("backups and copies of the file", "free blocks of the file system")

    def lock(self, others: Sequence[TableName], *, begin: bool = True) -> None:  # noqa: ARG002 (one comment is enough)
        ((version,),) = self._workspace.look_up("replace/version", ())
        if begin and version.startswith("v1.") and not self._workspace.backend.is_alone:
            raise RequestError(
                "DuckDB 1.x cannot lock a table against other threads; pass the database's URL instead of a connection, or use DuckDB 2"
            )
        ((_, comment),) = self._workspace.look_up("replace/table_text", self.table.parts)
        if begin:
            self._workspace.transaction.begin("in_place")
        # This must be the first statement of the transaction: a read before it would miss rows that are committed in between.
        self._workspace.define("replace/comment_on_table", table=self.table, comment=_literal(comment))

    def _text(self) -> TableText:
        ((text, _),) = self._workspace.look_up("replace/table_text", self.table.parts)
        return read(text, self.table.table)

    def dependents(self) -> list[DependentObject]:
        has_triggers = bool(self._workspace.look_up("replace/has_triggers", ()))
        found = dependents_as_written(self._workspace, self.table, self._text(), triggers=has_triggers)
        return [replace(d, kind="blocking_key") if d.kind == "incoming_key" else d for d in found]

    def write(self, staged: TableName, change: Change) -> None:
        ((_, self._comment),) = self._workspace.look_up("replace/table_text", self.table.parts)
        self._comments = self._workspace.look_up("replace/comments", self.table.parts)
        super().write(staged, change)

    def finish(self, change: Change) -> None:
        super().finish(change)
        if self._comment is not None:
            self._workspace.define("replace/comment_on_table", table=self.table, comment=_literal(self._comment))
        dropped = {column.name for column in change.dropped}
        for name, comment in self._comments:
            if name not in dropped:
                column = TableName((*self.table.parts, name))
                self._workspace.define("replace/comment_on_column", column=column, comment=_literal(comment))

    def scrub(self) -> Scrub:
        """Copy the database into a new file, because free blocks keep the rows after CHECKPOINT and VACUUM."""
        rewrite = self._workspace.backend.rewrite_file
        if rewrite is None:
            where = "memory" if self._workspace.backend.is_alone else "the free blocks of the file, because the caller owns the connection"
            return Scrub(done=False, remaining=(f"original rows in {where}; kanon recover erases them from a file",), expected=True)
        try:
            self._workspace.define("replace/checkpoint")
            triggers = self._all_triggers()
            self._workspace.perform("replace/rewrite", "copy from database", lambda: rewrite(triggers))
        except (KanonError, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            return Scrub(done=False, remaining=(f"original rows in free blocks of the file ({reason})",))
        return Scrub(done=True)

    def _all_triggers(self) -> list[str]:
        """Return the statements that create the database's triggers, which a copy would lose."""
        if not self._workspace.look_up("replace/has_triggers", ()):
            return []
        return [text for _, text in self._workspace.look_up("replace/all_triggers", (self.table.parts[0],))]


def _literal(comment: str | None) -> str:
    return "null" if comment is None else "'" + comment.replace("'", "''") + "'"
