"""Build checked requests from command-line arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from kanon_sql.artifacts.plan import read_plan
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.policy.file import load_policy
from kanon_sql.policy.overrides import merge


@dataclass(frozen=True)
class CheckRequest:
    """The table that `kanon check` counts, and the requirements it checks."""

    table: str
    quasi_identifiers: tuple[str, ...]
    k: int | None
    policy: Policy | None = None
    source: str | None = None


@dataclass(frozen=True)
class PolicyArguments:
    """The arguments that define a policy, or override the policy of a file or plan; None and () mean not set."""

    policy: Path | None = None
    plan: Path | None = None
    table: str | None = None
    quasi_identifiers: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    k: int | None = None
    into: str | None = None
    in_place: bool = False
    allow_loss: tuple[str, ...] = ()
    suppression: str | None = None
    others: str | None = None
    algorithm: str | None = None
    cost: tuple[str, ...] = ()
    time_budget: str | None = None

    def policy_keys(self) -> dict[str, Any]:
        """Return the policy keys that these arguments set, apart from the columns."""
        keys: dict[str, Any] = {
            "table": self.table,
            "publish": self._publish_keys() or None,
            "privacy": None if self.k is None else {"k": self.k},
            "suppression": None if self.suppression is None else _parse_suppression(self.suppression),
            "others": self.others,
            "algorithm": self.algorithm,
            "cost": list(self.cost) or None,
            "time_budget": self.time_budget,
        }
        return {key: value for key, value in keys.items() if value is not None}

    def _publish_keys(self) -> dict[str, Any]:
        if self.into and self.in_place:
            raise RequestError(
                "--into and --in-place cannot be combined. Use --into to publish into another table, "
                "or --in-place to replace the rows of the source table"
            )
        keys = {"into": self.into, "in_place": self.in_place, "allow_loss": list(self.allow_loss)}
        return {key: value for key, value in keys.items() if value}


def policy_from_arguments(arguments: PolicyArguments) -> Policy:
    """Return the policy of a file or plan with the other arguments overriding its keys, or a policy of the arguments alone."""
    keys = arguments.policy_keys()
    if arguments.policy or arguments.plan:
        if arguments.quasi_identifiers or arguments.sensitive:
            raise RequestError(
                "--qi and --sensitive cannot be combined with --policy or --plan. Set the roles of columns in the policy file"
            )
        return _override(arguments.policy, arguments.plan, keys)
    target = {"--others": arguments.others} if arguments.in_place else {"--into": arguments.into}
    _require_set({"TABLE": arguments.table, "--qi": arguments.quasi_identifiers, "--k": arguments.k, **target})
    columns: dict[str, str] = {}
    for role, names in (("quasi_identifier", arguments.quasi_identifiers), ("sensitive", arguments.sensitive)):
        for name in names:
            if name in columns:
                raise RequestError(f"column {name!r} is listed twice in --qi and --sensitive. List it once")
            columns[name] = role
    return load_policy({"others": "drop", **keys, "columns": columns}, origin="command line")


def _override(policy: Path | None, plan: Path | None, keys: dict[str, Any]) -> Policy:
    """Return the policy of a file, or of the plan that contains it, with these keys replaced."""
    file = policy or plan
    assert file is not None  # noqa: S101 (the caller checks that one of them is set)
    publish: dict[str, Any] | None = keys.get("publish")
    if policy:
        loaded = load_policy(policy, defaults={} if publish is None else {"publish": publish})
    else:
        loaded = load_policy(read_plan(file).policy, folder=file.parent, origin=f"plan {file}: policy")
    return merge(loaded, keys, folder=file.parent)


def levels_from_argument(text: str | None) -> dict[str, int] | None:
    """Return the levels of a text such as `age=1,zip=2`."""
    if text is None:
        return None
    levels: dict[str, int] = {}
    for pair in text.split(","):
        name, equals, level = pair.strip().rpartition("=")
        if not (name and equals and level.strip().isdigit()):
            raise RequestError("--levels cannot be read. Give one level per quasi-identifier, for example: --levels age=1,zip=2")
        if name in levels:
            raise RequestError(f"--levels lists {name!r} twice. List each quasi-identifier once")
        levels[name.strip()] = int(level)
    return levels


def check_from_arguments(
    *, policy: Policy | Path | None, table: str | None, quasi_identifiers: Sequence[str], k: int | None, source: str | None = None
) -> CheckRequest:
    """Return the check of a policy's release, or a check of the arguments alone."""
    if policy is not None:
        loaded = load_policy(policy)
        target = loaded.source.sibling(loaded.target.table) if len(loaded.target.parts) == 1 else loaded.target
        return CheckRequest(table or str(target), tuple(quasi_identifiers or loaded.quasi_identifiers), k, loaded, source)
    if source is not None:
        raise RequestError("--source is used only by the privacy models of a policy. Add --policy FILE, or omit --source")
    _require_set({"TABLE": table, "--qi": tuple(quasi_identifiers), "--k": k})
    return CheckRequest(table or "", tuple(quasi_identifiers), k or 0)


def _require_set(arguments: dict[str, object]) -> None:
    """Raise an error that names the arguments that are not set."""
    missing = [name for name, value in arguments.items() if value is None or value == ()]
    if missing:
        raise RequestError(f"no policy is set. Add --policy FILE, or add the missing arguments: {', '.join(missing)}")


def _parse_suppression(text: str) -> int | float:
    """Return a number of rows if the text is a whole number, otherwise a share of the rows."""
    try:
        return int(text) if text.strip().lstrip("+-").isdigit() else float(Decimal(text.strip()))
    except (ValueError, InvalidOperation):
        raise RequestError("--suppression is not a number. Set a share of the rows (0.02) or a whole number of rows (50)") from None
