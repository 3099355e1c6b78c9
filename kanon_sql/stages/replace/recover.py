"""Finishes or undoes what killed runs left behind, and never touches what belongs to a living one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from kanon_sql.errors import KanonError
from kanon_sql.stages.replace.journal import JOURNAL, PUBLISHED, SCRUBBED, SETTLED, WIDENING, Entry, Journal
from kanon_sql.stages.replace.protocol import Protocol
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import resolve

_OURS = re.compile(r"__kanon_([0-9a-f]{8})_(\w+)")

ProtocolFor = Callable[[Workspace, TableName], Protocol]


@dataclass(frozen=True)
class Recovered:
    """What was found of an earlier run, and what became of it."""

    table: str
    run_id: str
    done: str
    complete: bool = True
    remaining: tuple[str, ...] = ()  # where original rows still are
    expected: bool = False  # nothing failed: this connection cannot erase what remains
    alive: bool = False  # another session is still at work on it

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as `kanon recover --json` prints it."""
        return {**vars(self), "remaining": list(self.remaining)}


def recover(workspace: Workspace, protocol_for: ProtocolFor, *, drop_backups: bool = False) -> list[Recovered]:
    """Looks through all schemas; what cannot be finished now is said and tried again next time."""
    tables = [TableName(tuple(row)) for row in workspace.look_up("replace/leftovers", ())]
    entries: dict[str, Entry] = {}
    found: list[Recovered | None] = []
    for name in tables:
        if name.table == JOURNAL:
            journal = Journal(workspace, name)
            for entry in journal.entries():
                entries[entry.run_id] = entry
                found.append(_tried(entry.table_name, entry.run_id, partial(_finish, workspace, protocol_for, journal, entry)))
    for name in tables:
        if match := _OURS.fullmatch(name.table):
            run_id, what = match.groups()
            if what != "backup" or drop_backups or not _was_asked_for(entries.get(run_id)):
                found.append(_tried(name.table, run_id, partial(_drop, workspace, protocol_for, name, run_id, entries.get(run_id))))
    return [recovered for recovered in found if recovered is not None]


def _tried(table: str, run_id: str, action: Callable[[], Recovered | None]) -> Recovered | None:
    try:
        return action()
    except KanonError as error:
        return Recovered(table, run_id, f"could not be finished: {error}", complete=False)


def _was_asked_for(entry: Entry | None) -> bool:
    """Whether a run keeps a backup: one that was undone does not, since its backup holds what the table holds."""
    return entry is not None and entry.state != WIDENING and entry.backup != ""


def _finish(workspace: Workspace, protocol_for: ProtocolFor, journal: Journal, entry: Entry) -> Recovered | None:
    """Brings one run to its end."""
    if entry.state == SCRUBBED or (entry.state == SETTLED and entry.scrub == "off"):
        return None
    found = resolve(workspace, journal.table.sibling(entry.table_name))
    if found is None:
        journal.change(entry, state=SCRUBBED)
        return Recovered(entry.table_name, entry.run_id, "its table is gone; nothing to do")
    protocol = protocol_for(workspace, found.name)
    ended = _unless_alive(protocol, entry.run_id, partial(end, journal, protocol, entry))
    if ended is None and entry.state != WIDENING and entry.scrub != "off":
        done = "published; another session is still erasing the original rows"
        return Recovered(entry.table_name, entry.run_id, done, complete=False, alive=True)
    return ended


def end(journal: Journal, protocol: Protocol, entry: Entry) -> Recovered:
    """Undoes a run that was not committed, or finishes one that was."""
    if entry.state == WIDENING:
        protocol.undo(entry.undo)
        journal.remove(entry)
        return Recovered(entry.table_name, entry.run_id, "undone: the table is as it was")
    if entry.state == PUBLISHED:
        protocol.settle(entry.redo)
        entry = journal.change(entry, state=SETTLED)
    if entry.scrub == "off":
        return Recovered(entry.table_name, entry.run_id, "finished")
    scrub = protocol.scrub()
    if not scrub.done:
        done = f"published, but this remains: {'; '.join(scrub.remaining)}"
        return Recovered(entry.table_name, entry.run_id, done, complete=False, remaining=scrub.remaining, expected=scrub.expected)
    journal.change(entry, state=SCRUBBED)
    return Recovered(entry.table_name, entry.run_id, "published; original rows erased")


def _drop(workspace: Workspace, protocol_for: ProtocolFor, name: TableName, run_id: str, entry: Entry | None) -> Recovered | None:
    """Drops a table of a run that is over."""
    if entry is not None and _was_asked_for(entry):
        drop = partial(_drop_backup, workspace, protocol_for, name, entry)
    else:
        drop = partial(_drop_leftover, workspace, name, run_id)
    return _unless_alive(protocol_for(workspace, name), run_id, drop)


def _drop_backup(workspace: Workspace, protocol_for: ProtocolFor, name: TableName, entry: Entry) -> Recovered:
    """Drops the backup of a run, and erases its rows where they would stay in the file."""
    journal = Journal(workspace, name)
    (entry,) = [present for present in journal.entries() if present.run_id == entry.run_id]
    found = resolve(workspace, name.sibling(entry.table_name))
    if entry.state == SCRUBBED and entry.scrub != "off":
        entry = journal.change(entry, state=SETTLED)  # first, so that the scrub is done whenever this is stopped
    workspace.define("workspace/ddl/drop_table_if_exists", table=name)
    entry = journal.change(entry, backup="")
    told = f"backup {name.table} dropped"
    if found is None or entry.scrub == "off":
        return Recovered(entry.table_name, entry.run_id, told)
    ended = end(journal, protocol_for(workspace, found.name), entry)
    return replace(ended, done=f"{told}; {ended.done.removeprefix('published; ')}")


def _drop_leftover(workspace: Workspace, name: TableName, run_id: str) -> Recovered:
    """Drops a table of a dead run."""
    workspace.define("workspace/ddl/drop_table_if_exists", table=name)
    return Recovered(name.table, run_id, "left by a run that was killed: dropped")


def _unless_alive(protocol: Protocol, run_id: str, action: Callable[[], Recovered]) -> Recovered | None:
    """What an action does to a run that is over; one that is alive is left alone."""
    if not protocol.claim(run_name(run_id)):
        return None
    try:
        return action()
    finally:
        protocol.release(run_name(run_id))


def run_name(run_id: str) -> str:
    """The name of the lock a living run holds."""
    return f"run {run_id}"
