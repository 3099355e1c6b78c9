"""Plans: a solution saved as a file that people can review, with hashes of all that must not change before it is published."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kanon_sql.artifacts import Profile
from kanon_sql.errors import RequestError
from kanon_sql.hierarchy import Listed, Rule
from kanon_sql.policy import Policy
from kanon_sql.tables import TableName

KEYS = ("table", "algorithm", "levels", "expected", "hashes", "policy")
HASHED = ("policy", "hierarchies", "schema")
# What a policy says about finding and naming a release; a plan has its levels already, and any name will do.
_FREE = ("table", "publish", "algorithm", "cost", "time_budget", "label", "columns", "tags")


@dataclass(frozen=True)
class Plan:
    """One table's levels, what they are expected to give, and the policy they were found under."""

    table: str
    algorithm: str
    levels: dict[str, int]
    expected: dict[str, Any]
    hashes: dict[str, str]
    policy: dict[str, Any]

    def to_yaml(self) -> str:
        """The plan as its file holds it."""
        return yaml.safe_dump({key: getattr(self, key) for key in KEYS}, sort_keys=False, allow_unicode=True, default_flow_style=None)

    def write(self, file: Path, *, policy_folder: Path = Path()) -> None:
        """Saves the plan; its policy's files, named relative to a folder, are named relative to the plan instead."""
        columns = {name: _moved(rule, policy_folder, file.parent) for name, rule in self.policy["columns"].items()}
        moved = Plan(**{**vars(self), "policy": {**self.policy, "columns": columns}})
        try:
            file.write_text(moved.to_yaml(), encoding="utf-8")
        except OSError as error:
            raise RequestError(f"plan {file} cannot be written: {error.strerror}") from None

    def require_unchanged(self, policy: Policy, profile: Profile) -> None:
        """The plan is for this table, policy and hierarchies, or an error says what changed."""
        if policy.source != TableName.parse(self.table):
            raise RequestError(f"the plan is for table {self.table}, and the policy is for {policy.table}")
        found = hashes_of(policy, profile)
        changed = [name for name in HASHED if self.hashes[name] != found[name]]
        if changed:
            words = {"policy": "the policy", "hierarchies": "a hierarchy", "schema": "a column's name or type in the table"}
            raise RequestError(
                f"the plan does not fit any more: {' and '.join(words[name] for name in changed)} changed since it was made; "
                "solve again and review the new plan"
            )


def read_plan(file: str | Path) -> Plan:
    """The plan of a file, or an error that says what is wrong with it."""
    try:
        content = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise RequestError(f"plan {file} cannot be read: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError):
        raise RequestError(f"plan {file} is not readable YAML") from None
    if not isinstance(content, Mapping) or set(content) != set(KEYS):
        raise RequestError(f"plan {file} is not a plan: it must hold exactly {', '.join(KEYS)}; make one with kanon solve")
    levels, hashes = content["levels"], content["hashes"]
    if not isinstance(levels, Mapping) or not all(type(level) is int for level in levels.values()):
        raise RequestError(f"plan {file}: levels must map each quasi-identifier to a whole number")
    if not isinstance(hashes, Mapping) or set(hashes) != set(HASHED):
        raise RequestError(f"plan {file}: hashes must hold {', '.join(HASHED)}")
    parts: dict[str, Any] = {key: dict(value) if isinstance(value, Mapping) else value for key, value in content.items()}
    return Plan(**parts)


def hashes_of(policy: Policy, profile: Profile) -> dict[str, str]:
    """What must be the same when a plan is made and when it is published."""
    plain = policy.to_dict()
    roles = {name: _without_hierarchy(rule) for name, rule in plain["columns"].items()}
    return {
        "policy": _hash({"columns": roles, **{key: value for key, value in plain.items() if key not in _FREE}}),
        "hierarchies": _hash({q.column.name: _ladder(q.hierarchy) for q in profile.quasi_identifiers}),
        "schema": _hash([[column.name, column.type] for column in profile.columns]),
    }


def _without_hierarchy(rule: Any) -> Any:
    given = rule if isinstance(rule, Mapping) else {"role": rule}
    return {key: value for key, value in given.items() if key not in ("hierarchy", "weight")}


def _ladder(rule: Rule) -> Any:
    """A hierarchy by its content, wherever its file lies."""
    plain = rule.model_dump(mode="json")
    return {**plain, "csv": rule.lines} if isinstance(rule, Listed) else plain


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()


def _moved(rule: Any, old: Path, new: Path) -> Any:
    """A column's rule whose hierarchy file is named relative to another folder."""
    hierarchy = rule.get("hierarchy") if isinstance(rule, Mapping) else None
    if not isinstance(hierarchy, Mapping) or "csv" not in hierarchy or Path(hierarchy["csv"]).is_absolute():
        return rule
    return {**rule, "hierarchy": {**hierarchy, "csv": Path(os.path.relpath(old / hierarchy["csv"], new)).as_posix()}}
