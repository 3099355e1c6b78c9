"""Read a duration such as 60s, 5m or 1h."""

from __future__ import annotations

import re

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h)\s*")


def seconds_of(duration: object) -> float:
    """Return a duration in seconds; a plain number means seconds."""
    match = _DURATION.fullmatch(duration) if isinstance(duration, str) else None
    if match is not None:
        duration = float(match[1]) * _UNITS[match[2]]
    if isinstance(duration, bool) or not isinstance(duration, int | float) or not 0 < duration < float("inf"):
        raise ValueError("must be a duration such as 60s, 5m or 1h")
    return float(duration)
