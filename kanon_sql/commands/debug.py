"""Debug: test with scratch tables whether a connection supports everything that publishing needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kanon_sql.backends import connect
from kanon_sql.errors import KanonError
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import resolve

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable

_COLUMNS = (Column("kanon_scratch", "integer", "integer"),)
_NOT_ROLLED_BACK = "no: a killed run may leave tables, which the next run or kanon recover drops"


@dataclass(frozen=True)
class Finding:
    """One attempt and its result."""

    what: str
    works: bool
    detail: str = ""


@dataclass
class DebugReport:
    """The attempts in a database and their results."""

    server: str = ""
    findings: list[Finding] = field(default_factory=list)

    @property
    def works(self) -> bool:
        """Return whether everything that publishing needs works."""
        return all(finding.works for finding in self.findings)

    def attempt(self, what: str, action: Callable[[], str]) -> bool:
        """Run an action and record its result."""
        try:
            self.findings.append(Finding(what, True, action()))
        except KanonError as error:
            self.findings.append(Finding(what, False, str(error)))
        return self.findings[-1].works


def debug(connection: Connectable, *, tables: Sequence[TableName] = ()) -> DebugReport:
    """Connect, then create, rename and drop a scratch table in the schema of each table, or in the default schema if there are none."""
    report = DebugReport()
    opened: list[Workspace] = []
    if not report.attempt("connection", lambda: _open(connection, opened)):
        return report
    schemas = dict.fromkeys(table.sibling("any") for table in tables) or {TableName(("any",)): None}
    with opened[0] as workspace:
        report.attempt("version", lambda: _version(workspace))
        report.server = report.findings[-1].detail
        for table in schemas:
            schema = ".".join(table.parts[:-1]) or "the default schema"
            report.attempt(f"create, rename and drop in {schema}", lambda table=table: _try_permissions(workspace, table))  # type: ignore[misc]
        report.attempt("transactional DDL", lambda: _try_rollback(workspace, next(iter(schemas))))
    return report


def _open(connection: Connectable, opened: list[Workspace]) -> str:
    opened.append(Workspace(connect(connection), None))
    return opened[0].backend.dialect


def _version(workspace: Workspace) -> str:
    return str(workspace.fetch_one("workspace/catalog/version")[0])


def _try_permissions(workspace: Workspace, sibling: TableName) -> str:
    """Create, rename and drop a table."""
    created, renamed = workspace.permanent.name(sibling, "scratch"), workspace.permanent.name(sibling, "scratch_renamed")
    workspace.define("workspace/ddl/create_table", table=created, columns=_COLUMNS)
    try:
        workspace.permanent.rename(created, renamed)
    finally:
        for table in (created, renamed):
            workspace.define("workspace/ddl/drop_table_if_exists", table=table)
            if workspace.permanent.contains(table):
                workspace.permanent.keep(table)
    return "yes"


def _try_rollback(workspace: Workspace, sibling: TableName) -> str:
    """Create a table in a transaction, roll back, and check whether the table exists."""
    if not workspace.backend.has_transactions:
        return _NOT_ROLLED_BACK
    created = workspace.permanent.name(sibling, "scratch")
    workspace.transaction.begin("publish")
    try:
        workspace.define("workspace/ddl/create_table", table=created, columns=_COLUMNS)
    finally:
        workspace.perform("rollback", "rollback", workspace.backend.rollback)
    exists = resolve(workspace, created) is not None
    workspace.define("workspace/ddl/drop_table_if_exists", table=created)
    workspace.permanent.keep(created)
    return _NOT_ROLLED_BACK if exists else "yes"
