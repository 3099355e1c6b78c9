"""Comparisons of floating-point figures."""

from __future__ import annotations

from typing import Any

import pytest


def near(wanted: Any, *, absolute: float = 1e-9) -> Any:
    """Return a value that compares equal to figures close to the wanted one; None equals only None."""
    return None if wanted is None else pytest.approx(float(wanted), rel=1e-9, abs=absolute)


def rounded(value: Any) -> Any:
    """Return plain values with numbers to 12 decimal places: sums of the same numbers in another order differ in the last one."""
    match value:
        case dict():
            return {key: rounded(item) for key, item in value.items()}
        case list() | tuple():
            return [rounded(item) for item in value]
        case float():
            return round(value, 12)
    return value
