"""The transaction of a run, and the end of everything that it created."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kanon_sql.backends import Purpose
from kanon_sql.errors import KanonError

if TYPE_CHECKING:
    from kanon_sql.workspace.workspace import Workspace


class Transaction:
    """Begins, commits and undoes the work of one run."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._backend = workspace.backend
        self._tables = workspace.tables
        self._permanent = workspace.permanent
        self._endings: list[Callable[[], None]] = []

    def begin(self, purpose: Purpose) -> None:
        """Open a transaction."""
        self._workspace.perform("begin", "begin", lambda: self._backend.begin(purpose))

    def begin_writing(self) -> None:
        """Open the transaction that creates the release, unless counting already did."""
        if self._backend.counts_outside:
            self.begin("publish")

    def commit(self) -> None:
        """Make the work of the run visible."""
        if self._backend.has_transactions:
            self._workspace.perform("commit", "commit", self._backend.commit)
        self._tables.mark_committed()

    def start_over(self) -> None:
        """Undo everything so far, so the run can begin again."""
        self._rollback()
        if self._backend.searches_in_transaction:
            self._tables.note_rollback(keep_committed=False)
        else:
            self._tables.drop_now()

    def abandon(self) -> None:
        """Roll back, and drop the tables that a rollback keeps; on a new connection if this one is lost."""
        if self._backend.rolls_back_tables:
            self._rollback()
            self._permanent.note_rollback()
            if self._backend.searches_in_transaction:
                self._tables.note_rollback(keep_committed=True)
            self._tables.drop_now()  # created outside the transaction
            return
        try:
            self._rollback()
            self._tables.drop_now()
            self._permanent.drop_all()
        except KanonError:
            self._backend.reconnect()
            self._tables.note_end_of_session()
            self._tables.drop_now()
            self._permanent.drop_all()

    def at_end(self, action: Callable[[], None]) -> None:
        """Do something after the work is committed or undone."""
        self._endings.append(action)

    def end(self) -> None:
        """Undo what is not committed, then do what was asked for the end."""
        if self._backend.ends_with_run:
            self._tables.note_end_of_session()
        self.abandon()
        for ending in reversed(self._endings):
            ending()

    def _rollback(self) -> None:
        if self._backend.has_transactions:
            self._workspace.perform("rollback", "rollback", self._backend.rollback)
