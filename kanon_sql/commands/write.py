"""Replace the rows of a table: claimed → locked → writing → written → committed, then erase the original rows.

Each state is a value that holds what is known at that point; each function takes a run from one state to the next.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, replace

from kanon_sql.artifacts import Recoding, StagedTable
from kanon_sql.commands.pipeline import Solved
from kanon_sql.commands.table_run import TableRun, summarize
from kanon_sql.errors import KanonError, QueryError
from kanon_sql.stages.replace import Change, Protocol, Scrub
from kanon_sql.stages.replace.backup import back_up, begin_back_up
from kanon_sql.stages.replace.disk_space import DiskSpace
from kanon_sql.stages.replace.earlier import fingerprint
from kanon_sql.stages.replace.journal import PUBLISHED, SCRUBBED, SETTLED, WIDENING, Entry, Journal
from kanon_sql.stages.replace.recover import end
from kanon_sql.stages.verify import verify_staged
from kanon_sql.tables import TableDescription, TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import describe
from kanon_sql.workspace.claims import claim, run_name
from kanon_sql.workspace.history import HistoryEntry
from kanon_sql.workspace.kanon_tables import create_missing

SECONDS_TO_WAIT = 30
NOT_SCRUBBED = "original rows wherever the engine left them (scrub: off)"


@dataclass(frozen=True)
class Claimed:
    """No other run works on the table; nothing is changed."""

    run: TableRun

    @property
    def workspace(self) -> Workspace:
        """Return the run's workspace."""
        return self.run.workspace

    @property
    def journal(self) -> Journal:
        """Return the journal of the table's schema."""
        return Journal(self.workspace, self.run.table)

    def undo(self, stopped: BaseException) -> bool:  # noqa: ARG002 (a rollback is enough)
        """Return False: nothing was committed, and the rollback kept nothing."""
        return False


@dataclass(frozen=True)
class Locked(Claimed):
    """No other session can write to the table; the journal exists."""

    protocol: Protocol
    backup: TableName | None  # None means that the policy asks for no backup


@dataclass(frozen=True)
class Writing(Locked):
    """The change to the table is known, and from here on the journal may hold the statements that undo it."""

    change: Change
    entry: Entry
    warnings: tuple[str, ...]

    def undo(self, stopped: BaseException) -> bool:  # noqa: ARG002 (the journal decides)
        """Undo the run where the journal says how; return whether the journal shows a commit that got no answer."""
        committed = False
        for entry in self.journal.entries():
            if entry.run_id == self.entry.run_id:
                committed = entry.state != WIDENING
                if self.protocol.needs_undo:
                    end(self.journal, self.protocol, entry)
        return committed


@dataclass(frozen=True)
class Written(Writing):
    """The table holds the new rows and is verified; other sessions see nothing of it."""


@dataclass(frozen=True)
class Committed(Written):
    """The release is visible; the original rows may remain in free space, logs and statistics."""

    def undo(self, stopped: BaseException) -> bool:  # noqa: ARG002 (recover completes it)
        """Return True: a commit is never undone."""
        return True


def lock(claimed: Claimed, protocol: Protocol, *, begin: bool = True) -> Locked:
    """Create the missing permanent tables, then keep writers out."""
    workspace, run = claimed.workspace, claimed.run
    written_to: dict[TableName, type[Entry] | type[HistoryEntry]] = {claimed.journal.table: Entry}
    if run.policy.publish.keeps_history:
        written_to[run.history] = HistoryEntry
    create_missing(workspace, written_to)
    backup = None
    if run.policy.publish.keep_backup:
        backup = workspace.permanent.name(run.table, "backup")
        begin_back_up(workspace, protocol, backup)
    protocol.lock([*written_to, *([backup] if backup else [])], begin=begin)
    return Locked(run, protocol, backup)


def prepare_write(locked: Locked, change: Change) -> Writing:
    """Back the rows up if the policy asks for it, and work out the statements that undo and complete the change."""
    workspace, run, backup = locked.workspace, locked.run, locked.backup
    warnings = (back_up(workspace, locked.protocol, backup),) if backup else ()
    undo, redo = locked.protocol.prepare(change)
    entry = Entry(
        workspace.run_id,
        run.table.table,
        WIDENING,
        policy_hash=run.policy.content_hash,
        started=run.started,
        backup=backup.table if backup else "",
        scrub=run.policy.publish.scrub if run.policy.publish.in_place else "off",
        undo_ddl=json.dumps(undo),
        redo_ddl=json.dumps(redo),
    )
    return Writing(**vars(locked), change=change, entry=entry, warnings=warnings)


def write(writing: Writing, staged: StagedTable, recoding: Recoding) -> Written:
    """Replace the rows, and verify the table itself, because the write may have changed values."""
    if writing.protocol.needs_undo:  # the engine keeps a write that was interrupted: the journal must say first how to undo it
        writing.journal.add(writing.entry)
        writing.workspace.transaction.commit()
    writing.protocol.write(staged.table, writing.change)
    verify_staged(writing.workspace, staged, recoding, writing.run.policy.models, _table_to_verify(writing, staged))
    writing.protocol.finish(writing.change)
    return Written(**vars(writing))


def commit(written: Written, solved: Solved, space: DiskSpace) -> Committed:
    """Write the journal and the history, and make everything visible at once."""
    workspace = written.workspace
    space.require(written=True)
    entry = _record(written, solved)
    workspace.tables.drop_now()
    if written.backup is not None:
        workspace.permanent.keep(written.backup)  # a run that is stopped before the commit's answer must not drop it; recover does
    warnings = written.warnings
    try:
        workspace.transaction.commit()
    except QueryError:
        if not _was_committed(written):
            raise
        warnings += ("the connection was lost at the commit; the journal shows that the release is complete",)
    return Committed(**{**vars(written), "entry": entry, "warnings": warnings})


def scrub(committed: Committed) -> Scrub:
    """Do what must follow the commit; what fails is left to recover, because the release is complete."""
    try:
        return _scrub(committed)
    except KanonError as error:
        rows = "original rows, because " if committed.run.policy.publish.in_place else ""
        return Scrub(done=False, remaining=(f"{rows}a step after the commit failed ({error})",))


def _table_to_verify(writing: Writing, staged: StagedTable) -> TableName:
    """Return the table, or a copy of the columns to verify where a statement can mention a locked table only once."""
    table, modelled = writing.protocol.table, {values.column for values in writing.run.policy.models.sensitive_values}
    if not writing.protocol.reads_once_under_lock or not modelled or staged.person is not None:
        return table
    columns = [*staged.quasi_identifiers, *(column for column in staged.columns if column.name in modelled)]
    return writing.workspace.tables.create("written", "verify/written", table=table, columns=columns)


def _record(written: Written, solved: Solved) -> Entry:
    """Write the run into the journal, and into the history if the policy keeps one."""
    run, entry = written.run, written.entry
    solution = summarize(run.policy, solved).to_json()
    changes = {
        "state": PUBLISHED,
        "k": json.dumps(solved.recoding.smallest_class),
        "plan_hash": hashlib.sha256(solution.encode()).hexdigest(),
        "utility": json.dumps(solved.utility),
        "solution": solution,
        "fingerprint": _fingerprint(written) if run.policy.publish.in_place else "",
    }
    if written.protocol.needs_undo:
        entry = written.journal.change(entry, **changes)
    else:
        entry = replace(entry, **changes)
        written.journal.add(entry)
    if run.policy.publish.keeps_history:
        run.record_release(solved)
    return entry


def _fingerprint(written: Written) -> str:
    """Return the fingerprint of the table as it will be when the columns to drop are dropped."""
    table = describe(written.workspace, written.run.table)
    dropped = {column.name for column in written.change.dropped}
    staying = tuple(column for column in table.columns if column.name not in dropped)
    return str(fingerprint(written.workspace, TableDescription(table.name, staying, table.unique_columns)))


def _was_committed(written: Written) -> bool:
    """Ask a new connection about a commit that got no answer, once the lost session has ended."""
    workspace = written.workspace
    try:
        workspace.backend.reconnect()
        deadline = time.monotonic() + SECONDS_TO_WAIT
        while not claim(workspace, run_name(workspace.run_id)) and time.monotonic() < deadline:
            time.sleep(0.2)
        states = {entry.run_id: entry.state for entry in written.journal.entries()}
    except KanonError:
        return False
    return states.get(workspace.run_id) == PUBLISHED


def _scrub(committed: Committed) -> Scrub:
    """Drop columns, unlock the table, and erase the original rows."""
    committed.protocol.settle(committed.entry.redo)
    entry = committed.journal.change(committed.entry, state=SETTLED)
    if entry.scrub == "off":
        return Scrub(done=False, remaining=(NOT_SCRUBBED,) if committed.run.policy.publish.in_place else (), expected=True)
    scrubbed = committed.protocol.scrub()
    if scrubbed.done:
        committed.journal.change(entry, state=SCRUBBED)
        committed.workspace.record.report_erased()
    return scrubbed
