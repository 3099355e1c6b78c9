"""Recover: finishes or undoes what killed runs left in a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.backends import connect
from kanon_sql.stages.replace import protocol_for
from kanon_sql.stages.replace.recover import Recovered
from kanon_sql.stages.replace.recover import recover as recover_in
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def recover(connection: Connectable, *, drop_backups: bool = False, listener: StageListener | None = None) -> list[Recovered]:
    """What was found of runs that did not end, and what became of each; nothing of a living run is touched."""
    with Workspace(connect(connection), None, listener) as workspace, workspace.stage("recover"):
        return recover_in(workspace, protocol_for, drop_backups=drop_backups)
