"""Turns command-line arguments into checked requests."""

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


@dataclass(frozen=True)
class CheckRequest:
    """What `kanon check` is asked."""

    table: str
    quasi_identifiers: tuple[str, ...]
    k: int | None
    policy: Policy | None = None
    source: str | None = None


def policy_from_arguments(
    *,
    policy: Path | None,
    table: str | None,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str],
    k: int | None,
    into: str | None,
    suppression: str | None,
    others: str | None,
    in_place: bool = False,
    allow_loss: Sequence[str] = (),
    algorithm: str | None = None,
    cost: Sequence[str] = (),
    time_budget: str | None = None,
    plan: Path | None = None,
) -> Policy:
    """The policy of a file with the arguments laid over it, or one made of the arguments alone."""
    given: dict[str, Any] = {
        "table": table,
        "publish": _publish(into, in_place=in_place, allow_loss=allow_loss),
        "privacy": {"k": k} if k is not None else None,
        "suppression": None if suppression is None else _suppression(suppression),
        "others": others,
        "algorithm": algorithm,
        "cost": list(cost) or None,
        "time_budget": time_budget,
    }
    given = {key: value for key, value in given.items() if value is not None}
    if policy or plan:
        if quasi_identifiers or sensitive:
            raise RequestError("--qi and --sensitive stand for a policy; with --policy write the roles into the file")
        return _laid_over(policy, plan, given)
    where: dict[str, object] = {"--others": others} if in_place else {"--into": into}
    _require({"TABLE": table, "--qi": quasi_identifiers, "--k": k, **where})
    roles = {"quasi_identifier": quasi_identifiers, "sensitive": sensitive}
    columns: dict[str, str] = {}
    for role, names in roles.items():
        for name in names:
            if name in columns:
                raise RequestError(f"column {name!r} is listed twice")
            columns[name] = role
    return load_policy({"others": "drop", **given, "columns": columns}, origin="command line")


def _laid_over(policy: Path | None, plan: Path | None, given: dict[str, Any]) -> Policy:
    """The policy of a file, or of the plan that holds it, with what was given beside it."""
    file = policy or plan
    assert file is not None  # noqa: S101 (one of them was given)
    missing = {"publish": given["publish"]} if "publish" in given else {}
    if policy:
        loaded = load_policy(policy, defaults=missing)
    else:
        loaded = load_policy(read_plan(file).policy, folder=file.parent, origin=f"plan {file}: policy")
    if "publish" in given:
        stated = loaded.to_dict()["publish"]
        if given["publish"].get("in_place"):
            stated = {key: value for key, value in stated.items() if key not in ("into", "replace")}
        lost = list(dict.fromkeys([*loaded.publish.allow_loss, *given["publish"].get("allow_loss", [])]))
        given["publish"] = {**stated, **given["publish"], **({"allow_loss": lost} if lost else {})}
    return load_policy({**loaded.to_dict(), **given}, folder=file.parent) if given else loaded


def _publish(into: str | None, *, in_place: bool, allow_loss: Sequence[str]) -> dict[str, Any] | None:
    if into and in_place:
        raise RequestError("--into and --in-place exclude each other: publish into another table, or replace the table's own rows")
    given = {"into": into, "in_place": in_place, "allow_loss": list(allow_loss)}
    return {key: value for key, value in given.items() if value} or None


def levels_from_argument(text: str | None) -> dict[str, int] | None:
    """The levels of `age=1,zip=2`."""
    if text is None:
        return None
    levels: dict[str, int] = {}
    for pair in text.split(","):
        name, equals, level = pair.strip().rpartition("=")
        if not (name and equals and level.strip().isdigit()):
            raise RequestError("--levels must name a level for every quasi-identifier, such as age=1,zip=2")
        if name in levels:
            raise RequestError(f"--levels names {name!r} twice")
        levels[name.strip()] = int(level)
    return levels


def check_from_arguments(
    *, policy: Policy | Path | None, table: str | None, quasi_identifiers: Sequence[str], k: int | None, source: str | None = None
) -> CheckRequest:
    """The check a policy asks for, or one made of the arguments."""
    if policy is not None:
        loaded = load_policy(policy)
        beside_source = loaded.source.sibling(loaded.target.table) if len(loaded.target.parts) == 1 else loaded.target
        return CheckRequest(table or str(beside_source), tuple(quasi_identifiers or loaded.quasi_identifiers), k, loaded, source)
    if source is not None:
        raise RequestError("--source is what models of a policy are compared with; give --policy FILE beside it")
    _require({"TABLE": table, "--qi": quasi_identifiers, "--k": k})
    return CheckRequest(table or "", tuple(quasi_identifiers), k or 0)


def _require(arguments: dict[str, object]) -> None:
    """Every argument is given, or an error names those that are not."""
    missing = [name for name, value in arguments.items() if value is None or value == []]
    if missing:
        raise RequestError(f"without --policy FILE also give {', '.join(missing)}")


def _suppression(text: str) -> int | float:
    """A whole number of rows when written without a point, else a share."""
    try:
        return int(text) if text.strip().lstrip("+-").isdigit() else float(Decimal(text.strip()))
    except (ValueError, InvalidOperation):
        raise RequestError("--suppression must be a share such as 0.02 or a whole number of rows") from None
