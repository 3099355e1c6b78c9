"""The history of runs: a table in the schema of the tables that the runs published."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.kanon_tables import HISTORY, insert_entry, read_entries

FAILED, RELEASED = "failed", "published"

_JSON = frozenset({"solution", "utility", "k", "rows_before", "rows_published", "rows_suppressed", "seconds"})


@dataclass(frozen=True)
class HistoryEntry:
    """One run in the history."""

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
        """Why the run failed; a failed run has no solution, so the reason is stored in that column."""
        found = json.loads(self.solution or "null") if self.status == FAILED else None
        return found["reason"] if found else None

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as plain values."""
        values = {f.name: json.loads(getattr(self, f.name) or "null") if f.name in _JSON else getattr(self, f.name) for f in fields(self)}
        return {**values, "solution": None if self.status == FAILED else values["solution"], "reason": self.reason}


def now() -> str:
    """Return the time in UTC, as text that every engine stores alike."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def history_table(table: TableName) -> TableName:
    """Return the name of the history in a table's schema."""
    return table.sibling(HISTORY)


def record_run(workspace: Workspace, entry: HistoryEntry, table: TableName) -> None:
    """Insert a run into the history in a table's schema."""
    insert_entry(workspace, history_table(table), entry)


def read_history(workspace: Workspace, history: TableName) -> list[HistoryEntry]:
    """Return the runs of a history, oldest first."""
    return sorted(read_entries(workspace, history, HistoryEntry), key=lambda entry: entry.finished)
