"""Timeouts of a run, and hooks: the user's statements before and after it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.workspace import Workspace

_TRANSACTION = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*(begin|start\s+transaction|commit|rollback|end|abort|savepoint)\b", re.I | re.S)


def prepare(workspace: Workspace, policy: Policy) -> None:
    """Set the policy's timeouts for this session, until the workspace is closed."""
    wanted = {key: getattr(policy, key) for key in ("lock_timeout", "statement_timeout") if getattr(policy, key) is not None}
    for key in wanted:
        if key not in workspace.backend.timeouts:
            supported = " and ".join(workspace.backend.timeouts)
            hint = f" (it supports {supported})" if supported else ""
            raise RequestError(f"{key}: {workspace.backend.title} does not support it; leave it out{hint}")
    if not wanted:
        return
    found = dict(zip(("lock_timeout", "statement_timeout"), workspace.fetch_one("workspace/session/timeouts"), strict=True))
    for key, seconds in wanted.items():
        before = int(found[key])
        workspace.transaction.at_end(partial(workspace.define, f"workspace/session/{key}", milliseconds=before))
        workspace.define(f"workspace/session/{key}", milliseconds=max(1, round(seconds * 1000)))


def run_hook(workspace: Workspace, name: str, statements: Sequence[str]) -> None:
    """Run the user's statements one by one, outside a transaction."""
    for number, text in enumerate(statements, start=1):
        workspace.perform(f"{name}[{number}]", text, partial(workspace.backend.run, text))


def require_hooks(policy: Policy) -> None:
    """Raise an error if a hook begins or ends a transaction, which would be the run's."""
    for name in ("pre_hook", "post_hook"):
        for number, text in enumerate(getattr(policy, name), start=1):
            if _TRANSACTION.match(text):
                raise RequestError(f"{name}[{number}]: a hook is one statement that commits itself; it cannot begin or end a transaction")
