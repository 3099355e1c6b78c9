"""Debug: what a connection can do that publishing needs, tried on scratch tables that are removed again."""

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
    """One thing that was tried."""

    what: str
    works: bool
    detail: str = ""


@dataclass
class DebugReport:
    """What was tried in a database, and what came of it."""

    server: str = ""
    findings: list[Finding] = field(default_factory=list)

    @property
    def works(self) -> bool:
        """Whether everything that publishing needs is there."""
        return all(finding.works for finding in self.findings)

    def attempt(self, what: str, action: Callable[[], str]) -> bool:
        """Tries something and remembers what came of it."""
        try:
            self.findings.append(Finding(what, True, action()))
        except KanonError as error:
            self.findings.append(Finding(what, False, str(error)))
        return self.findings[-1].works


def debug(connection: Connectable, *, beside: Sequence[TableName] = ()) -> DebugReport:
    """Connects, then makes, renames and drops a scratch table beside each of the given ones (at least where names without schema lead)."""
    report = DebugReport()
    opened: list[Workspace] = []
    if not report.attempt("connection", lambda: _open(connection, opened)):
        return report
    places = dict.fromkeys(table.sibling("any") for table in beside) or {TableName(("any",)): None}
    with opened[0] as workspace:
        report.attempt("version", lambda: _version(workspace))
        report.server = report.findings[-1].detail
        for place in places:
            schema = ".".join(place.parts[:-1]) or "the default schema"
            report.attempt(f"create, rename and drop in {schema}", lambda place=place: _try_rights(workspace, place))  # type: ignore[misc]
        report.attempt("transactional DDL", lambda: _try_rollback(workspace, next(iter(places))))
    return report


def _open(connection: Connectable, opened: list[Workspace]) -> str:
    opened.append(Workspace(connect(connection), None))
    return opened[0].backend.dialect


def _version(workspace: Workspace) -> str:
    return str(workspace.fetch_one("workspace/catalog/version")[0])


def _try_rights(workspace: Workspace, place: TableName) -> str:
    """Makes a table, gives it another name, drops it."""
    made, renamed = workspace.permanent.name(place, "scratch"), workspace.permanent.name(place, "scratch_renamed")
    workspace.define("workspace/ddl/create_table", table=made, columns=_COLUMNS)
    try:
        workspace.permanent.rename(made, renamed)
    finally:
        for table in (made, renamed):
            workspace.define("workspace/ddl/drop_table_if_exists", table=table)
            if workspace.permanent.contains(table):
                workspace.permanent.keep(table)
    return "yes"


def _try_rollback(workspace: Workspace, place: TableName) -> str:
    """Makes a table in a transaction, rolls back, and looks whether the table is gone."""
    if not workspace.backend.has_transactions:
        return _NOT_ROLLED_BACK
    made = workspace.permanent.name(place, "scratch")
    workspace.transaction.begin("publish")
    try:
        workspace.define("workspace/ddl/create_table", table=made, columns=_COLUMNS)
    finally:
        workspace.perform("rollback", "rollback", workspace.backend.rollback)
    is_there = resolve(workspace, made) is not None
    workspace.define("workspace/ddl/drop_table_if_exists", table=made)
    workspace.permanent.keep(made)
    return _NOT_ROLLED_BACK if is_there else "yes"
