"""Reads a length of time such as 60s, 5m or 1h."""

from __future__ import annotations

import re

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h)\s*")


def seconds_of(given: object) -> float:
    """The seconds of a duration; a plain number means seconds."""
    match = _DURATION.fullmatch(given) if isinstance(given, str) else None
    if match is not None:
        given = float(match[1]) * _UNITS[match[2]]
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given < float("inf"):
        raise ValueError("must be a length of time such as 60s, 5m or 1h")
    return float(given)
