"""The rule for one column: its role and how it is published."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_serializer, model_validator

from kanon_sql.common.checked import Checked
from kanon_sql.common.spelling import require_known
from kanon_sql.hierarchy import Rule, read_rule
from kanon_sql.models import plain
from kanon_sql.outputs import DEFAULT, OUTPUTS

Role = Literal["identifier", "quasi_identifier", "sensitive", "insensitive", "drop"]
Action = Literal["drop", "hash", "null", "sequence"]
Level = Annotated[int, Field(ge=0, strict=True)]
OutputName = Annotated[str, BeforeValidator(lambda value: require_known(value, OUTPUTS))]


class ColumnRule(Checked):
    """The rule for one column."""

    role: Role
    hierarchy: Rule | None = None
    accept_unique: bool = False
    accept_dependent: bool = False
    min_level: Level | None = None
    max_level: Level | None = None
    weight: Decimal | None = None
    output: OutputName = DEFAULT.name
    action: Action = "drop"
    key: str | None = None

    @property
    def is_dropped(self) -> bool:
        """Whether the column is not in the release."""
        return self.role == "drop" or (self.role == "identifier" and self.action == "drop")

    @field_validator("action", mode="before")
    @classmethod
    def _yaml_null(cls, value: object) -> object:
        return "null" if value is None else value

    @field_validator("key")
    @classmethod
    def _from_environment(cls, key: str | None) -> str | None:
        if key is not None and not re.fullmatch(r"env:\w+", key):
            raise ValueError("must name an environment variable, such as env:NAME; the key itself must not be in a policy")
        return key

    @field_validator("hierarchy", mode="before")
    @classmethod
    def _by_key(cls, value: object) -> object:
        return None if value is None else read_rule(value)

    @field_validator("weight", mode="before")
    @classmethod
    def _positive(cls, value: object) -> object:
        if value is None or (isinstance(value, int | float | Decimal) and not isinstance(value, bool) and 0 < value < float("inf")):
            return None if value is None else Decimal(str(value))
        raise ValueError("must be a number above 0")

    @model_validator(mode="after")
    def _limits_fit(self) -> Self:
        if self.role != "quasi_identifier":
            for key in ("min_level", "max_level", "weight"):
                if getattr(self, key) is not None:
                    raise ValueError(f"{key} is only for the role quasi_identifier; remove it, or change the role")
        if self.max_level is not None and (self.min_level or 0) > self.max_level:
            raise ValueError(f"min_level {self.min_level} is above max_level {self.max_level}; no level satisfies both")
        return self

    @model_validator(mode="after")
    def _fits_role(self) -> Self:
        if self.hierarchy is not None and self.role not in ("quasi_identifier", "sensitive"):
            raise ValueError("hierarchy is only for the role quasi_identifier, and for sensitive columns that a privacy model uses")
        for key in ("accept_unique", "accept_dependent"):
            if getattr(self, key) and self.role not in ("sensitive", "insensitive"):
                raise ValueError(f"{key} is only for the roles sensitive and insensitive, whose values are kept")
        if self.output != DEFAULT.name and self.role != "quasi_identifier":
            raise ValueError("output is only for the role quasi_identifier; remove it, or change the role")
        if self.action != "drop" and self.role != "identifier":
            raise ValueError("action is only for the role identifier; remove it, or change the role")
        if (self.action == "hash") != (self.key is not None):
            raise ValueError("action: hash needs a key, such as key: env:NAME" if self.action == "hash" else "key is only for action: hash")
        return self

    @model_serializer
    def _short(self) -> Any:
        short: dict[str, Any] = {"role": self.role}
        if self.hierarchy is not None:
            short["hierarchy"] = self.hierarchy.to_policy()
        if self.weight is not None:
            short["weight"] = plain(self.weight)
        defaults = {
            "accept_unique": False,
            "accept_dependent": False,
            "min_level": None,
            "max_level": None,
            "output": DEFAULT.name,
            "action": "drop",
            "key": None,
        }
        short |= {key: value for key, default in defaults.items() if (value := getattr(self, key)) != default}
        return short if len(short) > 1 else self.role
