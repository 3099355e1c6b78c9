"""Row-level security that hides rows of the source from the current user."""

from __future__ import annotations

from kanon_sql.tables import TableDescription
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import resolve


def hidden_rows(workspace: Workspace, source: TableDescription) -> list[str]:
    """Return a warning for each table whose policies decide which rows of the source this run sees."""
    if not workspace.backend.has_row_security:
        return []
    found: dict[str, int] = {}
    for name in source.reads or (source.name,):
        relation = resolve(workspace, name)
        if relation is not None:
            found |= dict(workspace.look_up("profile/row_security/in_force", relation.name.parts))
    return [
        f"row-level security of table {table} is in force ({policies} {'policy' if policies == 1 else 'policies'}): "
        "the run reads only the rows that pass"
        for table, policies in sorted(found.items())
    ]
