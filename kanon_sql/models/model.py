"""What every privacy model has: a measure of a class, and the limit that the measure must keep."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal

Bound = Literal["at_least", "at_most", "below"]
# What a measure is taken from: the rows (or persons) of a class, its values one by one, its values in their order, or in their tree.
TakenFrom = Literal["size", "values", "ordered", "tree"]

ENDLESS = 1e300  # what templates give where no limit would be wide enough


@dataclass(frozen=True)
class Values:
    """What of a sensitive column a model looks at: its values, those of a level of its hierarchy, or equally wide bins."""

    column: str
    level: int = 0
    bins: int | None = None

    def __str__(self) -> str:
        if self.bins is not None:
            return f"{self.column} in {self.bins} bins"
        return f"{self.column} at level {self.level}" if self.level else self.column


@dataclass(frozen=True)
class Model(ABC):
    """A rule that every class must keep; its templates say how a class is measured."""

    name: ClassVar[str]
    taken_from: ClassVar[TakenFrom] = "values"

    @property
    def values(self) -> Values | None:
        """What it looks at, if it is about a sensitive column."""
        return None

    @property
    def kind(self) -> str | None:
        """Which of several definitions it follows."""
        return None

    @property
    def bound(self) -> Bound:
        """On which side of the limit the measure must be."""
        return "at_most"

    @property
    @abstractmethod
    def limit(self) -> Decimal:
        """The limit as it was written."""

    @property
    def is_logarithmic(self) -> bool:
        """Whether the measure is in bits, and the limit is not."""
        return False

    @property
    @abstractmethod
    def measure(self) -> str:
        """The template of the measure."""

    @property
    def needs(self) -> frozenset[str]:
        """What its templates read beside the counts of values: size, frequency_rank, reference."""
        return frozenset()

    @property
    def least_rows(self) -> int:
        """A class with fewer rows fails for sure."""
        return 1

    def inherits(self, *, suppresses: bool, persons: bool) -> bool:
        """Whether a node more general than an accepted one is accepted.

        A class's shares of values are a mixture of those of its parts, but not where persons are counted: one with rows in two parts
        counts once in the whole, which may then be further off than each part.
        """
        return not suppresses and not persons

    @property
    def failing_below(self) -> str | None:
        """The template of the share of a failing class's rows that fail however the class is divided; none where that may be no row."""
        return None

    def impossible(self, distinct: int) -> str | None:
        """Why no class can keep it where the column has so many distinct values."""
        del distinct
        return None

    def reached(self, measure: float | None) -> float | None:
        """The measure of the worst class in the model's own terms; none where there is no class, or no limit wide enough."""
        return None if measure is None or measure >= ENDLESS else round(measure, 12)

    @abstractmethod
    def in_words(self) -> str:
        """The rule in a few words."""

    @abstractmethod
    def meaning(self) -> str:
        """What it asks of every class, for people who do not know its name."""


def plain(limit: Decimal) -> int | float:
    """A limit as JSON has it."""
    return int(limit) if limit == limit.to_integral_value() else float(limit)
