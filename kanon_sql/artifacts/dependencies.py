"""Dependencies between kept columns and quasi-identifiers, as they were counted in a sample of rows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import log
from typing import Any, Literal

LEAST_SHARE = 0.95  # of the rows, for which a dependency holds
LEAST_GAIN = 0.9  # of the rows that the most frequent value leaves unexplained
LARGEST_CHANCE = 1e-6  # that rows agree so often although the columns are independent
NEARLY_UNIQUE = 0.95


@dataclass(frozen=True)
class Determination:
    """How often the values of one column determine those of another, in rows that share their value with others.

    A value that one row has determines everything, and shows nothing.
    """

    rows: int  # of the sample
    shared: int  # rows whose determining value other rows have too
    values: int  # which these rows share
    explained: int  # of these rows, those with the other column's most frequent value for theirs
    most_frequent: int  # rows with the most frequent value of the other column

    @property
    def share(self) -> float:
        """The share of rows for which the dependency holds."""
        return self.explained / self.shared if self.shared else 0.0

    @property
    def holds(self) -> bool:
        """Whether the columns depend on each other, beyond what a frequent value or a few rows could look like."""
        if not self.shared or self.most_frequent == self.rows:
            return False
        guess = self.most_frequent / self.rows
        gain = (self.share - guess) / (1 - guess)
        evidence = (self.explained - self.values) * -log(guess)
        return self.share >= LEAST_SHARE and gain >= LEAST_GAIN and evidence >= -log(LARGEST_CHANCE)


@dataclass(frozen=True)
class PairCounts:
    """Two columns of a sample: how often each determines the other."""

    rows: int
    known_values: int
    kept_values: int
    follows: Determination  # the kept column from the quasi-identifier
    determines: Determination  # the quasi-identifier from the kept column

    @classmethod
    def of(cls, rows: int, figures: tuple[int, ...]) -> PairCounts:
        """Return the counts as `profile/dependencies/pair` gives them: of the quasi-identifier, then of the kept column."""
        known_values, known_most, known_shared, known_groups, known_explained, *kept = figures
        kept_values, kept_most, kept_shared, kept_groups, kept_explained = kept
        return cls(
            rows,
            known_values,
            kept_values,
            Determination(rows, known_shared, known_groups, known_explained, kept_most),
            Determination(rows, kept_shared, kept_groups, kept_explained, known_most),
        )

    @property
    def found(self) -> tuple[Literal["follows", "determines"], float] | None:
        """The dependency that holds for more rows, if one holds; a nearly unique column determines all others, and is reported as such."""
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
    level: int = 0  # of the quasi-identifier's hierarchy: the labels that were compared
    smallest_class: int | None = None  # when the kept column is counted as a quasi-identifier

    @property
    def in_words(self) -> str:
        """What the kept column has to do with the quasi-identifier."""
        verb = "follows from" if self.direction == "follows" else "determines"
        of_level = f"level {self.level} of " if self.level else ""
        return f"{verb} {of_level}quasi-identifier {self.quasi_identifier!r} in {_percent(self.share)} of the rows"

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {**asdict(self), "share": round(self.share, 6)}


def _percent(share: float) -> str:
    """A share as a percentage that is 100 for all rows only."""
    return "100%" if share == 1 else f"{min(share, 0.9999):.2%}"
