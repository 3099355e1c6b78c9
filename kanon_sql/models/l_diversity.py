"""l-diversity: every class has l sensitive values that are well represented, by one of three definitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import ClassVar, Literal, Self

from pydantic import model_validator

from kanon_sql.common.spelling import many
from kanon_sql.models.model import ENDLESS, Bound, Model, Values, plain
from kanon_sql.models.value_rule import Number, ValueRule

DiversityKind = Literal["distinct", "entropy", "recursive"]


@dataclass(frozen=True)
class LDiversity(Model):
    """Distinct: l values. Entropy: an entropy of log l. Recursive: the most frequent value is rarer than c times the l-th and all after."""

    sensitive: Values
    l: Decimal  # noqa: E741 (its name everywhere)
    diversity: DiversityKind = "distinct"
    c: Decimal | None = None
    name: ClassVar[str] = "l_diversity"

    @property
    def values(self) -> Values:
        return self.sensitive

    @property
    def kind(self) -> str:
        return self.diversity

    @property
    def bound(self) -> Bound:
        return "below" if self.diversity == "recursive" else "at_least"

    @property
    def limit(self) -> Decimal:
        return self.c if self.c is not None else self.l

    @property
    def is_logarithmic(self) -> bool:
        return self.diversity == "entropy"

    @property
    def measure(self) -> str:
        return f"models/l_diversity/{self.diversity}.sql"

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({"frequency_rank"}) if self.diversity == "recursive" else frozenset()

    @property
    def least_rows(self) -> int:
        return ceil(self.l)

    def inherits(self, *, suppresses: bool, persons: bool) -> bool:
        """Return whether every node more general than an accepted one is accepted; distinct values are never lost."""
        return self.diversity == "distinct" or super().inherits(suppresses=suppresses, persons=persons)

    @property
    def failing_below(self) -> str:
        return f"models/l_diversity/{self.diversity}_failing_below.sql"

    def impossible(self, distinct: int) -> str | None:
        if distinct < self.l:
            return f"the table has {many(distinct, 'distinct value')} there, fewer than l = {plain(self.l)}"
        return None

    def reached(self, measure: float | None) -> float | None:
        if measure is None or measure >= ENDLESS:
            return None
        return round(2**measure, 12) if self.is_logarithmic else super().reached(measure)

    def in_words(self) -> str:
        words = {"distinct": "", "entropy": "entropy ", "recursive": "recursive "}[self.diversity]
        rule = f"({plain(self.c)}, {plain(self.l)})" if self.c is not None else f"{plain(self.l)}"
        return f"{words}{rule}-diversity of {self.sensitive}"

    def meaning(self) -> str:
        if self.diversity == "entropy":
            return f"the values of every class are as varied as {plain(self.l)} equally frequent ones, or more"
        if self.c is None:
            return f"every class has at least {plain(self.l)} distinct values"
        after = f"all but the {plain(self.l - 1)} most frequent" if self.l > 1 else "all"
        return f"the most frequent value of every class has fewer rows than {plain(self.c)} times {after} together"


class DiversityRule(ValueRule):
    """l-diversity of a column."""

    key: ClassVar[str] = "l_diversity"
    needs_shared_values: ClassVar[bool] = True
    l: Number  # noqa: E741 (its name everywhere)
    kind: DiversityKind = "distinct"
    c: Number | None = None

    @model_validator(mode="after")
    def _fits_kind(self) -> Self:
        if self.l < 1 or (self.kind != "entropy" and self.l != self.l.to_integral_value()):
            raise ValueError("l must be a whole number of at least 1 (for kind: entropy, any number of at least 1)")
        if (self.kind == "recursive") != (self.c is not None):
            raise ValueError("kind: recursive needs c, such as c: 2" if self.kind == "recursive" else "c is only for kind: recursive")
        if self.c is not None and self.c <= 0:
            raise ValueError("c must be a number above 0")
        return self

    def models(self) -> Iterator[Model]:
        yield LDiversity(self.values, self.l, self.kind, self.c)
