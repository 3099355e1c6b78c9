"""Complete or undo earlier runs that were killed: the first step of every run that publishes."""

from __future__ import annotations

from kanon_sql.commands.claim import require_unclaimed
from kanon_sql.stages.replace import protocol_for
from kanon_sql.stages.replace.recover import Recovered, recover
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import resolve


def finish_earlier_runs(workspace: Workspace, table: TableName | None = None) -> list[Recovered]:
    """Return what was found of earlier runs; raise an error if another run is using the table, if one is named."""
    with workspace.stage("recover"):
        if table is not None and (found := resolve(workspace, table)) is not None:
            require_unclaimed(workspace, found.name)
        return recover(workspace, protocol_for)
