"""Fixtures of the property tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.databases import Database


@pytest.fixture
def database(backend: Database) -> Iterator[Database]:
    """Return an empty database, and require that the test leaves it empty."""
    yield backend
    assert backend.tables() == set()
