"""Compare aggregate queries on source and release; only relative errors leave the database."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts.measures import QueryErrors
from kanon_sql.errors import QueryError
from kanon_sql.tables import RowSource, TableName
from kanon_sql.workspace import Workspace


def compare_queries(workspace: Workspace, queries: Sequence[str], source: RowSource, released: TableName) -> tuple[QueryErrors, ...]:
    """Return the relative errors of each query, or the reason if it cannot be run on the release."""
    if not queries:
        return ()
    from kanon_sql.sql.user_queries import aggregates_of  # here, because it needs sqlglot, which is slow to import

    for number, query in enumerate(queries, start=1):
        aggregates_of(query, workspace.backend.dialect, f"queries: number {number}")
    return tuple(_compare(workspace, query, source, released) for query in queries)


def _compare(workspace: Workspace, query: str, source: RowSource, released: TableName) -> QueryErrors:
    """Compare one query in its own transaction, because an error ends the transaction."""
    workspace.transaction.start_over()
    workspace.transaction.begin("read")
    try:
        row = workspace.fetch_comparison("measure/queries/errors", query, {"source_result": source, "release_result": released})
    except QueryError as error:
        reason = str(error).split(": ", 1)[-1]
        return QueryErrors(query, reason=f"it cannot be run on both tables: {reason}")
    return QueryErrors(query, *row)
