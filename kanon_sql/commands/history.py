"""History: the runs that are recorded in a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.backends import connect
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.history import HistoryEntry, read_history
from kanon_sql.workspace.kanon_tables import HISTORY, find_tables

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def history(connection: Connectable) -> list[HistoryEntry]:
    """Return the recorded runs of all schemas, oldest first."""
    with Workspace(connect(connection, read_only=True), "read") as workspace:
        runs = [entry for table in find_tables(workspace) if table.table == HISTORY for entry in read_history(workspace, table)]
    return sorted(runs, key=lambda entry: entry.finished)
