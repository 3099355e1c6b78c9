"""Fixtures: every behavior test runs on each real engine."""

from __future__ import annotations

from pathlib import Path

import pytest
from databases import ENGINES, Database
from hypothesis import HealthCheck, settings

settings.register_profile(
    "kanon", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
settings.load_profile("kanon")


@pytest.fixture(params=ENGINES)
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """An empty database of each engine in turn."""
    return ENGINES[request.param](tmp_path)  # type: ignore[call-arg]
