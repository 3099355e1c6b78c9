"""Fixtures: every behavior test runs on each real engine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from databases import ENGINES, Database
from hypothesis import HealthCheck, settings
from servers import REQUIRED, Unavailable, roomy_memory

settings.register_profile(
    "kanon",
    deadline=None,
    print_blob=True,
    derandomize="CI" in os.environ,  # the same examples for every change there, new ones at home
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("kanon")
if memory := roomy_memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", memory)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests with a backend run on every engine, or on those that `@pytest.mark.engines(...)` names."""
    if "backend" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("engines")
        metafunc.parametrize("backend", marker.args if marker else list(ENGINES), indirect=True)


@pytest.fixture
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty database of each engine in turn; a missing server skips the test, or fails it where every engine is required."""
    try:
        database = ENGINES[request.param](tmp_path)  # type: ignore[call-arg]
    except Unavailable as reason:
        if os.environ.get(REQUIRED):
            pytest.fail(f"{request.param} is required: {reason}")
        pytest.skip(f"{request.param}: {reason}")
    yield database
    database.close()
