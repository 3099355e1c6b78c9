"""The journal of runs that replace rows, and the history of runs: two tables beside the one that was replaced."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any

from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

JOURNAL = "__kanon_journal"
HISTORY = "kanon_runs"

# How far a run has come: the engine keeps what was done so far and an undo is written down; the new rows are committed;
# what could only be done after the commit is done; the original rows are erased from where the engine left them.
FAILED = "failed"  # of the history
WIDENING, PUBLISHED, SETTLED, SCRUBBED = "widening", "published", "dropped", "scrubbed"


def is_ours(table: TableName) -> bool:
    """Whether a table is one that runs keep for themselves: journal, history, staged table, backup."""
    return table.table == HISTORY or table.table.startswith("__kanon_")


@dataclass(frozen=True)
class Entry:
    """What the journal says of a run."""

    run_id: str
    table_name: str
    state: str
    k: str = ""
    policy_hash: str = ""
    plan_hash: str = ""
    fingerprint: str = ""
    utility: str = "{}"
    solution: str = "{}"
    started: str = ""
    backup: str = ""
    scrub: str = "auto"
    undo_ddl: str = "[]"
    redo_ddl: str = "[]"

    @property
    def undo(self) -> list[str]:
        """The statements that take the run back."""
        return list(json.loads(self.undo_ddl))

    @property
    def redo(self) -> list[str]:
        """The statements that finish the run."""
        return list(json.loads(self.redo_ddl))


@dataclass(frozen=True)
class HistoryEntry:
    """What the history says of a run."""

    run_id: str
    finished: str
    who: str
    table_name: str
    policy_hash: str
    solution: str
    k: str
    utility: str
    rows_before: str
    rows_published: str
    rows_suppressed: str
    seconds: str
    status: str

    @property
    def reason(self) -> str | None:
        """Why the run failed; it is kept in place of the solution, which a failed run has not."""
        found = json.loads(self.solution or "null") if self.status == FAILED else None
        return found["reason"] if found else None

    def to_dict(self) -> dict[str, Any]:
        """The entry as plain values."""
        plain = {"solution", "utility", "k", "rows_before", "rows_published", "rows_suppressed", "seconds"}
        told = {f.name: json.loads(getattr(self, f.name) or "null") if f.name in plain else getattr(self, f.name) for f in fields(self)}
        return {**told, "solution": None if self.status == FAILED else told["solution"], "reason": self.reason}


def now() -> str:
    """The time in UTC, as text that every engine keeps alike."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Journal:
    """The two tables in one schema; neither ever holds a cell's value."""

    def __init__(self, workspace: Workspace, table: TableName) -> None:
        self._workspace = workspace
        self.table = table.sibling(JOURNAL)
        self.history = table.sibling(HISTORY)

    def make(self, take_turn: Callable[[str], None], *, history: bool, journal: bool = True) -> list[TableName]:
        """Makes the tables if they are missing, while no other run does; those that were made now."""
        wanted = ([(self.table, Entry)] if journal else []) + ([(self.history, HistoryEntry)] if history else [])
        present = {TableName(tuple(row)) for row in self._workspace.look_up("replace/leftovers", ())}
        made: list[TableName] = []
        for table, kind in wanted:
            if table not in present:
                if not made:
                    take_turn(f"journal {self.table}")
                self._workspace.define("workspace/ddl/create_table_if_missing", table=table, columns=self._columns(kind))
                made.append(table)
        return made

    def add(self, entry: Entry) -> None:
        """Writes a new entry."""
        self._insert(self.table, entry)

    def record(self, entry: HistoryEntry) -> None:
        """Writes a run into the history."""
        self._insert(self.history, entry)

    def change(self, entry: Entry, **changes: str) -> Entry:
        """Changes what an entry says."""
        placeholder = self._workspace.backend.placeholder
        self._workspace.define(
            "workspace/ddl/update_row", [*changes.values(), entry.run_id], table=self.table, columns=list(changes), placeholder=placeholder
        )
        return replace(entry, **changes)

    def remove(self, entry: Entry) -> None:
        """Forgets an entry."""
        self._workspace.define(
            "workspace/ddl/delete_row", [entry.run_id], table=self.table, placeholder=self._workspace.backend.placeholder
        )

    def entries(self) -> list[Entry]:
        """All entries, oldest first."""
        rows = self._workspace.fetch("replace/entries", table=self.table, columns=[f.name for f in fields(Entry)])
        return sorted((Entry(*row) for row in rows), key=lambda entry: entry.started)

    def runs(self) -> list[HistoryEntry]:
        """The history, oldest first."""
        rows = self._workspace.fetch("replace/entries", table=self.history, columns=[f.name for f in fields(HistoryEntry)])
        return sorted((HistoryEntry(*row) for row in rows), key=lambda entry: entry.finished)

    def _columns(self, kind: type[Entry] | type[HistoryEntry]) -> list[Column]:
        return [Column(f.name, self._workspace.backend.text_type, "text") for f in fields(kind)]

    def _insert(self, table: TableName, entry: Entry | HistoryEntry) -> None:
        columns = self._columns(type(entry))
        shape = {"rows": 1, "placeholder": self._workspace.backend.placeholder}
        values = [getattr(entry, f.name) for f in fields(entry)]
        self._workspace.define("workspace/ddl/insert_rows", values, table=table, columns=columns, **shape)
