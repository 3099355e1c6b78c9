"""Check: does a table, whoever made it, satisfy a policy?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kanon_sql.artifacts import bound_names
from kanon_sql.backends import connect
from kanon_sql.errors import RequestError
from kanon_sql.hierarchy import GROUPABLE
from kanon_sql.models import KAnonymity, Rules
from kanon_sql.profile_source import describe_source, require_columns
from kanon_sql.report import CheckReport
from kanon_sql.tables import TableDescription, TableName
from kanon_sql.verify import verify
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def check(
    connection: Connectable,
    table: str,
    *,
    quasi_identifiers: Sequence[str],
    k: int,
    listener: StageListener | None = None,
) -> CheckReport:
    """Whether every class of the table holds at least k rows, and how many do not."""
    _require_sound(quasi_identifiers, k)
    name = TableName.parse(table)
    with Workspace(connect(connection, read_only=True), "read", listener) as workspace:
        with workspace.stage("profile"):
            description = describe_source(workspace, name)
            names = _as_published(description, quasi_identifiers)
            require_columns(description, names)
            columns = [column for column in description.columns if column.name in names]
            for column in columns:
                if column.kind not in GROUPABLE:
                    raise RequestError(f"column {column.name!r} has type {column.type_name}, which cannot be a quasi-identifier")
        with workspace.stage("verify"):
            release = verify(workspace, description.name, columns, Rules((KAnonymity(k),)))
    return CheckReport(name, release, k)


def _as_published(table: TableDescription, quasi_identifiers: Sequence[str]) -> list[str]:
    """The columns to count by; one that is published as bounds stands for the two of them."""
    names: list[str] = []
    for name in quasi_identifiers:
        bounds = bound_names(name)
        published_as_bounds = table.column(name) is None and all(table.column(bound) for bound in bounds)
        names += bounds if published_as_bounds else [name]
    return names


def _require_sound(quasi_identifiers: Sequence[str], k: int) -> None:
    if isinstance(quasi_identifiers, str):
        raise RequestError("quasi_identifiers must be a list of column names")
    if not quasi_identifiers:
        raise RequestError("no quasi-identifier is given; name at least one")
    twice = sorted({name for name in quasi_identifiers if list(quasi_identifiers).count(name) > 1})
    if twice:
        raise RequestError(f"quasi-identifier {', '.join(map(repr, twice))} is listed twice")
    if isinstance(k, bool) or not isinstance(k, int) or k < 2:
        raise RequestError("k must be a whole number of at least 2")
