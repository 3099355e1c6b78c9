"""k-anonymity: every class holds at least k rows, or persons where the policy names an entity."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar

from kanon_sql.models.model import Bound, Model, TakenFrom


@dataclass(frozen=True)
class KAnonymity(Model):
    """A class fails when it holds fewer than k."""

    k: int
    name: ClassVar[str] = "k_anonymity"
    taken_from: ClassVar[TakenFrom] = "size"

    @property
    def bound(self) -> Bound:
        return "at_least"

    @property
    def limit(self) -> Decimal:
        return Decimal(self.k)

    @property
    def measure(self) -> str:
        return "models/k_anonymity.sql"

    @property
    def least_rows(self) -> int:
        return self.k

    def inherits(self, *, suppresses: bool, persons: bool) -> bool:  # noqa: ARG002 (the rows in failing classes never grow)
        """Return whether every node more general than an accepted one is accepted: always."""
        return True

    def in_words(self) -> str:
        return f"k = {self.k}"

    def meaning(self) -> str:
        return f"every class has at least {self.k} rows (or persons)"
