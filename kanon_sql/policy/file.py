"""Reads policies from YAML or JSON, and explains what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.common.yaml_file import read_yaml
from kanon_sql.errors import HierarchyError, RequestError
from kanon_sql.hierarchy import RULES, Codes, Hierarchy, Listed, MaskRule, Rule, Tree
from kanon_sql.partition import Mondrian
from kanon_sql.policy import ColumnRule, Grants, Policy, Privacy, Publish, Suppression

KEYS = "table, publish, privacy and columns"


def load_policy(
    source: Policy | Mapping[str, Any] | str | Path,
    *,
    folder: Path | None = None,
    origin: str = "policy",
    defaults: Mapping[str, Any] | None = None,
) -> Policy:
    """The checked policy from a file, or from plain values; hierarchy files are read relative to it, defaults stand for missing keys."""
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
    listed = {
        name: _with_lines(name, rule.hierarchy, origin, folder)
        for name, rule in policy.columns.items()
        if isinstance(rule.hierarchy, Listed | Tree) and not rule.hierarchy.lines
    }
    return policy.with_hierarchies(listed)


def _with_lines(column: str, rule: Listed | Tree, origin: str, folder: Path) -> Hierarchy:
    """The hierarchy with its lines, or an error that says where in the policy it stands."""
    try:
        return rule.read(folder)
    except HierarchyError as error:
        raise HierarchyError(f"{origin}: columns.{column}: {error}") from None


def _explain(problem: Mapping[str, Any], content: object) -> str:
    where = [part for part in problem["loc"] if isinstance(part, int) or not _is_class_name(str(part))]
    key = ".".join(str(part) for part in where).replace("suppression.limit", "suppression")
    match problem["type"]:
        case "extra_forbidden":
            return _misspelled(where, content)
        case "missing":
            return f"{key}: is missing"
        case "literal_error":
            given = problem["input"]
            allowed = problem["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
            return f"{key}: {given!r} is not allowed{did_you_mean(str(given), allowed)}; allowed are {', '.join(allowed)}"
        case "value_error":
            message = str(problem["ctx"]["error"])
            return f"{key}: {message}" if key else message
        case "greater_than_equal" | "int_type" | "int_from_float" if key == "privacy.k":
            return f"{key}: must be a whole number of at least 2"
        case "model_type" | "model_attributes_type" | "dict_type":
            example = {"privacy": "{k: 5}", "publish": "{into: patients_anon}"}.get(key, "{role: quasi_identifier}")
            return f"{key}: must hold keys, such as {example}"
        case _:
            return f"{key}: {problem['msg'].lower().replace('input should be', 'must be')}"


def _is_class_name(part: str) -> bool:
    return part in {rule.__name__ for rule in RULES.values()}


def _misspelled(where: list[Any], content: object) -> str:
    """An unknown key, with the keys allowed beside it."""
    *path, wrong = where
    model = _model_at(path, content)
    allowed = [name for name in model.model_fields if name != "lines"]
    prefix = ".".join(str(part) for part in path)
    place = f"{prefix}: " if prefix else ""
    return f"{place}unknown key {wrong!r}{did_you_mean(str(wrong), allowed)}; allowed are {', '.join(allowed)}"


def _model_at(path: list[Any], content: object) -> type[BaseModel]:
    match path:
        case []:
            return Policy
        case ["publish"]:
            return Publish
        case ["privacy"]:
            return Privacy
        case ["suppression"]:
            return Suppression
        case ["mondrian"]:
            return Mondrian
        case ["grants"]:
            return Grants
        case ["columns", _]:
            return ColumnRule
        case ["columns", _, "hierarchy", *rest]:
            if rest:
                return Codes if rest[-1] == "top_bottom" else MaskRule
            given: Any = content
            for part in path:
                given = given[part]
            return next((rule for key, rule in RULES.items() if key in given), Rule)
    return Rule
