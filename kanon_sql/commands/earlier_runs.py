"""Complete or undo earlier runs that were killed: the first step of every run that publishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.commands.claim import require_unclaimed
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import resolve
from kanon_sql.workspace.kanon_tables import find_tables

if TYPE_CHECKING:
    from kanon_sql.stages.replace.recover import Recovered


def finish_earlier_runs(workspace: Workspace, table: TableName | None = None) -> list[Recovered]:
    """Return what was found of earlier runs; raise an error if another run is using the table, if one is named."""
    with workspace.stage("recover"):
        if table is not None and (found := resolve(workspace, table)) is not None:
            require_unclaimed(workspace, found.name)
        tables = find_tables(workspace)
        if not tables:
            return []
        from kanon_sql.stages.replace import protocol_for  # here, because most runs into a new table find nothing
        from kanon_sql.stages.replace.recover import recover

        return recover(workspace, protocol_for, tables)
