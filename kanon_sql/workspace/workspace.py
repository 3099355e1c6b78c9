"""The one door to the database: one run on one connection, and every table it makes."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Self

from kanon_sql.backends import Backend, Purpose
from kanon_sql.errors import KanonError
from kanon_sql.tables import TableName
from kanon_sql.workspace.run_tables import RunTables
from kanon_sql.workspace.statements import DONE, ERASED, UNDONE, StageListener


class Workspace(RunTables):
    """One run: everything it makes stands in one transaction where the engine has one, and is gone afterwards."""

    def __init__(self, backend: Backend, purpose: Purpose | None, listener: StageListener | None = None) -> None:
        super().__init__(backend, listener)
        self._purpose = purpose
        self._endings: list[Callable[[], None]] = []
        self._committed: list[TableName] = []  # temporary tables that a rollback does not drop

    def at_end(self, action: Callable[[], None]) -> None:
        """Does something when the workspace is left and everything is undone or committed."""
        self._endings.append(action)

    def __enter__(self) -> Self:
        try:
            if self._purpose is not None:
                self.begin(self._purpose)
        except BaseException:
            self.backend.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            self.abandon()
            for ending in reversed(self._endings):
                ending()
        except Exception:
            if error is None:
                raise
        finally:
            self.backend.close()

    def begin(self, purpose: Purpose) -> None:
        """Opens a transaction."""
        self.perform("begin", "begin", lambda: self.backend.begin(purpose))

    def begin_writing(self) -> None:
        """What a new table needs becomes visible at once from here on, whether counting was part of a transaction or not."""
        if self.backend.counts_outside:
            self.begin("publish")

    def commit(self) -> None:
        """Makes what the run did visible."""
        self.perform("commit", "commit", self.backend.commit)
        self._committed = list(self._temporary)

    def tell_outcome(self, *, committed: bool) -> None:
        """Says what became of a swap that was stopped."""
        if self._stage == "swap":
            self._listener(DONE if committed else UNDONE, None)

    def tell_erased(self) -> None:
        """Report that the original rows are erased."""
        self._listener(ERASED, None)

    def start_over(self) -> None:
        """Undoes everything the run has done so far, so that it can begin again."""
        self.perform("rollback", "rollback", self.backend.rollback)
        if self.backend.searches_in_transaction:
            self._temporary.clear()
        else:
            self.forget_all()

    def _drop_lasting(self) -> None:
        while self._lasting:
            self.define("workspace/ddl/drop_table_if_exists", table=self._lasting[-1])
            self._lasting.pop()

    def abandon(self) -> None:
        """Rolls back; where the engine keeps tables all the same, drops them, on a new connection if this one is lost."""
        if self.backend.rolls_back_tables:
            self.perform("rollback", "rollback", self.backend.rollback)
            self._lasting.clear()
            if self.backend.searches_in_transaction:
                self._temporary = [table for table in self._temporary if table in self._committed]
            self.forget_all()  # what was made outside the transaction
            return
        try:
            self.perform("rollback", "rollback", self.backend.rollback)
            self.forget_all()
            self._drop_lasting()
        except KanonError:
            self.backend.reconnect()
            self._drop_lasting()
