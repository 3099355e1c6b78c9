"""t-closeness: the sensitive values of every class are distributed nearly as in the whole table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal, Self

from pydantic import model_validator

from kanon_sql.models.model import Model, TakenFrom, Values, plain
from kanon_sql.models.value_rule import Number, ValueRule

ClosenessKind = Literal["equal", "ordered", "hierarchical"]
_MOVED = {"equal": "", "ordered": " along their order", "hierarchical": " up their hierarchy"}
_TAKEN_FROM: dict[ClosenessKind, TakenFrom] = {"equal": "values", "ordered": "ordered", "hierarchical": "tree"}


@dataclass(frozen=True)
class TCloseness(Model):
    """A class fails when the earth mover's distance between its values and the table's is above t."""

    sensitive: Values
    t: Decimal
    distance: ClosenessKind = "equal"
    name = "t_closeness"

    @property
    def taken_from(self) -> TakenFrom:  # type: ignore[override]
        return _TAKEN_FROM[self.distance]

    @property
    def values(self) -> Values:
        return self.sensitive

    @property
    def kind(self) -> str:
        return self.distance

    @property
    def limit(self) -> Decimal:
        return self.t

    @property
    def measure(self) -> str:
        return f"models/t_closeness/{self.distance}.sql"

    @property
    def needs(self) -> frozenset[str]:
        return frozenset({"size", "reference"})

    @property
    def failing_below(self) -> str:
        return f"models/t_closeness/{self.distance}_failing_below.sql"

    def in_words(self) -> str:
        return f"{plain(self.t)}-closeness of {self.sensitive} ({self.distance})"

    def meaning(self) -> str:
        moved = f"moving shares of values{_MOVED[self.distance]} makes every class"
        return f"{moved} like the whole table at a cost of at most {plain(self.t)}"


class ClosenessRule(ValueRule):
    """t-closeness of a column."""

    key: ClassVar[str] = "t_closeness"
    ungrouped_kinds: ClassVar[tuple[str, ...]] = ("ordered", "hierarchical")
    t: Number
    kind: ClosenessKind = "equal"

    @model_validator(mode="after")
    def _fits_kind(self) -> Self:
        if not 0 <= self.t <= 1:
            raise ValueError("t must be between 0 and 1, because no distance is larger")
        if self.kind == "hierarchical" and (self.level or self.bins):
            raise ValueError("kind: hierarchical uses all levels of the hierarchy; remove level and bins")
        return self

    @property
    def needs_hierarchy(self) -> bool:
        return super().needs_hierarchy or self.kind == "hierarchical"

    def models(self) -> Iterator[Model]:
        yield TCloseness(self.values, self.t, self.kind)
