"""History: the runs that are recorded in a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.backends import connect
from kanon_sql.stages.replace.journal import HISTORY, HistoryEntry, Journal
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def history(connection: Connectable) -> list[HistoryEntry]:
    """Return the recorded runs of all schemas, oldest first."""
    with Workspace(connect(connection, read_only=True), "read") as workspace:
        tables = [TableName(tuple(row)) for row in workspace.look_up("replace/leftovers", ())]
        runs = [entry for table in tables if table.table == HISTORY for entry in Journal(workspace, table).runs()]
    return sorted(runs, key=lambda entry: entry.finished)
