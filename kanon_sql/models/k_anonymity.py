"""k-anonymity: every class holds at least k rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class KAnonymity:
    """A class fails when it holds fewer than k rows."""

    k: int
    name: ClassVar[str] = "k_anonymity"
    template: ClassVar[str] = "models/k_anonymity.sql"

    @property
    def least_rows(self) -> int:
        """A class with fewer rows fails for sure."""
        return self.k

    def inherits(self, *, suppresses: bool) -> bool:  # noqa: ARG002 (k holds with suppression as without)
        """Whether a node more general than an accepted one is accepted: the rows in failing classes never grow."""
        return True
