"""Names that a session holds, so other sessions see that a run is using a table or is still alive.

Engines without such names have none: opening the database file already keeps other processes out.
"""

from __future__ import annotations

from kanon_sql.workspace import Workspace


def claim(workspace: Workspace, name: str) -> bool:
    """Hold a name until it is released or the connection ends; return False if another session holds it."""
    return not workspace.backend.has_claims or bool(workspace.look_up("workspace/claims/claim", (name,))[0][0])


def release(workspace: Workspace, name: str) -> None:
    """Release a name."""
    if workspace.backend.has_claims:
        workspace.look_up("workspace/claims/release", (name,))


def take_turn(workspace: Workspace, name: str) -> None:
    """Wait until no other transaction holds a name, then hold it until this transaction ends."""
    if workspace.backend.has_turns:
        workspace.look_up("workspace/claims/take_turn", (name,))


def run_name(run_id: str) -> str:
    """Return the name that a run holds for as long as it is alive."""
    return f"run {run_id}"
