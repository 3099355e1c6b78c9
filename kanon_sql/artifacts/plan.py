"""Plans: a solution saved as a file to review, with hashes of everything that must not change before it is published."""

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
from kanon_sql.artifacts.cut_rules import CutRule, cuts_hash, cuts_text, read_cuts
from kanon_sql.common.output_file import write_whole
from kanon_sql.common.yaml_file import read_yaml
from kanon_sql.errors import RequestError
from kanon_sql.policy import RUNNING, Policy, Query
from kanon_sql.tables import TableName

KEYS = ("table", "algorithm", "levels", "types", "expected", "hashes", "policy")
HASHED = ("policy", "hierarchies", "schema")
# Keys of a policy that may change after a plan is made: they affect the search or the name of the release, not its content.
_FREE = ("table", "publish", "algorithm", "cost", "time_budget", "label", "columns", "queries", *RUNNING)


@dataclass(frozen=True)
class Plan:
    """The levels or cuts for one table, their expected results, and the policy they were found for."""

    table: str | dict[str, str]
    algorithm: str
    levels: dict[str, int]
    types: dict[str, str]
    expected: dict[str, Any]
    hashes: dict[str, str]
    policy: dict[str, Any]
    cuts: tuple[CutRule, ...] | None = None  # of Mondrian, in a file next to the plan
    unfrozen: str | None = None  # why this cannot be saved as a plan

    def to_yaml(self, cuts_file: str = "plan.cuts.csv") -> str:
        """Return the text of the plan file."""
        content = {key: getattr(self, key) for key in KEYS}
        if self.cuts is not None:
            content["cuts"] = {"file": cuts_file, "cuts": len(self.cuts), "hash": cuts_hash(self.cuts)}
        return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, default_flow_style=None)

    def write(self, file: Path, *, policy_folder: Path = Path()) -> None:
        """Write the plan, and its cuts next to it; paths in its policy become relative to the plan instead of `policy_folder`."""
        if self.unfrozen is not None:
            raise RequestError(f"this solution cannot be saved as a plan: {self.unfrozen}")
        columns = {name: _moved(rule, policy_folder, file.parent) for name, rule in self.policy["columns"].items()}
        moved = Plan(**{**vars(self), "policy": {**self.policy, "columns": columns}})
        if self.cuts is not None:
            write_whole(cuts_file(file), cuts_text(self.cuts))
        write_whole(file, moved.to_yaml(cuts_file(file).name))

    def require_unchanged(self, policy: Policy, profile: Profile) -> None:
        """Raise an error if the table, the policy or a hierarchy has changed since the plan was made."""
        if not self._is_for(policy):
            raise RequestError(f"the plan is for {_named(self.table)}, and the policy is for {_named(policy.to_dict()['table'])}")
        found = hashes_of(policy, profile)
        changed = [name for name in HASHED if self.hashes[name] != found[name]]
        if changed:
            words = {"policy": "the policy", "hierarchies": "a hierarchy", "schema": "a column's name or type in the table"}
            raise RequestError(
                f"the plan is out of date: {' and '.join(words[name] for name in changed)} changed since it was made. "
                "Solve again and review the new plan"
            )

    def require_types(self, types: Mapping[str, str]) -> None:
        """Raise an error that names the first column of the release whose type differs from the plan."""
        for name in dict.fromkeys((*self.types, *types)):
            expected, found = self.types.get(name), types.get(name)
            if expected != found:
                raise RequestError(
                    f"the plan is out of date: column {name!r} of the release would {f'have type {found}' if found else 'be missing'}, "
                    f"but the plan {f'has type {expected}' if expected else 'does not list it'}. Solve again and review the new plan"
                )

    def _is_for(self, policy: Policy) -> bool:
        """Return whether plan and policy read the same source: the same table in any spelling, or a query with the same text."""
        if isinstance(policy.table, Query) or not isinstance(self.table, str):
            return bool(policy.to_dict()["table"] == self.table)
        return policy.source == TableName.parse(self.table)


def cuts_file(plan: Path) -> Path:
    """Return the file next to a plan that contains the cuts of Mondrian."""
    return plan.with_name(f"{plan.stem}.cuts.csv")


def _named(table: str | Mapping[str, str]) -> str:
    return f"table {table}" if isinstance(table, str) else "a query"


def read_plan(file: str | Path) -> Plan:
    """Return the plan in a file; raise an error that says what is wrong with the file."""
    content_of_plan = f"exactly {', '.join(KEYS)}; make one with kanon solve"
    content = read_yaml(Path(file), "plan", content_of_plan)
    if set(content) - {"cuts"} != set(KEYS):
        raise RequestError(f"plan {file} is not a plan: it must hold {content_of_plan}")
    levels, hashes = content["levels"], content["hashes"]
    if not isinstance(levels, Mapping) or not all(type(level) is int for level in levels.values()):
        raise RequestError(f"plan {file}: levels must map each quasi-identifier to a whole number")
    if not isinstance(hashes, Mapping) or set(hashes) != set(HASHED):
        raise RequestError(f"plan {file}: hashes must hold {', '.join(HASHED)}")
    if not isinstance(content["types"], Mapping) or not all(isinstance(name, str) for name in content["types"].values()):
        raise RequestError(f"plan {file}: types must map each column of the release to its type")
    parts: dict[str, Any] = {key: dict(value) if isinstance(value, Mapping) else value for key, value in content.items()}
    return Plan(**{**parts, "cuts": _read_plan_cuts(Path(file), parts["cuts"]) if "cuts" in parts else None})


def _read_plan_cuts(file: Path, entry: Any) -> tuple[CutRule, ...]:
    """Return the cuts in the file that a plan names; raise an error if the file was changed."""
    if not isinstance(entry, Mapping) or not {"file", "hash"} <= set(entry):
        raise RequestError(f"plan {file}: cuts must have the keys file and hash")
    cuts_path = file.parent / str(entry["file"])
    try:
        cuts = read_cuts(cuts_path.read_bytes().decode("utf-8"), str(cuts_path))
    except OSError as error:
        raise RequestError(f"plan {file}: its cuts in {cuts_path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RequestError(f"plan {file}: its cuts in {cuts_path} are not UTF-8 text") from None
    if cuts_hash(cuts) != entry["hash"]:
        raise RequestError(f"plan {file}: the cuts in {cuts_path} are not the ones it was made with. Solve again and review the new plan")
    return cuts


def hashes_of(policy: Policy, profile: Profile) -> dict[str, str]:
    """Return hashes of everything that must not change between making a plan and publishing it."""
    plain = policy.to_dict()
    roles = {name: _without_hierarchy(rule) for name, rule in plain["columns"].items()}
    grouped = [q for q in profile.sensitive if policy.columns[q.column.name].hierarchy is not None]
    return {
        "policy": _hash({"columns": roles, **{key: value for key, value in plain.items() if key not in _FREE}}),
        "hierarchies": _hash({q.column.name: q.hierarchy.content for q in (*profile.quasi_identifiers, *grouped)}),
        "schema": _hash([[column.name, column.type] for column in profile.columns]),
    }


def _without_hierarchy(rule: Any) -> Any:
    options = rule if isinstance(rule, Mapping) else {"role": rule}
    return {key: value for key, value in options.items() if key not in ("hierarchy", "weight", "accept_dependent")}


def _hash(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()


def _moved(rule: Any, old: Path, new: Path) -> Any:
    """Return the rule of a column with the path of its hierarchy file relative to another folder."""
    hierarchy = rule.get("hierarchy") if isinstance(rule, Mapping) else None
    if not isinstance(hierarchy, Mapping) or "csv" not in hierarchy or Path(hierarchy["csv"]).is_absolute():
        return rule
    return {**rule, "hierarchy": {**hierarchy, "csv": Path(os.path.relpath(old / hierarchy["csv"], new)).as_posix()}}
