"""β-likeness: no value is much more likely in a class than in the whole table, relative to its share there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal, Self

from pydantic import model_validator

from kanon_sql.models.model import Model, Values, plain
from kanon_sql.models.value_rule import Number, ValueRule

LikenessKind = Literal["basic", "enhanced"]


@dataclass(frozen=True)
class BetaLikeness(Model):
    """A class fails when the relative gain (p − q)/q of a value is above β; enhanced: or above −ln q."""

    sensitive: Values
    beta: Decimal
    likeness: LikenessKind = "basic"
    name: ClassVar[str] = "beta_likeness"

    @property
    def values(self) -> Values:
        return self.sensitive

    @property
    def kind(self) -> str:
        return self.likeness

    @property
    def limit(self) -> Decimal:
        return self.beta

    @property
    def measure(self) -> str:
        return f"models/beta_likeness/{self.likeness}.sql"

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({"size", "reference"})

    @property
    def failing_below(self) -> str:
        return f"models/beta_likeness/{self.likeness}_failing_below.sql"

    def in_words(self) -> str:
        return f"{self.likeness} {plain(self.beta)}-likeness of {self.sensitive}"

    def meaning(self) -> str:
        more = " or its -ln" if self.likeness == "enhanced" else ""
        return f"no value's share of a class is above its share of the whole table by more than {plain(self.beta)} times that share{more}"


class LikenessRule(ValueRule):
    """β-likeness of a column."""

    key: ClassVar[str] = "beta_likeness"
    beta: Number
    kind: LikenessKind = "basic"

    @model_validator(mode="after")
    def _is_positive(self) -> Self:
        if self.beta < 0:
            raise ValueError("beta must not be negative")
        return self

    def models(self) -> Iterator[Model]:
        yield BetaLikeness(self.values, self.beta, self.kind)
