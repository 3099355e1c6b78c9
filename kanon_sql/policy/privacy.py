"""What a release must satisfy, and how many rows may be left out for it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, PlainSerializer, field_validator, model_serializer, model_validator

from kanon_sql.models import (
    AlphaK,
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    LDiversity,
    Model,
    Rules,
    TCloseness,
    Values,
    plain,
)  # fmt: skip
from kanon_sql.models.beta_likeness import LikenessKind
from kanon_sql.models.l_diversity import DiversityKind
from kanon_sql.models.t_closeness import ClosenessKind
from kanon_sql.policy.checked import Checked

MOST_DIGITS = 15


def _as_written(given: object) -> object:
    """A number in decimal, exactly as it was written."""
    if isinstance(given, bool) or not isinstance(given, int | float | Decimal):
        raise ValueError("must be a number")
    number = Decimal(str(given))
    if not number.is_finite() or len(number.as_tuple().digits) > MOST_DIGITS or abs(number.adjusted()) > MOST_DIGITS:
        raise ValueError(f"must be a number of at most {MOST_DIGITS} digits")
    return number


Number = Annotated[Decimal, BeforeValidator(_as_written), PlainSerializer(plain)]
Whole = Annotated[int, Field(ge=1, strict=True)]


class ValueRule(Checked):
    """A rule on one sensitive column: on its values, those of a level of its hierarchy, or bins of equal width."""

    column: str
    level: Annotated[int, Field(ge=0, strict=True)] | None = None
    bins: Annotated[int, Field(ge=2, strict=True)] | None = None

    @model_validator(mode="after")
    def _one_grouping(self) -> Self:
        if self.level is not None and self.bins is not None:
            raise ValueError("group values either by level or by bins")
        return self

    @property
    def values(self) -> Values:
        """What it looks at."""
        return Values(self.column, self.level or 0, self.bins)

    @abstractmethod
    def models(self) -> Iterator[Model]:
        """The models it asks for."""


class DiversityRule(ValueRule):
    """l-diversity of a column."""

    l: Number  # noqa: E741 (its name everywhere)
    kind: DiversityKind = "distinct"
    c: Number | None = None

    @model_validator(mode="after")
    def _fits_kind(self) -> Self:
        if self.l < 1 or (self.kind != "entropy" and self.l != self.l.to_integral_value()):
            raise ValueError("l must be a whole number of at least 1 (entropy: any number from 1 on)")
        if (self.kind == "recursive") != (self.c is not None):
            raise ValueError("kind: recursive needs c, such as c: 2" if self.kind == "recursive" else "c is for kind: recursive")
        if self.c is not None and self.c <= 0:
            raise ValueError("c must be a number above 0")
        return self

    def models(self) -> Iterator[Model]:
        yield LDiversity(self.values, self.l, self.kind, self.c)


class ClosenessRule(ValueRule):
    """t-closeness of a column."""

    t: Number
    kind: ClosenessKind = "equal"

    @model_validator(mode="after")
    def _fits_kind(self) -> Self:
        if not 0 <= self.t <= 1:
            raise ValueError("t must lie between 0 and 1: no distance is larger")
        if self.kind == "hierarchical" and (self.level or self.bins):
            raise ValueError("kind: hierarchical goes by all levels of the hierarchy; leave out level and bins")
        return self

    def models(self) -> Iterator[Model]:
        yield TCloseness(self.values, self.t, self.kind)


class AlphaRule(ValueRule):
    """(α,k)-anonymity of a column."""

    alpha: Number
    k: Whole | None = None

    @model_validator(mode="after")
    def _is_share(self) -> Self:
        if not 0 < self.alpha <= 1:
            raise ValueError("alpha must be a share above 0 and at most 1")
        return self

    def models(self) -> Iterator[Model]:
        yield AlphaK(self.values, self.alpha)
        if self.k is not None:
            yield KAnonymity(self.k)


class DisclosureRule(ValueRule):
    """δ-disclosure of a column."""

    delta: Number

    @model_validator(mode="after")
    def _is_positive(self) -> Self:
        if self.delta <= 0:
            raise ValueError("delta must be above 0: even the whole table as one class has a distance of 0")
        return self

    def models(self) -> Iterator[Model]:
        yield DeltaDisclosure(self.values, self.delta)


class LikenessRule(ValueRule):
    """β-likeness of a column."""

    beta: Number
    kind: LikenessKind = "basic"

    @model_validator(mode="after")
    def _is_positive(self) -> Self:
        if self.beta < 0:
            raise ValueError("beta must not be negative")
        return self

    def models(self) -> Iterator[Model]:
        yield BetaLikeness(self.values, self.beta, self.kind)


RULES_BY_KEY: dict[str, type[ValueRule]] = {
    "l_diversity": DiversityRule,
    "t_closeness": ClosenessRule,
    "alpha_k": AlphaRule,
    "delta_disclosure": DisclosureRule,
    "beta_likeness": LikenessRule,
}


class Privacy(Checked):
    """The privacy models a release must satisfy."""

    k: Annotated[int, Field(ge=2, strict=True)] = 1  # none asked for
    l_diversity: tuple[DiversityRule, ...] = ()
    t_closeness: tuple[ClosenessRule, ...] = ()
    alpha_k: tuple[AlphaRule, ...] = ()
    delta_disclosure: tuple[DisclosureRule, ...] = ()
    beta_likeness: tuple[LikenessRule, ...] = ()
    average_risk: Number | None = None

    @field_validator(*RULES_BY_KEY, mode="before")
    @classmethod
    def _one_or_more(cls, given: object) -> object:
        return (given,) if isinstance(given, dict) else given

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if self.k == 1 and self.average_risk is None and not self.value_rules:
            raise ValueError(f"no model is given: write k, {', '.join(RULES_BY_KEY)} or average_risk")
        if self.average_risk is not None and not 0 < self.average_risk <= 1:
            raise ValueError("average_risk must be above 0 and at most 1: it is classes per published row")
        return self

    @property
    def value_rules(self) -> tuple[tuple[str, int, ValueRule], ...]:
        """The rules on sensitive columns, each with its key and place."""
        return tuple((key, place, rule) for key in RULES_BY_KEY for place, rule in enumerate(getattr(self, key)))

    @property
    def least_k(self) -> int:
        """The k of every class, 1 where none is asked for."""
        return self.rules().k

    def rules(self, *, persons: bool = False) -> Rules:
        """The models that must hold; where persons are counted, a class of nobody fails."""
        models = [model for _, _, rule in self.value_rules for model in rule.models()]
        sizes = [model.k for model in models if isinstance(model, KAnonymity)]
        k = max([self.k, *sizes])
        least = (KAnonymity(k),) if k > 1 or persons else ()
        others = dict.fromkeys(model for model in models if not isinstance(model, KAnonymity))
        return Rules((*least, *others), None if self.average_risk is None else AverageRisk(self.average_risk))

    @model_serializer
    def _short(self) -> dict[str, Any]:
        short: dict[str, Any] = {} if self.k == 1 else {"k": self.k}
        for key, _, rule in self.value_rules:
            short.setdefault(key, []).append(rule.model_dump(exclude_defaults=True))
        return short if self.average_risk is None else {**short, "average_risk": plain(self.average_risk)}


class Suppression(Checked):
    """How many rows may be left out: a share of them (a decimal) or a whole number; each by itself, or with all rows of its person."""

    limit: int | Decimal = 0
    unit: Literal["row", "entity"] = "row"

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
    def _short(self) -> int | float | dict[str, Any]:
        limit = self.limit if isinstance(self.limit, int) else float(self.limit)
        return limit if self.unit == "row" else {"limit": limit, "unit": self.unit}
