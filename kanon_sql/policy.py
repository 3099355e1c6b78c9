"""The policy: all that must hold for one table."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_serializer, model_validator

from kanon_sql.durations import seconds_of
from kanon_sql.hierarchy import RULES, Hierarchy, Listing, Rule, Suppress
from kanon_sql.metrics import CostName
from kanon_sql.models import KAnonymity, Model
from kanon_sql.partition import Mondrian, Output
from kanon_sql.spelling import did_you_mean
from kanon_sql.tables import TableName

Role = Literal["identifier", "quasi_identifier", "sensitive", "insensitive"]
Others = Literal["error", "drop", "keep"]
Action = Literal["drop", "hash", "null", "sequence"]
Algorithm = Literal["auto", "datafly", "incognito", "ola", "flash", "samarati", "mingen", "mondrian"]
Level = Annotated[int, Field(ge=0, strict=True)]


class _Checked(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Publish(_Checked):
    """Where the release goes: into another table, or in place of the source's own rows."""

    into: str | None = None
    replace: bool = False
    in_place: bool = False
    on_change: Literal["fail", "search"] = "fail"
    keep_backup: bool = False
    scrub: Literal["auto", "off"] = "auto"
    history: bool = True
    allow_loss: tuple[str, ...] = ()

    @field_validator("scrub", mode="before")
    @classmethod
    def _yaml_off(cls, given: object) -> object:
        return {True: "auto", False: "off"}[given] if isinstance(given, bool) else given  # YAML reads off as false

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if self.in_place == (self.into is not None):
            raise ValueError("write either into: the table to publish into, or in_place: true")
        if self.in_place and self.replace:
            raise ValueError("replace is for a target; in_place: true alone replaces the table's own rows")
        return self

    @property
    def keeps_history(self) -> bool:
        """Whether the run is recorded: by default where it replaces rows."""
        return self.history and (self.in_place or self.replace or "history" in self.model_fields_set)


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
    min_level: Level | None = None
    max_level: Level | None = None
    weight: Decimal | None = None
    output: Output = "labels"
    action: Action = "drop"
    key: str | None = None

    @field_validator("action", mode="before")
    @classmethod
    def _yaml_null(cls, given: object) -> object:
        return "null" if given is None else given

    @field_validator("key")
    @classmethod
    def _from_environment(cls, key: str | None) -> str | None:
        if key is not None and not re.fullmatch(r"env:\w+", key):
            raise ValueError("must name an environment variable, as env:NAME; the key itself never stands in a policy")
        return key

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

    @field_validator("weight", mode="before")
    @classmethod
    def _positive(cls, given: object) -> object:
        if given is None or (isinstance(given, int | float | Decimal) and not isinstance(given, bool) and 0 < given < float("inf")):
            return None if given is None else Decimal(str(given))
        raise ValueError("must be a number above 0")

    @model_validator(mode="after")
    def _limits_fit(self) -> Self:
        if self.role != "quasi_identifier":
            for key in ("min_level", "max_level", "weight"):
                if getattr(self, key) is not None:
                    raise ValueError(f"only a quasi_identifier has a {key}")
        if self.max_level is not None and (self.min_level or 0) > self.max_level:
            raise ValueError(f"min_level {self.min_level} is above max_level {self.max_level}; no level is left")
        return self

    @model_validator(mode="after")
    def _fits_role(self) -> Self:
        if self.hierarchy is not None and self.role != "quasi_identifier":
            raise ValueError("only a quasi_identifier has a hierarchy")
        if self.accept_unique and self.role not in ("sensitive", "insensitive"):
            raise ValueError("accept_unique is for kept columns (sensitive, insensitive)")
        if self.output != "labels" and self.role != "quasi_identifier":
            raise ValueError("only a quasi_identifier has an output")
        if self.action != "drop" and self.role != "identifier":
            raise ValueError("only an identifier has an action")
        if (self.action == "hash") != (self.key is not None):
            raise ValueError("action: hash needs a key, as key: env:NAME" if self.action == "hash" else "key is for action: hash")
        return self

    @model_serializer
    def _short(self) -> Any:
        short: dict[str, Any] = {"role": self.role}
        if self.hierarchy is not None:
            plain = "suppress" if isinstance(self.hierarchy, Suppress) else _plain(self.hierarchy.model_dump(exclude_defaults=True))
            short["hierarchy"] = plain
        if self.weight is not None:
            short["weight"] = _plain(self.weight)
        defaults = {"accept_unique": False, "min_level": None, "max_level": None, "output": "labels", "action": "drop", "key": None}
        short |= {key: value for key, default in defaults.items() if (value := getattr(self, key)) != default}
        return short if len(short) > 1 else self.role


class Policy(_Checked):
    """One table's policy."""

    table: str
    publish: Publish
    privacy: Privacy
    suppression: Suppression = Suppression()
    algorithm: Algorithm = "auto"
    mondrian: Mondrian = Mondrian()
    cost: Annotated[tuple[CostName, ...], Field(min_length=1)] = ("geniloss",)
    time_budget: float | None = None
    label: str | None = None
    columns: dict[str, ColumnRule]
    others: Others = "error"

    @field_validator("cost", mode="before")
    @classmethod
    def _costs_in_order(cls, given: object) -> object:
        costs = (given,) if isinstance(given, str) else given
        if isinstance(costs, list | tuple) and len(set(map(str, costs))) < len(costs):
            raise ValueError("a cost is listed twice")
        return costs

    @field_validator("time_budget", mode="before")
    @classmethod
    def _seconds(cls, given: object) -> object:
        return None if given is None else seconds_of(given)

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
        if "cm" in self.cost and self.label_column is None:
            raise ValueError("cost: cm is about a label; name its column with label: column, or make a column sensitive")
        return self

    @property
    def label_column(self) -> str | None:
        """The column that cm is about, where it is asked for: the one named, or the first sensitive one."""
        if self.label is not None or "cm" not in self.cost:
            return self.label
        return next((name for name, rule in self.columns.items() if rule.role == "sensitive"), None)

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
        return self.source if self.publish.into is None else TableName.parse(self.publish.into)

    def with_hierarchies(self, hierarchies: Mapping[str, Hierarchy]) -> Policy:
        """The same policy with these hierarchies filled in."""
        columns = {
            name: rule.model_copy(update={"hierarchy": hierarchies[name]}) if name in hierarchies else rule
            for name, rule in self.columns.items()
        }
        return self.model_copy(update={"columns": columns})

    def to_dict(self) -> dict[str, Any]:
        """The policy as plain values, as a file would hold it."""
        given = self.model_dump(exclude_defaults=True)
        return given | {"cost": list(self.cost) if len(self.cost) > 1 else self.cost[0]} if "cost" in given else given

    @property
    def content_hash(self) -> str:
        """A hash of all that decides what is published: two policies with the same one make the same release."""
        lines = {name: rule.hierarchy.lines for name, rule in self.columns.items() if isinstance(rule.hierarchy, Listing)}
        content = {key: value for key, value in self.to_dict().items() if key != "publish"}
        return hashlib.sha256(json.dumps([content, lines], sort_keys=True).encode()).hexdigest()

    def to_yaml(self) -> str:
        """The policy as a file would hold it."""
        return yaml.safe_dump(self.to_dict(), sort_keys=False, allow_unicode=True, default_flow_style=None)


def _unknown_hierarchy(given: str) -> Any:
    raise ValueError(f"unknown hierarchy {given!r}{did_you_mean(given, list(RULES))}; allowed are {', '.join(RULES)}")


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=lambda number: int(number) if number == int(number) else float(number)))
