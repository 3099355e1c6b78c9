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
