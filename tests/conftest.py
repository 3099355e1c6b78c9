"""Fixtures: every behavior test runs on each real engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from support.databases import ENGINES, Database
from support.servers import REQUIRED, Unavailable, roomy_memory

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
    """Run tests with a backend on every engine, or on those that `@pytest.mark.engines(...)` names."""
    if "backend" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("engines")
        metafunc.parametrize("backend", marker.args if marker else list(ENGINES), indirect=True)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[str], Database]]:
    """Open empty databases of an engine; a missing server skips the test, or fails it if every engine is required."""
    databases: list[Database] = []

    def open_database(engine: str) -> Database:
        folder = tmp_path / str(len(databases)) if databases else tmp_path
        folder.mkdir(exist_ok=True)
        try:
            databases.append(ENGINES[engine](folder))  # type: ignore[call-arg]
        except Unavailable as reason:
            if os.environ.get(REQUIRED):
                pytest.fail(f"{engine} is required: {reason}")
            pytest.skip(f"{engine}: {reason}")
        return databases[-1]

    yield open_database
    for database in databases:
        database.close()


@pytest.fixture
def backend(request: pytest.FixtureRequest, opened: Callable[[str], Database]) -> Database:
    """Return an empty database of each engine in turn."""
    return opened(request.param)
