"""Recover: complete or undo runs that were killed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.backends import connect
from kanon_sql.stages.replace import protocol_for
from kanon_sql.stages.replace.recover import Recovered
from kanon_sql.stages.replace.recover import recover as recover_in
from kanon_sql.workspace import StageListener, Workspace
from kanon_sql.workspace.kanon_tables import find_tables

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def recover(connection: Connectable, *, drop_backups: bool = False, listener: StageListener | None = None) -> list[Recovered]:
    """Complete or undo interrupted runs and return what was done for each; runs of live sessions are not touched."""
    with Workspace(connect(connection), None, listener) as workspace, workspace.stage("recover"):
        return recover_in(workspace, protocol_for, find_tables(workspace), drop_backups=drop_backups)
