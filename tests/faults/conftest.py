"""Fixtures and counts of the fault injection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from faults.sample_database import SECRET, SampleDatabase
from faults.selection import COUNTS, PARTS
from support.databases import Database


@pytest.fixture
def sample(backend: Database, capfd: pytest.CaptureFixture[str]) -> Iterator[SampleDatabase]:
    """Return the sample tables in an empty database; check that no output of the test contains a value."""
    yield SampleDatabase(backend)
    printed = capfd.readouterr()
    assert SECRET not in printed.out + printed.err


@pytest.fixture(params=range(PARTS), ids=[f"part {number + 1}" for number in range(PARTS)])
def part(request: pytest.FixtureRequest) -> slice:
    """Return every n-th point, so several processes can share the tests."""
    return slice(request.param, None, PARTS)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the counts of a worker to the main process."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["faults"] = [[*key, count] for key, count in COUNTS.items()]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Add the counts of a worker."""
    for engine, kind, count in getattr(node, "workeroutput", {}).get("faults", []):
        COUNTS[engine, kind] += count


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the number of injected faults by engine and kind."""
    for (engine, kind), count in sorted(COUNTS.items()):
        terminalreporter.write_line(f"faults injected: {engine}, {kind}: {count}")
