"""The claim of a run on its table, from before the search until the run has ended or is undone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol, TypeVar

from kanon_sql.commands.table_run import TableRun
from kanon_sql.errors import BackendError, KanonError
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.claims import claim, release, run_name


class State(Protocol):
    """How far a run has come."""

    def undo(self, stopped: BaseException) -> bool:
        """Undo what a rollback keeps; return whether the release was committed nevertheless."""


Reached = TypeVar("Reached", bound=State)


class Progress:
    """The last state that a run has reached, which decides what is undone if the run fails."""

    def __init__(self, first: State) -> None:
        self.state = first

    def reach(self, state: Reached) -> Reached:
        """Note a state, and return it."""
        self.state = state
        return state


def require_unclaimed(workspace: Workspace, table: TableName) -> None:
    """Raise an error if another run holds the table; reading the journal would wait until that run ends."""
    release(workspace, _claim_table(workspace, table))


@contextmanager
def claimed(run: TableRun, first: State) -> Iterator[Progress]:
    """Hold the names of the table and of the run: a second run stops, and recover leaves this one alone."""
    workspace = run.workspace
    table = _claim_table(workspace, run.table)
    claim(workspace, run_name(workspace.run_id))
    progress = Progress(first)
    try:
        yield progress
    except BaseException as stopped:
        with suppress(KanonError):  # the first error is the one to report; recover does what could not be done now
            _end_failed(run, progress.state, stopped)
        raise
    finally:
        with suppress(KanonError):  # a lost connection has released both already
            release(workspace, run_name(workspace.run_id))
            release(workspace, table)


def _end_failed(run: TableRun, state: State, stopped: BaseException) -> None:
    """Undo everything that was not committed, and record why the run failed."""
    run.workspace.transaction.abandon()
    committed = state.undo(stopped)
    if not committed and run.is_recorded():
        run.record_failure(stopped)
    run.workspace.record.report_outcome(committed=committed)


def _claim_table(workspace: Workspace, table: TableName) -> str:
    """Hold the table's name, and return it."""
    name = f"table {table}"
    if not claim(workspace, name):
        raise BackendError(f"another run is using table {table}; wait until it has ended, then run again")
    return name
