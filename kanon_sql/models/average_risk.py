"""Average risk: classes ÷ published rows; a rule for a release as a whole, not for each class."""

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
        """Whether so many classes of so many rows keep the limit; nothing published has no risk."""
        return classes <= self.limit * rows

    @property
    def sufficient_rows(self) -> int:
        """Classes of at least so many rows each keep the limit, whatever their number."""
        return ceil(1 / self.limit)

    def inherits(self, *, suppresses: bool) -> bool:
        """Whether a node more general than an accepted one is accepted: without suppression it has no more classes."""
        return not suppresses

    def in_words(self) -> str:
        """The rule in a few words."""
        return f"an average risk of at most {plain(self.limit)}"
