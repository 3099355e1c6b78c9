"""The record of a run: its statements and stages, reported to a listener."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Statement:
    """One statement that was run."""

    stage: str
    template: str
    sql: str
    seconds: float


@dataclass(frozen=True)
class Stage:
    """The duration of a stage, and the number of its statements."""

    name: str
    seconds: float
    statements: int


StageListener = Callable[[str, Stage | None], None]

# Reported to a listener once the outcome of an interrupted swap is known, and when the original rows are erased.
DONE, UNDONE, ERASED = "swap: done", "swap: undone", "scrub: erased"


class ReleaseProgress:
    """The progress of a release, from what is reported to a listener."""

    begun = published = erased = False

    def hear(self, name: str, stage: Stage | None) -> None:
        """Record what is reported to a listener."""
        self.begun = name == "swap" or (self.begun and name != UNDONE)
        self.published = self.published or name == DONE or (name == "swap" and stage is not None)
        self.erased = self.erased or name == ERASED


class Record:
    """The statements and stages of a run, in order."""

    def __init__(self, listener: StageListener | None) -> None:
        self.statements: list[Statement] = []
        self.stages: list[Stage] = []
        self.current = "connect"
        self._listener = listener or _ignore

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count everything that runs inside for this stage."""
        before, started, self.current = len(self.statements), time.perf_counter(), name
        self._listener(name, None)
        yield
        stage = Stage(name, time.perf_counter() - started, len(self.statements) - before)
        self.stages.append(stage)
        self._listener(name, stage)

    @contextmanager
    def statement(self, template: str, sql: str) -> Iterator[None]:
        """Time and record one statement, whether it succeeds or not."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.statements.append(Statement(self.current, template, sql, time.perf_counter() - started))

    def report_progress(self, progress: str) -> None:
        """Report how far the current stage is."""
        self._listener(f"{self.current}: {progress}", None)

    def report_outcome(self, *, committed: bool) -> None:
        """Report the outcome of a swap that was stopped."""
        if self.current == "swap":
            self._listener(DONE if committed else UNDONE, None)

    def report_erased(self) -> None:
        """Report that the original rows are erased."""
        self._listener(ERASED, None)


def _ignore(name: str, stage: Stage | None) -> None:
    """Listen to nothing."""
