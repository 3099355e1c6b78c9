"""A proof that a loop ends: work that must shrink in every round."""

from __future__ import annotations


class Countdown:
    """The remaining work of a loop; a round that does not reduce it is a bug, so the loop stops."""

    def __init__(self, loop: str) -> None:
        self._loop = loop
        self._remaining: int | None = None

    def require_less(self, remaining: int) -> None:
        """Raise if a round did not reduce the remaining work."""
        if remaining < 0 or (self._remaining is not None and remaining >= self._remaining):
            raise AssertionError(f"{self._loop} made no progress: {remaining} after {self._remaining}")
        self._remaining = remaining
