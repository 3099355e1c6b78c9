"""Comparisons of floating-point figures."""

from __future__ import annotations

from typing import Any

import pytest


def near(wanted: Any, *, absolute: float = 1e-9) -> Any:
    """Return a value that compares equal to figures close to the wanted one; None equals only None."""
    return None if wanted is None else pytest.approx(float(wanted), rel=1e-9, abs=absolute)
