"""The time a search may take."""

from __future__ import annotations

import time


class OutOfTime(Exception):
    """The time budget has ended; what was found so far stands."""


class Clock:
    """Counts the seconds since its making and those spent before; without a budget it never ends."""

    def __init__(self, budget: float | None, spent: float = 0.0) -> None:
        self.budget = budget
        self._started = time.monotonic() - spent

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return float("inf") if self.budget is None else self.budget - self.spent

    @property
    def spent(self) -> float:
        """The seconds since it began."""
        return time.monotonic() - self._started

    def require(self) -> None:
        """Goes on, or raises when the budget has ended."""
        if self.left <= 0:
            raise OutOfTime
