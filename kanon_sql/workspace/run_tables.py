"""The tables of a run: temporary ones, and permanent ones that become or hold a release."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kanon_sql.backends import Definition
from kanon_sql.sql.dialects import DIALECTS
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace.memory_tables import move_to_memory

if TYPE_CHECKING:
    from kanon_sql.workspace.workspace import Workspace

INDEXED_CHARACTERS = 64

# Templates of large tables that are read as a whole, never by a key.
_SCANNED = frozenset(
    {
        "count/combinations",
        "count/coded_columns",
        "count/frequency_table",
        "count/sensitive/coded",
        "evaluate/rollup",
        "recode/classes",
    }
)


class TemporaryTables:
    """Creates, fills and drops the temporary tables of one run."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._backend = workspace.backend
        self._rules = workspace.backend.run_tables
        self._temporary: list[TableName] = []
        self._committed: list[TableName] = []  # temporary tables that a rollback does not drop

    def create(self, what: str, template: str, /, **arguments: Any) -> TableName:
        """Create a temporary table, filled by a template's query."""
        table = self._name(what)
        select = self._workspace.select(template, **arguments)
        self._define(self._rules.create_as(table, select, is_scanned=template in _SCANNED))
        if self._backend.needs_statistics:
            self._workspace.define("workspace/ddl/analyze_table", table=table)
        return table

    def add(self, table: TableName, template: str, /, **arguments: Any) -> None:
        """Add the rows of a template's query, which has the columns of the table, to a table of the run."""
        self._workspace.define("workspace/ddl/insert_all", table=table, select=self._workspace.select(template, **arguments))

    def index(self, table: TableName, column: str, *, is_text: bool = False, is_lookup: bool = False) -> None:
        """Index a column that joins use, on engines that might compare every pair of rows otherwise.

        A lookup, in which every row of the source or every combination finds one row, is moved to memory where the engine has such tables.
        """
        needed = self._backend.needs_indexes
        if needed == "all" or (needed == "codes" and column != "value"):
            in_memory = is_lookup and move_to_memory(self._workspace, table)
            prefix = INDEXED_CHARACTERS if is_text and not in_memory else 0
            self._workspace.define("workspace/ddl/index_table", table=table, column=column, prefix=prefix, index=f"{table.table}_{column}")

    def load(self, what: str, columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> TableName:
        """Create a temporary table, filled with rows as bound parameters."""
        table = self._name(what)
        placeholder = self._backend.placeholder
        if self._backend.binds_lists and rows:
            lists = [list(map(self._backend.types.bindable, values)) for values in zip(*rows, strict=True)]
            self._define(
                self._rules.create_as(table, self._workspace.text("workspace/ddl/lists", columns=columns, placeholder=placeholder)), lists
            )
            return table
        self._define(self._rules.create(table, columns))
        size = max(1, self._backend.max_parameters // len(columns))
        for start in range(0, len(rows), size):
            chunk = rows[start : start + size]
            parameters = [self._backend.types.bindable(value) for row in chunk for value in row]
            self._workspace.define(
                "workspace/ddl/insert_rows", parameters, table=table, columns=columns, rows=len(chunk), placeholder=placeholder
            )
        return table

    def stage(self, columns: Sequence[Column], select: str) -> TableName:
        """Create the staging table as a temporary one with these columns, filled by a query."""
        staged = self._name("staged")
        self._define(self._rules.create(staged, columns))
        self._workspace.define("workspace/ddl/insert_select", table=staged, columns=columns, select=select)
        return staged

    def drop(self, *tables: TableName) -> None:
        """Drop temporary tables that are no longer needed."""
        together = max(1, len(tables)) if DIALECTS[self._backend.dialect].drops_together else 1
        for start in range(0, len(tables), together):
            chosen = tables[start : start + together]
            self._define(self._rules.drop(chosen))
            self._temporary = [table for table in self._temporary if table not in chosen]

    def drop_all(self) -> None:
        """Drop every temporary table at the end of the run, unless the connection is closed then, which drops them faster."""
        if not (self._backend.ends_with_run and self._rules.are_temporary):
            self.drop_now()

    def drop_now(self) -> None:
        """Drop every temporary table, because the run continues."""
        self.drop(*reversed(self._temporary))

    def mark_committed(self) -> None:
        """Note that a rollback no longer drops the tables created so far."""
        self._committed = list(self._temporary)

    def note_rollback(self, *, keep_committed: bool) -> None:
        """Forget the tables that a rollback dropped."""
        self._temporary = [table for table in self._temporary if keep_committed and table in self._committed]

    def note_end_of_session(self) -> None:
        """Forget the tables that end with a connection, which is lost or will be closed."""
        if self._rules.are_temporary:
            self._temporary.clear()

    def _name(self, what: str) -> TableName:
        self._temporary.append(self._rules.locate(self._workspace.name(what)))
        return self._temporary[-1]

    def _define(self, definition: Definition, parameters: Sequence[object] = ()) -> None:
        self._workspace.define(definition.template, parameters, **definition.arguments)


class PermanentTables:
    """Creates, names and drops the tables of one run that outlive its connection: a staging table, a backup."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._permanent: list[TableName] = []

    def stage(self, target: TableName, columns: Sequence[Column], select: str) -> TableName:
        """Create the staging table in the target's schema with these columns, filled by a query."""
        staged = self.name(target, "staged")
        self._workspace.define("workspace/ddl/create_table", table=staged, columns=columns)
        self._workspace.define("workspace/ddl/insert_select", table=staged, columns=columns, select=select)
        return staged

    def name(self, target: TableName, what: str) -> TableName:
        """Return the name of a permanent table of the run in the target's schema."""
        self._permanent.append(target.sibling(self._workspace.name(what)))
        return self._permanent[-1]

    def rename(self, staged: TableName, target: TableName) -> None:
        """Give a table of the run its final name, in the way of the engine."""
        for definition in self._workspace.backend.run_tables.naming(staged, target):
            self._workspace.define(definition.template, **definition.arguments)
        self._permanent.remove(staged)

    def contains(self, table: TableName) -> bool:
        """Return whether a table of the run outlives its connection."""
        return table in self._permanent

    def keep(self, table: TableName) -> None:
        """Let a table of the run stay."""
        self._permanent.remove(table)

    def drop_all(self) -> None:
        """Drop every permanent table of the run."""
        while self._permanent:
            self._workspace.define("workspace/ddl/drop_table_if_exists", table=self._permanent[-1])
            self._permanent.pop()

    def note_rollback(self) -> None:
        """Forget the tables that a rollback dropped."""
        self._permanent.clear()
