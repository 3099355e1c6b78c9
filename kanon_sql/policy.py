"""The policy: all that must hold for one table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_serializer, model_validator

from kanon_sql.hierarchy import RULES, Hierarchy, Rule, Suppress
from kanon_sql.models import KAnonymity, Model
from kanon_sql.spelling import did_you_mean
from kanon_sql.tables import TableName

Role = Literal["identifier", "quasi_identifier", "sensitive", "insensitive"]
Others = Literal["error", "drop", "keep"]
Algorithm = Literal["datafly"]
Output = Literal["labels", "bounds"]


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
    output: Output = "labels"

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
        if self.output != "labels" and self.role != "quasi_identifier":
            raise ValueError("only a quasi_identifier has an output")
        return self

    @model_serializer
    def _short(self) -> Any:
        short: dict[str, Any] = {"role": self.role}
        if self.hierarchy is not None:
            plain = "suppress" if isinstance(self.hierarchy, Suppress) else _plain(self.hierarchy.model_dump(exclude_defaults=True))
            short["hierarchy"] = plain
        if self.accept_unique:
            short["accept_unique"] = True
        if self.output != "labels":
            short["output"] = self.output
        return short if len(short) > 1 else self.role


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
        """The name readers will use; without a schema the table stands beside the source."""
        return TableName.parse(self.publish.into)

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


def _unknown_hierarchy(given: str) -> Any:
    raise ValueError(f"unknown hierarchy {given!r}{did_you_mean(given, list(RULES))}; allowed are {', '.join(RULES)}")


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=lambda number: int(number) if number == int(number) else float(number)))
