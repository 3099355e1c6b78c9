"""The part that all runs share which put rows in place of others: write, verify the table itself, journal, commit, scrub."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from kanon_sql.artifacts import Earlier, Recoding, Solution, StagedTable
from kanon_sql.artifacts.utility import Utility
from kanon_sql.errors import BackendError, KanonError, QueryError
from kanon_sql.policy import Policy
from kanon_sql.report.privacy import story_of
from kanon_sql.stages.replace import Change, Protocol, Scrub
from kanon_sql.stages.replace.backup import back_up, begin_back_up, make_private
from kanon_sql.stages.replace.earlier import fingerprint
from kanon_sql.stages.replace.journal import FAILED, PUBLISHED, SCRUBBED, SETTLED, WIDENING, Entry, HistoryEntry, Journal, now
from kanon_sql.stages.replace.recover import end, run_name
from kanon_sql.stages.replace.room import Room
from kanon_sql.stages.verify import verify_staged
from kanon_sql.tables import TableDescription, TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import describe, resolve

SECONDS_TO_WAIT = 30
NOT_SCRUBBED = "original rows wherever the engine left them (scrub: off)"
LONGEST_REASON = 1000  # characters


def require_idle(protocol: Protocol) -> None:
    """Nobody else is at work on the table, or an error; asked first, where reading the journal would wait for them to end."""
    protocol.release(_claim(protocol))


def _claim(protocol: Protocol) -> str:
    """The name that stands for the table, held from now on."""
    name = f"table {protocol.table}"
    if not protocol.claim(name):
        raise BackendError(f"another run is at work on {protocol.table}; wait until it has ended")
    return name


def _reason(stopped: BaseException) -> str:
    """Why a run failed, without values: those of ours name tables, columns and counts only, others may say anything."""
    if isinstance(stopped, KeyboardInterrupt):
        return "stopped by Ctrl-C or a signal"
    kind = type(stopped).__name__
    return f"{kind}: {stopped}"[:LONGEST_REASON] if isinstance(stopped, KanonError) else kind


@dataclass
class Writer:
    """One run's way through the engine's protocol, and what the journal says of it on the way."""

    workspace: Workspace
    protocol: Protocol
    policy: Policy
    in_place: bool
    is_new: bool = False  # there was no table of that name when it was claimed
    entry: Entry | None = None
    change: Change | None = None
    committed: bool = False
    backup: TableName | None = None
    room: Room = field(default_factory=Room)
    scrubbed: Scrub = field(default_factory=lambda: Scrub(done=True))
    warnings: list[str] = field(default_factory=list)
    started: str = field(default_factory=now)
    clock: float = field(default_factory=time.monotonic)

    @property
    def journal(self) -> Journal:
        """The journal beside the table."""
        return Journal(self.workspace, self.protocol.table)

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Holds the table's name and the run's own, so that a second run stops and recover leaves this one alone."""
        table = _claim(self.protocol)
        self.protocol.claim(run_name(self.workspace.run_id))
        try:
            yield
        except BaseException as stopped:
            with suppress(KanonError):  # what stopped the run is what is told; recover does what could not be done now
                self._undo(stopped)
                self.workspace.record.report_outcome(committed=self.committed)
            raise
        finally:
            with suppress(KanonError):  # a lost connection has given both back already
                self.protocol.release(run_name(self.workspace.run_id))
                self.protocol.release(table)

    def lock(self, *, begin: bool = True) -> None:
        """Makes our lasting tables, then keeps writers out."""
        ours = [self.journal.table]
        if self.policy.publish.keeps_history:
            ours.append(self.journal.history)
        for table in self.journal.make(self.protocol.take_turn, history=self.policy.publish.keeps_history):
            make_private(self.workspace, self.protocol, table)
        if self.policy.publish.keep_backup:
            self.backup = self.workspace.permanent.name(self.protocol.table, "backup")
            begin_back_up(self.workspace, self.protocol, self.backup)
            ours.append(self.backup)
        self.protocol.lock(ours, begin=begin)

    def write(self, staged: StagedTable, change: Change) -> None:
        """Puts the staged rows in place; where the engine would keep half of it, the journal says first how to take it back."""
        self.change = change
        if self.backup is not None:
            self.warnings.append(back_up(self.workspace, self.protocol, self.backup))
        undo, redo = self.protocol.prepare(change)
        self.entry = Entry(
            self.workspace.run_id,
            self.protocol.table.table,
            WIDENING,
            policy_hash=self.policy.content_hash,
            started=self.started,
            backup=self.backup.table if self.backup else "",
            scrub=self.policy.publish.scrub if self.in_place else "off",
            undo_ddl=json.dumps(undo),
            redo_ddl=json.dumps(redo),
        )
        if self.protocol.needs_undo:
            self.journal.add(self.entry)
            self.workspace.transaction.commit()
        self.protocol.write(staged.table, change)

    def verify(self, staged: StagedTable, change: Change, recoding: Recoding) -> None:
        """Counts the table itself: the write may have changed values."""
        written, looked_at = self.protocol.table, {values.column for values in self.policy.models.looked_at}
        if self.protocol.reads_once_under_lock and looked_at and staged.person is None:
            columns = [*staged.quasi_identifiers, *(column for column in staged.columns if column.name in looked_at)]
            written = self.workspace.tables.create("written", "verify/written", table=written, columns=columns)
        verify_staged(self.workspace, staged, recoding, self.policy.models, written)
        self.protocol.finish(change)

    def commit(self, solution: Solution, recoding: Recoding, utility: Utility) -> None:
        """Writes the journal and the history, and makes all of it visible at once."""
        assert self.entry is not None  # noqa: S101 (write comes first)
        self.room.require(written=True)
        told = self._told(solution, recoding, utility).to_json()
        changes = {
            "state": PUBLISHED,
            "k": json.dumps(recoding.smallest_class),
            "plan_hash": hashlib.sha256(told.encode()).hexdigest(),
            "utility": json.dumps(utility),
            "solution": told,
            "fingerprint": self._fingerprint() if self.in_place else "",
        }
        if self.protocol.needs_undo:
            self.entry = self.journal.change(self.entry, **changes)
        else:
            self.entry = Entry(**{**self.entry.__dict__, **changes})
            self.journal.add(self.entry)
        if self.policy.publish.keeps_history:
            self.journal.record(self._history("published", told, recoding, changes["k"], changes["utility"]))
        self.workspace.tables.drop_all()
        if self.backup is not None:
            self.workspace.permanent.keep(self.backup)  # stopped between the commit and its answer, it must stay; else recover drops it
        try:
            self.workspace.transaction.commit()
        except QueryError:
            if not self._was_committed():
                raise
            self.warnings.append("the connection was lost at the commit; the journal says that the release is complete")
        self.committed = True

    def scrub(self) -> Scrub:
        """Do what can only be done after the commit; what fails of it is left to recover, since the release is complete."""
        try:
            self.scrubbed = self._scrub()
        except KanonError as error:
            rows = "original rows, since " if self.in_place else ""
            self.scrubbed = Scrub(done=False, remaining=(f"{rows}what follows the commit failed ({error})",))
        return self.scrubbed

    def _scrub(self) -> Scrub:
        """Columns dropped, everyone let in, the original rows erased."""
        assert self.entry is not None  # noqa: S101 (commit comes first)
        self.protocol.settle(self.entry.redo)
        self.entry = self.journal.change(self.entry, state=SETTLED)
        if self.entry.scrub == "off":
            return Scrub(done=False, remaining=(NOT_SCRUBBED,) if self.in_place else (), expected=True)
        scrub = self.protocol.scrub()
        if scrub.done:
            self.journal.change(self.entry, state=SCRUBBED)
            self.workspace.record.report_erased()
        return scrub

    def record_new(self, solution: Solution, recoding: Recoding, utility: Utility) -> None:
        """Records a release that replaced nothing; it is published already, so a failure to record it is a warning."""
        try:
            self.workspace.transaction.begin("publish")
            for table in self.journal.make(self.protocol.take_turn, history=True, journal=False):
                make_private(self.workspace, self.protocol, table)
            told = self._told(solution, recoding, utility).to_json()
            self.journal.record(self._history("published", told, recoding, json.dumps(recoding.smallest_class), json.dumps(utility)))
            self.workspace.transaction.commit()
        except KanonError as error:
            with suppress(KanonError):
                self.workspace.transaction.abandon()
            self.warnings.append(f"the release is published, but could not be recorded in {self.journal.history}: {error}")

    def _undo(self, stopped: BaseException) -> None:
        """After a failure: nothing stays but what was committed, and the history says why the run failed."""
        self.workspace.transaction.abandon()
        if self.is_new and not self.committed and not isinstance(stopped, KanonError):
            # No journal tells, but only this run can have made the table.
            self.committed = resolve(self.workspace, self.protocol.table) is not None
        if self.entry is not None and not self.committed:
            for entry in self.journal.entries():
                if entry.run_id == self.entry.run_id:
                    self.committed = entry.state != WIDENING  # stopped between the commit and its answer
                    if self.protocol.needs_undo:
                        end(self.journal, self.protocol, entry)
        if not self.committed and is_recorded(self):
            self.journal.record(self._history(FAILED, json.dumps({"reason": _reason(stopped)}), None, "null", "null"))

    def _fingerprint(self) -> str:
        """The fingerprint of the table as it will be once it is settled."""
        table = describe(self.workspace, self.protocol.table)
        leaving = {column.name for column in self.change.dropped} if self.change else set()
        staying = tuple(column for column in table.columns if column.name not in leaving)
        return str(fingerprint(self.workspace, TableDescription(table.name, staying, table.unique_columns)))

    def _was_committed(self) -> bool:
        """Asks a new connection what became of a commit that got no answer, once the lost session has ended."""
        try:
            self.workspace.backend.reconnect()
            deadline = time.monotonic() + SECONDS_TO_WAIT
            while not self.protocol.claim(run_name(self.workspace.run_id)) and time.monotonic() < deadline:
                time.sleep(0.2)
            states = {entry.run_id: entry.state for entry in self.journal.entries()}
        except KanonError:
            return False
        return states.get(self.workspace.run_id) == PUBLISHED

    def _told(self, solution: Solution, recoding: Recoding, utility: Utility) -> Earlier:
        """The run as the journal keeps it."""
        columns = recoding.frequencies.columns
        return Earlier(
            levels={c.column.name: level for c, level in zip(columns, solution.node or (1,) * len(columns), strict=True)},
            heights={c.column.name: c.height for c in columns},
            kinds={c.column.name: c.column.kind for c in columns},
            solution=replace(solution, partition=solution.partition and solution.partition.told()),
            rows=recoding.frequencies.rows,
            classes=recoding.classes,
            k=recoding.smallest_class,
            utility=utility,
            privacy=story_of(recoding, self.policy.models),
        )

    def _history(self, status: str, told: str, recoding: Recoding | None, k: str, utility: str) -> HistoryEntry:
        figures: Sequence[object] = ("null",) * 3
        if recoding is not None:
            figures = (recoding.frequencies.rows, recoding.published_rows, recoding.suppressed_rows)
        before, published, suppressed = map(str, figures)
        seconds = f"{time.monotonic() - self.clock:.3f}"
        who = self.workspace.perform("user", "who is at work", self.workspace.backend.user)
        return HistoryEntry(
            self.workspace.run_id, now(), who, self.protocol.table.table, self.policy.content_hash,
            told, k, utility, before, published, suppressed, seconds, status,
        )  # fmt: skip


def is_recorded(run: Writer) -> bool:
    """Return whether a run belongs in the history: if its policy says so, or leaves it open and the schema has one."""
    publish = run.policy.publish
    return publish.keeps_history or (publish.history and resolve(run.workspace, run.journal.history) is not None)
