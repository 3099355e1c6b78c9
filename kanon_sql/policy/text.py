"""Write a policy with comments, as a file to review and edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from kanon_sql.policy import Policy

_WIDE = 10**6


@dataclass(frozen=True)
class ColumnNote:
    """The comment above a column of the policy."""

    name: str
    lines: tuple[str, ...]


def policy_text(policy: Policy, heading: Sequence[str], notes: Sequence[ColumnNote]) -> str:
    """Return the policy as YAML, each column under its comment."""
    content = policy.to_dict()
    columns = content.pop("columns")
    others = content.pop("others", None)
    lines = [_comment(line) for line in heading]
    lines += [f"{key}: {_flow(value)}" for key, value in content.items()]
    lines += ["", "columns:"]
    for note in notes:
        lines += [f"  {_comment(line)}" for line in note.lines]
        lines.append(f"  {_flow(note.name)}: {_flow(columns[note.name])}")
    lines += ["", f"others: {others or 'error'}    # what to do with columns that are not listed: error, drop or keep"]
    return "\n".join(lines) + "\n"


def _comment(line: str) -> str:
    return "# " + " ".join(line.split())


def _flow(value: Any) -> str:
    """Return a value as YAML on one line."""
    text: str = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=_WIDE)
    return text.removesuffix("...\n").strip()
