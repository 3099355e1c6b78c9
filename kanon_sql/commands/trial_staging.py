"""A release staged as a temporary table, for checks before anything is published."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kanon_sql.artifacts import Profile, Recoding, StagedTable
from kanon_sql.stages.publish.staging import publish
from kanon_sql.workspace import Workspace


@contextmanager
def staged_temporarily(workspace: Workspace, profile: Profile, recoding: Recoding) -> Iterator[StagedTable]:
    """Stage a release as a temporary table, and drop the table after its checks."""
    query = publish(workspace, profile, recoding)
    staged = query.staged_in(workspace.tables.stage(query.columns, query.select))
    yield staged
    workspace.tables.drop(staged.table)
