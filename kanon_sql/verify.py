"""Re-counts a table by its published quasi-identifiers; knows nothing of the search."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import Recoding, Release
from kanon_sql.errors import VerificationError
from kanon_sql.models import Model
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace


def verify(workspace: Workspace, table: TableName, quasi_identifiers: Sequence[Column], models: Sequence[Model]) -> Release:
    """The classes of the table as a reader would count them, and those that break the policy."""
    return Release(*workspace.fetch_one("verify/k_anonymity", table=table, quasi_identifiers=quasi_identifiers, models=models))


def require_verified(release: Release, recoding: Recoding) -> None:
    """The staged table holds the policy and exactly the rows that were counted, or the run ends here."""
    if not release.holds:
        raise VerificationError(
            f"the staged table has {release.failing_classes} classes ({release.failing_rows} rows) that break the policy; "
            "nothing was published"
        )
    # Bounds are alike where labels are not: a reader cannot tell NULL from NaN then, so that classes may join.
    joined = recoding.classes > release.classes and any(column.quasi_identifier.has_bounds for column in recoding.frequencies.columns)
    if release.rows != recoding.published_rows or (release.classes != recoding.classes and not joined):
        raise VerificationError(
            f"the staged table has {release.rows} rows in {release.classes} classes "
            f"where {recoding.published_rows} in {recoding.classes} were counted; "
            "the source changed during the run, and nothing was published: run again"
        )
