"""Permissions to read the release: they belong to a table, or to a name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.errors import RequestError
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


def require_grants(workspace: Workspace, roles: Sequence[str]) -> None:
    """Raise an error if roles are named and the database has none."""
    if roles and workspace.backend.grants is None:
        raise RequestError(f"grants: {workspace.backend.title} has no roles; leave out grants, and set the permissions of the file")


def grant_in_transaction(workspace: Workspace, table: TableName, roles: Sequence[str]) -> None:
    """Let the roles read a table that is visible after the commit, where permissions are part of the transaction."""
    if workspace.backend.grants == "in_transaction":
        _grant(workspace, table, roles)


def try_grants(workspace: Workspace, staged: TableName, roles: Sequence[str]) -> None:
    """Raise an error if permissions belong to names, so they are granted after the rename, and cannot be granted."""
    if workspace.backend.grants == "by_name" and roles:
        workspace.define("workspace/session/no_new_accounts")
        for role in roles:
            workspace.define("workspace/ddl/grant_select", table=staged, **_named(role, by_host=True))
            workspace.define("workspace/ddl/revoke_select", table=staged, **_named(role, by_host=True))


def grant_by_name(workspace: Workspace, table: TableName, roles: Sequence[str]) -> None:
    """Let the roles read the release, where permissions belong to names."""
    if workspace.backend.grants == "by_name" and roles:
        workspace.define("workspace/session/no_new_accounts")
        _grant(workspace, table, roles)


def _grant(workspace: Workspace, table: TableName, roles: Sequence[str]) -> None:
    for role in roles:
        workspace.define("workspace/ddl/grant_select", table=table, **_named(role, by_host=workspace.backend.grants == "by_name"))


def _named(role: str, *, by_host: bool) -> dict[str, Any]:
    """Return a role as its parts, user and host where accounts have hosts; `public` means everyone."""
    user, at, host = role.rpartition("@")
    return {"everyone": role.lower() == "public", "role": (user, host) if by_host and at else (role,)}


def make_private(workspace: Workspace, table: TableName) -> None:
    """Revoke every right of others on a table of kanon_sql, where rights belong to the table."""
    if workspace.backend.grants == "in_transaction":
        for (statement,) in workspace.look_up("workspace/catalog/grants_to_others", table.parts):
            workspace.define("workspace/ddl/as_written", statement=statement)
