"""Meter parts of a process: CPU seconds, wall seconds and peak memory."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kanon_sql.workspace import Stage


@dataclass(frozen=True)
class Cost:
    """CPU and wall seconds."""

    cpu: float = 0.0
    wall: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.cpu + other.cpu, self.wall + other.wall)

    def __sub__(self, other: Cost) -> Cost:
        return Cost(self.cpu - other.cpu, self.wall - other.wall)


@dataclass
class Meter:
    """The costs of a process's parts, in the order they were run."""

    parts: dict[str, Cost] = field(default_factory=dict)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count everything that runs inside for this part."""
        before = current_cost()
        yield
        self.parts[name] = current_cost() - before


@dataclass(frozen=True)
class StageFigures:
    """One stage's cost, the number of its statements, and the process's peak memory at its end."""

    name: str
    cost: Cost
    statements: int
    peak_bytes: int


class StageMeter:
    """A listener that records the cost of each stage of a run."""

    def __init__(self) -> None:
        self.stages: list[StageFigures] = []
        self._before = Cost()

    def __call__(self, name: str, stage: Stage | None) -> None:
        if stage is None:
            self._before = self._before if ":" in name else current_cost()  # a name with a colon is progress within a stage
        else:
            self.stages.append(StageFigures(name, current_cost() - self._before, stage.statements, peak_bytes()))

    def cost_of(self, name: str) -> Cost:
        """Return the cost of the stages of this name."""
        return sum((stage.cost for stage in self.stages if stage.name == name), Cost())


def current_cost() -> Cost:
    """Return the cost of this process so far, in all its threads."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter())


def peak_bytes() -> int:
    """Return the peak memory of this process."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # macOS reports bytes, Linux kilobytes
