"""Backup tables: copies of the original rows for policies that ask for one."""

from __future__ import annotations

from kanon_sql.stages.replace.protocol import Protocol
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.grants import make_private


def begin_back_up(workspace: Workspace, protocol: Protocol, copy: TableName) -> None:
    """Create the backup table before the lock, on engines that create no tables under it."""
    if not protocol.makes_tables_under_lock:
        workspace.define("replace/empty_copy", table=copy, source=protocol.table)


def back_up(workspace: Workspace, protocol: Protocol, copy: TableName) -> str:
    """Copy the rows as they are under the lock; return a warning that says who can read the copy."""
    if protocol.makes_tables_under_lock:
        workspace.define("workspace/ddl/copy_table", table=copy, source=protocol.table)
    else:
        workspace.define("replace/fill_copy", table=copy, source=protocol.table)
    make_private(workspace, copy)
    is_private = workspace.backend.grants == "in_transaction"
    readers = "its owner alone" if is_private else "everyone who can read the other tables here"
    return f"the backup {copy.table} holds the original rows and can be read by {readers}"
