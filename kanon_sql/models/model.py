"""The base class of privacy models: a measure of a class, and its limit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal

Bound = Literal["at_least", "at_most", "below"]
# What a measure is computed from: the rows (or persons) of a class, its single values, its values in their order, or in their tree.
TakenFrom = Literal["size", "values", "ordered", "tree"]

ENDLESS = 1e300  # the result of templates where no limit would be wide enough


@dataclass(frozen=True)
class Values:
    """The values of a sensitive column that a model uses: its own, those of a level of its hierarchy, or equally wide bins."""

    column: str
    level: int = 0
    bins: int | None = None

    def __str__(self) -> str:
        if self.bins is not None:
            return f"{self.column} in {self.bins} bins"
        return f"{self.column} at level {self.level}" if self.level else self.column


@dataclass(frozen=True)
class Model(ABC):
    """A rule that every class must satisfy; its templates measure a class."""

    name: ClassVar[str]
    taken_from: ClassVar[TakenFrom] = "values"

    @property
    def values(self) -> Values | None:
        """The values it uses, if it is about a sensitive column."""
        return None

    @property
    def kind(self) -> str | None:
        """Which of several definitions it follows."""
        return None

    @property
    def bound(self) -> Bound:
        """The side of the limit on which the measure must be."""
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
        """What its templates need in addition to the counts of values: size, frequency_rank, reference."""
        return frozenset()

    @property
    def least_rows(self) -> int:
        """The rows below which every class fails."""
        return 1

    def inherits(self, *, suppresses: bool, persons: bool) -> bool:
        """Return whether every node more general than an accepted one is accepted.

        The shares of values of a class are a mixture of those of its parts. This does not hold if persons are counted: a person with
        rows in two parts counts once in the whole, which may then be further from the limit than each part.
        """
        return not suppresses and not persons

    @property
    def failing_below(self) -> str | None:
        """The template of the share of a failing class's rows that fail at every finer node; None if that may be no row."""
        return None

    def impossible(self, distinct: int) -> str | None:
        """Return why no class can satisfy it if the column has this number of distinct values, or None."""
        del distinct
        return None

    def reached(self, measure: float | None) -> float | None:
        """Return the measure of the worst class in the model's terms; None if there is no class, or no limit wide enough."""
        return None if measure is None or measure >= ENDLESS else round(measure, 12)

    @abstractmethod
    def in_words(self) -> str:
        """Return the rule in a few words."""

    @abstractmethod
    def meaning(self) -> str:
        """Return what it requires of every class, for readers who do not know its name."""


def plain(limit: Decimal) -> int | float:
    """Return a limit as a JSON number."""
    return int(limit) if limit == limit.to_integral_value() else float(limit)
