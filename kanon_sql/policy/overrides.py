"""Policy keys given as arguments, which replace those of a policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import RequestError
from kanon_sql.policy import Others, Policy, Privacy, Publish
from kanon_sql.policy.file import load_policy

Models = Mapping[str, Any] | Sequence[Mapping[str, Any]]


class PolicyKeys(TypedDict, total=False):
    """The keys of a policy that can be given as arguments, except table and k."""

    where: str
    into: str
    in_place: bool
    on_change: Literal["fail", "search"]
    keep_backup: bool
    scrub: Literal["auto", "off"]
    history: bool
    allow_loss: Sequence[str]
    l_diversity: Models
    t_closeness: Models
    alpha_k: Models
    delta_disclosure: Models
    beta_likeness: Models
    average_risk: float
    suppression: float | Mapping[str, Any]
    algorithm: str
    mondrian: Mapping[str, Any]
    cost: str | Sequence[str]
    time_budget: str | float
    label: str
    entity: str
    columns: Mapping[str, Any]
    limits: Mapping[str, Any]
    queries: Sequence[str]
    others: Others
    dependent: Literal["warn", "error"]
    grants: Mapping[str, Any]
    pre_hook: str | Sequence[str]
    post_hook: str | Sequence[str]
    lock_timeout: str | float
    statement_timeout: str | float
    tags: str | Sequence[str]


class PolicyOverrides(PolicyKeys, total=False):
    """The keys of a policy that can be given as arguments."""

    table: str | Mapping[str, str]
    k: int


PRIVACY_KEYS = tuple(Privacy.model_fields)
PUBLISH_KEYS = tuple(key for key in Publish.model_fields if key != "replace")
KEYS = (*PRIVACY_KEYS, *PUBLISH_KEYS, *(key for key in Policy.model_fields if key not in ("privacy", "publish")))


def override(
    policy: Policy | Mapping[str, Any] | str | Path,
    overrides: Mapping[str, Any],
    *,
    options: Iterable[str] = (),
    defaults: Mapping[str, Any] | None = None,
) -> Policy:
    """Return the checked policy with these keys in place of its own; a value of None leaves the policy's value.

    `options` are the other arguments of the function, which are suggested for a misspelled one.
    """
    _require_known(overrides, tuple(options))
    nested = _nested({key: value for key, value in overrides.items() if value is not None})
    missing = {key: value for key, value in nested.items() if Policy.model_fields[key].is_required()}
    loaded = load_policy(policy, defaults={**(defaults or {}), **missing})
    folder = Path(policy).parent if isinstance(policy, str | Path) else None
    return merge(loaded, nested, folder=folder, origin="arguments")


def merge(policy: Policy, keys: Mapping[str, Any], *, folder: Path | None, origin: str = "policy") -> Policy:
    """Return the checked policy with these keys in place of its own; other keys under `privacy` and `publish` stay."""
    if not keys:
        return policy
    content = {**policy.to_dict(), "columns": _columns(policy), **keys}
    content["privacy"] = {**policy.to_dict()["privacy"], **keys.get("privacy", {})}
    content["publish"] = _publish(policy, keys.get("publish", {}))
    return load_policy(content, folder=folder, origin=origin)


def _require_known(overrides: Mapping[str, Any], options: tuple[str, ...]) -> None:
    """Raise an error that suggests the key that was meant if one is unknown."""
    unknown = next((key for key in overrides if key not in KEYS), None)
    if unknown is not None:
        hint = did_you_mean(unknown, [*options, *KEYS])
        raise RequestError(f"unknown argument {unknown!r}{hint}; policy keys that can be given are {', '.join(KEYS)}")


def _nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys where a policy has them: k under privacy, into under publish."""
    nested: dict[str, Any] = {}
    for key, value in flat.items():
        group = "privacy" if key in PRIVACY_KEYS else "publish" if key in PUBLISH_KEYS else None
        if group is None:
            nested[key] = value
        else:
            nested.setdefault(group, {})[key] = value
    return nested


def _columns(policy: Policy) -> dict[str, Any]:
    """Return the columns as plain values, except those whose hierarchy has been read from a file."""
    return {name: rule if getattr(rule.hierarchy, "lines", ()) else rule.model_dump() for name, rule in policy.columns.items()}


def _publish(policy: Policy, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return where to publish: a table and in place replace each other, losses that are allowed add up."""
    stated = policy.to_dict()["publish"]
    if given.get("in_place"):
        stated = {key: value for key, value in stated.items() if key not in ("into", "replace")}
    if given.get("into"):
        stated = {key: value for key, value in stated.items() if key != "in_place"}
    lost = list(dict.fromkeys([*policy.publish.allow_loss, *given.get("allow_loss", [])]))
    return {**stated, **given, **({"allow_loss": lost} if lost else {})}
