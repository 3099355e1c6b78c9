"""Complete or undo killed runs in a database, without affecting runs that are still alive."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from kanon_sql.errors import KanonError
from kanon_sql.stages.replace.journal import PUBLISHED, SCRUBBED, SETTLED, WIDENING, Entry, Journal
from kanon_sql.stages.replace.protocol import Protocol
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import resolve
from kanon_sql.workspace.claims import claim, release, run_name
from kanon_sql.workspace.kanon_tables import JOURNAL

_TABLE_OF_RUN = re.compile(r"__kanon_([0-9a-f]{8})_(\w+)")

ProtocolFor = Callable[[Workspace, TableName], Protocol]


@dataclass(frozen=True)
class Recovered:
    """An earlier run that was found, and how it was recovered."""

    table: str
    run_id: str
    done: str
    complete: bool = True
    remaining: tuple[str, ...] = ()  # where original rows still are
    expected: bool = False  # nothing failed: this connection cannot erase the remaining rows
    alive: bool = False  # another session is still working on it

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as `kanon recover --json` prints it."""
        return {**vars(self), "remaining": list(self.remaining)}


def recover(workspace: Workspace, protocol_for: ProtocolFor, tables: Sequence[TableName], *, drop_backups: bool = False) -> list[Recovered]:
    """Recover the runs that tables of kanon_sql belong to; a run that cannot be completed now is reported, and tried again next time."""
    entries: dict[str, Entry] = {}
    found: list[Recovered | None] = []
    for name in tables:
        if name.table == JOURNAL:
            journal = Journal(workspace, name)
            for entry in journal.entries():
                entries[entry.run_id] = entry
                found.append(_tried(entry.table_name, entry.run_id, partial(_finish, workspace, protocol_for, journal, entry)))
    for name in tables:
        if match := _TABLE_OF_RUN.fullmatch(name.table):
            run_id, what = match.groups()
            if what != "backup" or drop_backups or not _keeps_backup(entries.get(run_id)):
                found.append(_tried(name.table, run_id, partial(_drop, workspace, protocol_for, name, run_id, entries.get(run_id))))
    return [recovered for recovered in found if recovered is not None]


def _tried(table: str, run_id: str, action: Callable[[], Recovered | None]) -> Recovered | None:
    try:
        return action()
    except KanonError as error:
        return Recovered(table, run_id, f"could not be finished: {error}", complete=False)


def _keeps_backup(entry: Entry | None) -> bool:
    """Return whether a run keeps a backup; after an undo, the table itself holds the same rows."""
    return entry is not None and entry.state != WIDENING and entry.backup != ""


def _finish(workspace: Workspace, protocol_for: ProtocolFor, journal: Journal, entry: Entry) -> Recovered | None:
    """Complete or undo one run, unless there is nothing to do."""
    if entry.state == SCRUBBED or (entry.state == SETTLED and entry.scrub == "off"):
        return None
    found = resolve(workspace, journal.table.sibling(entry.table_name))
    if found is None:
        journal.change(entry, state=SCRUBBED)
        return Recovered(entry.table_name, entry.run_id, "its table no longer exists; nothing to do")
    ended = _unless_alive(workspace, entry.run_id, partial(end, journal, protocol_for(workspace, found.name), entry))
    if ended is None and entry.state != WIDENING and entry.scrub != "off":
        done = "published; another session is still erasing the original rows"
        return Recovered(entry.table_name, entry.run_id, done, complete=False, alive=True)
    return ended


def end(journal: Journal, protocol: Protocol, entry: Entry) -> Recovered:
    """Undo a run that was not committed, or complete one that was."""
    if entry.state == WIDENING:
        protocol.undo(entry.undo)
        journal.remove(entry)
        return Recovered(entry.table_name, entry.run_id, "undone: the table is as it was before the run")
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
    """Drop a table of a run that has ended."""
    if entry is not None and _keeps_backup(entry):
        drop = partial(_drop_backup, workspace, protocol_for, name, entry)
    else:
        drop = partial(_drop_leftover, workspace, name, run_id)
    return _unless_alive(workspace, run_id, drop)


def _drop_backup(workspace: Workspace, protocol_for: ProtocolFor, name: TableName, entry: Entry) -> Recovered:
    """Drop the backup of a run, and erase its rows where they would stay in the database file."""
    journal = Journal(workspace, name)
    (entry,) = [present for present in journal.entries() if present.run_id == entry.run_id]
    found = resolve(workspace, name.sibling(entry.table_name))
    if entry.state == SCRUBBED and entry.scrub != "off":
        entry = journal.change(entry, state=SETTLED)  # first, so the rows are erased later if this is stopped
    workspace.define("workspace/ddl/drop_table_if_exists", table=name)
    entry = journal.change(entry, backup="")
    dropped = f"backup {name.table} dropped"
    if found is None or entry.scrub == "off":
        return Recovered(entry.table_name, entry.run_id, dropped)
    ended = end(journal, protocol_for(workspace, found.name), entry)
    return replace(ended, done=f"{dropped}; {ended.done.removeprefix('published; ')}")


def _drop_leftover(workspace: Workspace, name: TableName, run_id: str) -> Recovered:
    """Drop a table of a killed run."""
    workspace.define("workspace/ddl/drop_table_if_exists", table=name)
    return Recovered(name.table, run_id, "left by a run that was killed: dropped")


def _unless_alive(workspace: Workspace, run_id: str, action: Callable[[], Recovered]) -> Recovered | None:
    """Return the result of an action on a run that has ended, or None if the run is alive."""
    if not claim(workspace, run_name(run_id)):
        return None
    try:
        return action()
    finally:
        release(workspace, run_name(run_id))
