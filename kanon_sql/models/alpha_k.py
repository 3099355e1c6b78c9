"""(α,k)-anonymity: no sensitive value has more than the share α of a class; its k is a separate k-anonymity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import ClassVar, Self

from pydantic import model_validator

from kanon_sql.common.spelling import many
from kanon_sql.models.k_anonymity import KAnonymity
from kanon_sql.models.model import Model, Values, plain
from kanon_sql.models.value_rule import Number, ValueRule, Whole


@dataclass(frozen=True)
class AlphaK(Model):
    """A class fails when its most frequent value has a larger share."""

    sensitive: Values
    alpha: Decimal
    name: ClassVar[str] = "alpha_k"

    @property
    def values(self) -> Values:
        return self.sensitive

    @property
    def limit(self) -> Decimal:
        return self.alpha

    @property
    def measure(self) -> str:
        return "models/alpha_k.sql"

    @property
    def least_rows(self) -> int:
        return ceil(1 / self.alpha)

    def impossible(self, distinct: int) -> str | None:
        if distinct * self.alpha < 1:
            return (
                f"the table has {many(distinct, 'distinct value')} there, so one always has a larger share than alpha = {plain(self.alpha)}"
            )
        return None

    @property
    def failing_below(self) -> str:
        return "models/alpha_k_failing_below.sql"

    def in_words(self) -> str:
        return f"a share of at most {plain(self.alpha)} for each value of {self.sensitive}"

    def meaning(self) -> str:
        return f"no value has more than {plain(self.alpha)} of the rows of a class"


class AlphaRule(ValueRule):
    """(α,k)-anonymity of a column."""

    key: ClassVar[str] = "alpha_k"
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
