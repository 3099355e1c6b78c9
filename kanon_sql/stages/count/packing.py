"""Counting in codes: for tables in which nearly every row is a separate combination."""

from __future__ import annotations

from kanon_sql.artifacts import Profile
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

JOINED = 20  # columns in one statement: planning time grows faster than the number of joined tables
MANY_ROWS = 100_000  # of the source, from which on counting in codes saves time; the size of the sample
NEARLY_UNIQUE = 0.5  # combinations per row of the sample


def is_nearly_unique(workspace: Workspace, profile: Profile) -> bool:
    """Return whether most rows of a sample are separate combinations, of a table for which the engine counts single columns fast."""
    if not workspace.backend.counts_columns_fast or profile.sampled_rows < MANY_ROWS:
        return False
    counts_more = profile.sensitive or profile.entity is not None
    if counts_more or not isinstance(profile.source, TableName) or len(profile.quasi_identifiers) > JOINED:
        return False
    sample = {"source": profile.source, "quasi_identifiers": profile.quasi_identifiers, "rows": MANY_ROWS}
    rows, combinations = workspace.fetch_one("count/sample", **sample)
    return bool(combinations >= NEARLY_UNIQUE * rows)
