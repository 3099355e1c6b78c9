"""Average risk: classes ÷ published rows; a rule for the whole release, not for each class."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from kanon_sql.models.model import plain


@dataclass(frozen=True)
class AverageRisk:
    """A release fails when it has too many classes for its rows."""

    limit: Decimal

    def holds(self, classes: int, rows: int) -> bool:
        """Return whether this number of classes and rows satisfies the limit; an empty release has no risk."""
        return classes <= self.limit * rows

    @property
    def sufficient_rows(self) -> int:
        """The rows per class that satisfy the limit, however many classes there are."""
        return ceil(1 / self.limit)

    def inherits(self, *, suppresses: bool) -> bool:
        """Return whether every node more general than an accepted one is accepted: without suppression it has no more classes."""
        return not suppresses

    def in_words(self) -> str:
        """Return the rule in a few words."""
        return f"an average risk of at most {plain(self.limit)}"
