"""The policy: all that must hold for one table, read from YAML or JSON and checked."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_serializer, model_validator

from kanon_sql.errors import RequestError
from kanon_sql.hierarchy import RULES, Hierarchy, Listed, Rule, Suppress
from kanon_sql.models import KAnonymity, Model
from kanon_sql.tables import TableName

Role = Literal["identifier", "quasi_identifier", "sensitive", "insensitive"]
Others = Literal["error", "drop", "keep"]
Algorithm = Literal["datafly"]


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Publish(_Checked):
    """Where the release goes."""

    into: str
    replace: bool = False


class Privacy(_Checked):
    """The privacy models a release must satisfy."""

    k: Annotated[int, Field(ge=2, strict=True)]


class Suppression(_Checked):
    """How many rows may be left out: a share of them (a decimal) or a whole number."""

    limit: int | Decimal = 0

    @field_validator("limit", mode="before")
    @classmethod
    def _share_or_rows(cls, limit: object) -> object:
        if isinstance(limit, bool) or not isinstance(limit, int | float | Decimal):
            raise ValueError("must be a share such as 0.02 or a whole number of rows")
        if isinstance(limit, int):
            if limit < 0:
                raise ValueError("a number of rows cannot be negative")
            return limit
        share = Decimal(str(limit))
        if not (share.is_finite() and 0 <= share <= 1):
            raise ValueError("a share must lie between 0.0 and 1.0")
        return share

    def allowed_rows(self, rows: int) -> int:
        """The rows that may be left out of so many."""
        return self.limit if isinstance(self.limit, int) else int(self.limit * rows)

    @model_serializer
    def _short(self) -> int | float:
        return self.limit if isinstance(self.limit, int) else float(self.limit)


class ColumnRule(_Checked):
    """What becomes of one column."""

    role: Role
    hierarchy: Hierarchy | None = None
    accept_unique: bool = False

    @field_validator("hierarchy", mode="before")
    @classmethod
    def _by_key(cls, given: object) -> object:
        if given is None or isinstance(given, Rule):
            return given
        if given == "suppress":
            return Suppress()
        if isinstance(given, Mapping):
            for key, rule in RULES.items():
                if key in given:
                    return rule.model_validate(given)
            return _unknown_hierarchy(str(next(iter(given), "")))
        return _unknown_hierarchy(str(given))

    @model_validator(mode="after")
    def _fits_role(self) -> Self:
        if self.hierarchy is not None and self.role != "quasi_identifier":
            raise ValueError("only a quasi_identifier has a hierarchy")
        if self.accept_unique and self.role not in ("sensitive", "insensitive"):
            raise ValueError("accept_unique is for kept columns (sensitive, insensitive)")
        return self

    @model_serializer
    def _short(self) -> Any:
        if self.hierarchy is not None:
            plain = "suppress" if isinstance(self.hierarchy, Suppress) else _plain(self.hierarchy.model_dump(exclude_defaults=True))
            return {"role": self.role, "hierarchy": plain}
        return {"role": self.role, "accept_unique": True} if self.accept_unique else self.role


class Policy(_Checked):
    """One table's policy."""

    table: str
    publish: Publish
    privacy: Privacy
    suppression: Suppression = Suppression()
    algorithm: Algorithm = "datafly"
    columns: dict[str, ColumnRule]
    others: Others = "error"

    @field_validator("suppression", mode="before")
    @classmethod
    def _limit(cls, given: object) -> object:
        return given if isinstance(given, Mapping | Suppression) else {"limit": given}

    @field_validator("columns", mode="before")
    @classmethod
    def _short_roles(cls, given: object) -> object:
        if not isinstance(given, Mapping):
            raise ValueError("must map each column to its role")
        for name in given:
            if not isinstance(name, str):
                raise ValueError(f"column name {name!r} is read as {type(name).__name__}: put it in quotes")
        return {name: {"role": rule} if isinstance(rule, str) else rule for name, rule in given.items()}

    @model_validator(mode="after")
    def _has_quasi_identifier(self) -> Self:
        if not self.quasi_identifiers:
            raise ValueError("columns: no column has the role quasi_identifier, so there is nothing to make anonymous")
        return self

    @property
    def quasi_identifiers(self) -> dict[str, ColumnRule]:
        """The quasi-identifiers, in policy order."""
        return {name: rule for name, rule in self.columns.items() if rule.role == "quasi_identifier"}

    @property
    def models(self) -> tuple[Model, ...]:
        """The privacy models that must hold."""
        return (KAnonymity(self.privacy.k),)

    @property
    def source(self) -> TableName:
        """The table, view or query to read."""
        return TableName.parse(self.table)

    @property
    def target(self) -> TableName:
        """The name readers will use; without a schema it stands beside the source."""
        target = TableName.parse(self.publish.into)
        return self.source.sibling(target.table) if len(target.parts) == 1 else target

    def with_hierarchies(self, hierarchies: Mapping[str, Hierarchy]) -> Policy:
        """The same policy with these hierarchies filled in."""
        columns = {
            name: rule.model_copy(update={"hierarchy": hierarchies[name]}) if name in hierarchies else rule
            for name, rule in self.columns.items()
        }
        return self.model_copy(update={"columns": columns})

    def to_dict(self) -> dict[str, Any]:
        """The policy as plain values, as a file would hold it."""
        return self.model_dump(exclude_defaults=True)

    def to_yaml(self) -> str:
        """The policy as a file would hold it."""
        return yaml.safe_dump(self.to_dict(), sort_keys=False, allow_unicode=True, default_flow_style=None)


def load_policy(source: Policy | Mapping[str, Any] | str | Path, *, folder: Path | None = None) -> Policy:
    """The checked policy from a file, or from plain values; hierarchy files are read relative to it."""
    if isinstance(source, Policy):
        return source
    if isinstance(source, Mapping):
        return _checked(source, origin="policy", folder=folder or Path())
    path = Path(source)
    return _checked(_read(path), origin=str(path), folder=folder or path.parent)


class _StrictLoader(yaml.SafeLoader):
    """YAML in which a key that stands twice is an error instead of a silent overwrite."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, list | dict):
                raise yaml.MarkedYAMLError(problem="a key must be a plain name", problem_mark=key_node.start_mark)
            if key in seen:
                raise yaml.MarkedYAMLError(problem=f"{key!r} is listed twice", problem_mark=key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise RequestError(f"policy {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RequestError(f"policy {path} is not UTF-8 text: save it as UTF-8") from None
    try:
        content = yaml.load(text, _StrictLoader)  # noqa: S506 (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise RequestError(f"policy {path}{line}: {error.problem}") from None
    except yaml.YAMLError:
        raise RequestError(f"policy {path} is not readable YAML") from None
    if not isinstance(content, Mapping):
        raise RequestError(f"policy {path} must hold keys such as table, publish, privacy and columns")
    return content


def _checked(content: Mapping[str, Any], *, origin: str, folder: Path) -> Policy:
    try:
        policy = Policy.model_validate(dict(content))
    except ValidationError as error:
        lines = [f"{origin}: {_explain(problem, content)}" for problem in error.errors()]
        raise RequestError("\n".join(dict.fromkeys(lines))) from None
    listed = {
        name: rule.hierarchy.read(folder)
        for name, rule in policy.columns.items()
        if isinstance(rule.hierarchy, Listed) and not rule.hierarchy.lines
    }
    return policy.with_hierarchies(listed)


def _explain(problem: Mapping[str, Any], content: object) -> str:
    where = [part for part in problem["loc"] if isinstance(part, int) or not _is_class_name(str(part))]
    key = ".".join(str(part) for part in where)
    match problem["type"]:
        case "extra_forbidden":
            return _misspelled(where, content)
        case "missing":
            return f"{key}: is missing"
        case "literal_error":
            given = problem["input"]
            allowed = problem["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
            return f"{key}: {given!r} is not allowed{_suggestion(str(given), allowed)}; allowed are {', '.join(allowed)}"
        case "value_error":
            message = str(problem["ctx"]["error"])
            return f"{key}: {message}" if key else message
        case _:
            return f"{key}: {problem['msg'].lower()}"


def _is_class_name(part: str) -> bool:
    return part in {rule.__name__ for rule in RULES.values()}



def _misspelled(where: list[Any], content: object) -> str:
    """An unknown key, with the keys allowed beside it."""
    *path, wrong = where
    model = _model_at(path, content)
    allowed = [name for name in model.model_fields if name != "lines"]
    prefix = ".".join(str(part) for part in path)
    place = f"{prefix}: " if prefix else ""
    return f"{place}unknown key {wrong!r}{_suggestion(str(wrong), allowed)}; allowed are {', '.join(allowed)}"


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
        case ["columns", _]:
            return ColumnRule
        case ["columns", _, "hierarchy", *rest]:
            from kanon_sql.hierarchy import MaskRule

            if rest:
                return MaskRule
            given: Any = content
            for part in path:
                given = given[part]
            return next((rule for key, rule in RULES.items() if key in given), Rule)
    return Rule


def _unknown_hierarchy(given: str) -> Any:
    raise ValueError(f"unknown hierarchy {given!r}{_suggestion(given, list(RULES))}; allowed are {', '.join(RULES)}")


def _suggestion(given: str, allowed: list[str]) -> str:
    close = difflib.get_close_matches(given, allowed, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=lambda number: int(number) if number == int(number) else float(number)))
