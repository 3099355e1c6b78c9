"""The time budget of a search."""

from __future__ import annotations

import time


class OutOfTime(Exception):
    """The time budget has ended; the results so far remain valid."""


class Clock:
    """Measures the time since its creation plus the seconds spent before; without a budget it never ends."""

    def __init__(self, budget: float | None, spent: float = 0.0) -> None:
        self.budget = budget
        self._started = time.monotonic() - spent

    @property
    def remaining(self) -> float:
        """Return the remaining seconds."""
        return float("inf") if self.budget is None else self.budget - self.spent

    @property
    def spent(self) -> float:
        """Return the seconds spent."""
        return time.monotonic() - self._started

    def require_time(self) -> None:
        """Raise OutOfTime if the budget has ended."""
        if self.remaining <= 0:
            raise OutOfTime
