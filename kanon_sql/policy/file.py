"""Read policies from YAML or JSON, and explain the errors in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.common.yaml_file import read_yaml
from kanon_sql.errors import HierarchyError, RequestError
from kanon_sql.hierarchy import Rule, kind_of
from kanon_sql.policy import Policy

KEYS = "table, publish, privacy and columns"


def load_policy(
    source: Policy | Mapping[str, Any] | str | Path,
    *,
    folder: Path | None = None,
    origin: str = "policy",
    defaults: Mapping[str, Any] | None = None,
) -> Policy:
    """Return the checked policy from a file or plain values; its hierarchy files are relative to it, and defaults fill missing keys."""
    if isinstance(source, Policy):
        return source
    if isinstance(source, Mapping):
        return _checked({**(defaults or {}), **source}, origin=origin, folder=folder or Path())
    path = Path(source)
    return _checked({**(defaults or {}), **read_yaml(path, "policy", KEYS)}, origin=str(path), folder=folder or path.parent)


def _checked(content: Mapping[str, Any], *, origin: str, folder: Path) -> Policy:
    try:
        policy = Policy.model_validate(dict(content))
    except ValidationError as error:
        lines = [f"{origin}: {_explain(problem, content)}" for problem in error.errors()]
        raise RequestError("\n".join(dict.fromkeys(lines))) from None
    read = {name: _read(name, rule.hierarchy, origin, folder) for name, rule in policy.columns.items() if rule.hierarchy is not None}
    return policy.with_hierarchies(read)


def _read(column: str, rule: Rule, origin: str, folder: Path) -> Rule:
    """Return the hierarchy with the content of its file, or raise an error that names its place in the policy."""
    try:
        return rule.read(folder)
    except HierarchyError as error:
        raise HierarchyError(f"{origin}: columns.{column}: {error}") from None


def _explain(problem: Mapping[str, Any], content: object) -> str:
    where = list(problem["loc"])
    key = ".".join(str(part) for part in where).replace("suppression.limit", "suppression")
    match problem["type"]:
        case "extra_forbidden":
            return _misspelled(where, content)
        case "missing":
            return f"{key}: is missing"
        case "literal_error":
            value = problem["input"]
            allowed = problem["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
            return f"{key}: {value!r} is not allowed{did_you_mean(str(value), allowed)}; allowed are {', '.join(allowed)}"
        case "value_error":
            message = str(problem["ctx"]["error"])
            return f"{key}: {message}" if key else message
        case "greater_than_equal" | "int_type" | "int_from_float" if key == "privacy.k":
            return f"{key}: must be a whole number of at least 2"
        case "model_type" | "model_attributes_type" | "dict_type":
            example = {"privacy": "{k: 5}", "publish": "{into: patients_anon}"}.get(key, "{role: quasi_identifier}")
            return f"{key}: must have keys, such as {example}"
        case _:
            return f"{key}: {problem['msg'].lower().replace('input should be', 'must be')}"


def _misspelled(where: list[Any], content: object) -> str:
    """Return the message about an unknown key, with the keys allowed in its place."""
    *path, wrong = where
    model = _model_at(path, content)
    allowed = [name for name, field in model.model_fields.items() if not field.exclude]
    prefix = ".".join(str(part) for part in path)
    place = f"{prefix}: " if prefix else ""
    return f"{place}unknown key {wrong!r}{did_you_mean(str(wrong), allowed)}; allowed are {', '.join(allowed)}"


def _model_at(path: Sequence[Any], content: Any) -> type[BaseModel]:
    """Return the class of the part of a policy at a path."""
    model: type[BaseModel] = Policy
    for part in path:
        content = content[part] if isinstance(content, Mapping) else None
        field = model.model_fields.get(str(part))
        if field is not None:
            model = next(_models_in(field.annotation), model)
        if issubclass(model, Rule):
            model = kind_of(content) or model
    return model


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    """Yield the classes of policy parts that a field's type mentions."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models_in(inner)
