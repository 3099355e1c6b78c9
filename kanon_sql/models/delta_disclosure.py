"""δ-disclosure: no value present in a class is much more or much less likely there than in the whole table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Self

from pydantic import model_validator

from kanon_sql.models.model import Bound, Model, Values, plain
from kanon_sql.models.value_rule import Number, ValueRule


@dataclass(frozen=True)
class DeltaDisclosure(Model):
    """A class fails when |log2(share in it / share in the table)| of a value present reaches δ."""

    sensitive: Values
    delta: Decimal
    name: ClassVar[str] = "delta_disclosure"

    @property
    def values(self) -> Values:
        return self.sensitive

    @property
    def bound(self) -> Bound:
        return "below"

    @property
    def limit(self) -> Decimal:
        return self.delta

    @property
    def measure(self) -> str:
        return "models/delta_disclosure.sql"

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({"size", "reference"})

    def inherits(self, *, suppresses: bool, persons: bool) -> bool:  # noqa: ARG002 (a value absent from one of two classes may be too rare in both together)
        """Return whether every node more general than an accepted one is accepted: never certain."""
        return False

    @property
    def failing_below(self) -> str:
        return "models/delta_disclosure_failing_below.sql"

    def in_words(self) -> str:
        return f"{plain(self.delta)}-disclosure of {self.sensitive}"

    def meaning(self) -> str:
        times = 2 ** float(self.delta)
        return f"no value of a class is {times:.4g} times as likely there as in the whole table, or {times:.4g} times less likely"


class DisclosureRule(ValueRule):
    """δ-disclosure of a column."""

    key: ClassVar[str] = "delta_disclosure"
    delta: Number

    @model_validator(mode="after")
    def _is_positive(self) -> Self:
        if self.delta <= 0:
            raise ValueError("delta must be above 0, because even the whole table as one class has a distance of 0")
        return self

    def models(self) -> Iterator[Model]:
        yield DeltaDisclosure(self.values, self.delta)
