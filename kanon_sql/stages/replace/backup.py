"""Copies of the original rows that were asked for, and rights on tables of ours."""

from __future__ import annotations

from kanon_sql.stages.replace.protocol import Protocol
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


def begin_back_up(workspace: Workspace, protocol: Protocol, copy: TableName) -> None:
    """Makes the backup's table, where it must be there before the lock."""
    if not protocol.makes_tables_under_lock:
        workspace.define("replace/empty_copy", table=copy, source=protocol.table)


def back_up(workspace: Workspace, protocol: Protocol, copy: TableName) -> str:
    """Copies the rows as they are under the lock; says who can read the copy."""
    if protocol.makes_tables_under_lock:
        workspace.define("workspace/ddl/copy_table", table=copy, source=protocol.table)
    else:
        workspace.define("replace/fill_copy", table=copy, source=protocol.table)
    make_private(workspace, protocol, copy)
    readers = "its owner alone" if protocol.has_grants else "everyone who can read the other tables here"
    return f"the backup {copy.table} holds the original rows and can be read by {readers}"


def make_private(workspace: Workspace, protocol: Protocol, table: TableName) -> None:
    """Takes every right on a table of ours from others."""
    if protocol.has_grants:
        for (statement,) in workspace.look_up("replace/grants_to_others", table.parts):
            workspace.define("workspace/ddl/as_written", statement=statement)
