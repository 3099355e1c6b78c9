"""Dependencies between kept columns and quasi-identifiers, counted in a sample of rows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import log
from typing import Any, Literal

LEAST_SHARE = 0.95  # of the rows must satisfy a dependency
LEAST_GAIN = 0.9  # of the rows that the most frequent value does not explain
LARGEST_CHANCE = 1e-6  # that independent columns agree this often
NEARLY_UNIQUE = 0.95


@dataclass(frozen=True)
class Determination:
    """How often the values of one column determine those of another, in rows that share their value with others.

    A value of a single row determines everything and is no evidence.
    """

    rows: int  # of the sample
    shared: int  # rows whose determining value occurs in other rows too
    values: int  # the distinct values of these rows
    explained: int  # of these rows, those with the most frequent value of the other column for their value
    most_frequent: int  # rows with the most frequent value of the other column

    @property
    def share(self) -> float:
        """Return the share of rows for which the dependency holds."""
        return self.explained / self.shared if self.shared else 0.0

    @property
    def holds(self) -> bool:
        """Return whether the dependency holds and is due neither to a frequent value nor to few rows."""
        if not self.shared or self.most_frequent == self.rows:
            return False
        guess = self.most_frequent / self.rows
        gain = (self.share - guess) / (1 - guess)
        evidence = (self.explained - self.values) * -log(guess)
        return self.share >= LEAST_SHARE and gain >= LEAST_GAIN and evidence >= -log(LARGEST_CHANCE)


@dataclass(frozen=True)
class PairCounts:
    """How often each of two columns of a sample determines the other."""

    rows: int
    known_values: int
    kept_values: int
    follows: Determination  # the kept column from the quasi-identifier
    determines: Determination  # the quasi-identifier from the kept column

    @classmethod
    def of(cls, known: tuple[int, ...], kept: tuple[int, ...]) -> PairCounts:
        """Return the counts from the rows of `profile/dependencies/pairs` about the quasi-identifier and the kept column."""
        rows, known_values, known_most, known_shared, known_groups, known_explained = known
        _, kept_values, kept_most, kept_shared, kept_groups, kept_explained = kept
        return cls(
            rows,
            known_values,
            kept_values,
            Determination(rows, known_shared, known_groups, known_explained, kept_most),
            Determination(rows, kept_shared, kept_groups, kept_explained, known_most),
        )

    @property
    def found(self) -> tuple[Literal["follows", "determines"], float] | None:
        """Return the dependency that holds for more rows, or None; nearly unique columns are excluded and reported elsewhere."""
        if self.kept_values >= NEARLY_UNIQUE * self.rows:
            return None
        if self.follows.holds and (not self.determines.holds or self.follows.share >= self.determines.share):
            return "follows", self.follows.share
        return ("determines", self.determines.share) if self.determines.holds else None


@dataclass(frozen=True)
class Dependency:
    """A kept column that follows from a quasi-identifier or determines it."""

    column: str
    quasi_identifier: str
    direction: Literal["follows", "determines"]
    share: float
    level: int = 0  # the level of the quasi-identifier whose labels were compared
    smallest_class: int | None = None  # if the kept column were a quasi-identifier

    @property
    def in_words(self) -> str:
        """Return the relation of the kept column to the quasi-identifier."""
        verb = "follows from" if self.direction == "follows" else "determines"
        of_level = f"level {self.level} of " if self.level else ""
        return f"{verb} {of_level}quasi-identifier {self.quasi_identifier!r} in {_percent(self.share)} of the rows"

    def to_dict(self) -> dict[str, Any]:
        """Return the dependency as plain values."""
        return {**asdict(self), "share": round(self.share, 6)}


def _percent(share: float) -> str:
    """Return a share as a percentage that is 100 only for all rows."""
    return "100%" if share == 1 else f"{min(share, 0.9999):.2%}"
