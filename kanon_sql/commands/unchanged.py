"""Check whether a table is unchanged since the last run in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_sql.backends import connect
from kanon_sql.policy import Policy
from kanon_sql.stages.profile.source import describe_source
from kanon_sql.stages.replace.earlier import is_unchanged, last_run
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def is_published_in_place(connection: Connectable, policy: Policy, *, listener: StageListener | None = None) -> bool:
    """Return whether the policy's table holds what a run in place published under this policy."""
    with Workspace(connect(connection, read_only=True), "read", listener) as workspace, workspace.stage("profile"):
        source = describe_source(workspace, policy.source)
        earlier = last_run(workspace, source.name)
        return earlier is not None and is_unchanged(workspace, source, earlier, policy)
