"""The journal of runs that replace rows: a table in the schema of the replaced table."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.kanon_tables import JOURNAL, insert_entry, read_entries

# The states of a run: statements that undo it are stored, because the engine keeps what was done before the commit;
# the new rows are committed; the work that must follow the commit is done; the original rows are erased.
WIDENING, PUBLISHED, SETTLED, SCRUBBED = "widening", "published", "dropped", "scrubbed"


@dataclass(frozen=True)
class Entry:
    """One run in the journal."""

    run_id: str
    table_name: str
    state: str
    k: str = ""
    policy_hash: str = ""
    plan_hash: str = ""
    fingerprint: str = ""
    utility: str = "{}"
    solution: str = "{}"
    started: str = ""
    backup: str = ""
    scrub: str = "auto"
    undo_ddl: str = "[]"
    redo_ddl: str = "[]"

    @property
    def undo(self) -> list[str]:
        """Return the statements that undo the run."""
        return list(json.loads(self.undo_ddl))

    @property
    def redo(self) -> list[str]:
        """Return the statements that complete the run after its commit."""
        return list(json.loads(self.redo_ddl))


class Journal:
    """The journal of one schema; it never holds a cell value."""

    def __init__(self, workspace: Workspace, table: TableName) -> None:
        self._workspace = workspace
        self.table = table.sibling(JOURNAL)

    def add(self, entry: Entry) -> None:
        """Insert a new entry."""
        insert_entry(self._workspace, self.table, entry)

    def change(self, entry: Entry, **changes: str) -> Entry:
        """Change fields of an entry, and return the changed entry."""
        placeholder = self._workspace.backend.placeholder
        self._workspace.define(
            "workspace/ddl/update_row", [*changes.values(), entry.run_id], table=self.table, columns=list(changes), placeholder=placeholder
        )
        return replace(entry, **changes)

    def remove(self, entry: Entry) -> None:
        """Delete an entry."""
        self._workspace.define(
            "workspace/ddl/delete_row", [entry.run_id], table=self.table, placeholder=self._workspace.backend.placeholder
        )

    def entries(self) -> list[Entry]:
        """Return every entry, oldest first."""
        return sorted(read_entries(self._workspace, self.table, Entry), key=lambda entry: entry.started)
