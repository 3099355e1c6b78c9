"""Publish into a table that does not exist yet: stage, verify, then give the staging table its final name."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from kanon_sql.commands.claim import claimed
from kanon_sql.commands.pipeline import Run, Solved, Verified, solve_and_recode, verify_release
from kanon_sql.commands.source import ReadySource
from kanon_sql.commands.table_run import TableRun
from kanon_sql.errors import KanonError
from kanon_sql.stages.publish.staging import publish, swap
from kanon_sql.workspace.catalog import resolve
from kanon_sql.workspace.grants import grant_in_transaction, try_grants
from kanon_sql.workspace.history import HistoryEntry
from kanon_sql.workspace.kanon_tables import create_missing


@dataclass(frozen=True)
class Claimed:
    """No other run works on the target, which does not exist."""

    run: TableRun

    def undo(self, stopped: BaseException) -> bool:
        """Return whether the target exists although the run was stopped: only this run can have created it."""
        return not isinstance(stopped, KanonError) and resolve(self.run.workspace, self.run.table) is not None


@dataclass(frozen=True)
class Committed(Claimed):
    """The release is visible under its final name."""

    def undo(self, stopped: BaseException) -> bool:  # noqa: ARG002 (the release is complete)
        """Return True: a commit is never undone."""
        return True


def publish_new_table(run: Run, ready: ReadySource) -> tuple[Solved, Verified, list[str]]:
    """Publish the source into a new table; return the solution, the verified release and warnings."""
    workspace, policy, target = run.workspace, run.policy, ready.target
    table_run = TableRun(workspace, policy, target.name)
    with claimed(table_run, Claimed(table_run)) as progress:
        solved = solve_and_recode(run, ready.profile)
        workspace.transaction.begin_writing()
        with workspace.stage("publish"):
            query = publish(workspace, ready.profile, solved.recoding)
            staged = query.staged_in(workspace.permanent.stage(target.name, query.columns, query.select))
            ready.require_same_source(workspace)
        verified = verify_release(run, staged, solved)
        with workspace.stage("swap"):
            is_recorded = table_run.is_recorded()
            grant_in_transaction(workspace, staged.table, policy.grants.select)
            try_grants(workspace, staged.table, policy.grants.select)
            swap(workspace, staged, target)
            progress.reach(Committed(table_run))
        return solved, verified, _record(table_run, solved) if is_recorded else []


def _record(run: TableRun, solved: Solved) -> list[str]:
    """Record the release in the history; return a warning if that fails, because the release is published."""
    workspace = run.workspace
    with workspace.stage("history"):
        try:
            workspace.transaction.begin("publish")
            create_missing(workspace, {run.history: HistoryEntry})
            run.record_release(solved)
            workspace.transaction.commit()
        except KanonError as error:
            with suppress(KanonError):
                workspace.transaction.abandon()
            return [f"the release is published, but could not be recorded in {run.history}: {error}"]
    return []
