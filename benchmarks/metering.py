"""Measures parts of a process: CPU seconds, wall seconds, and the process's peak memory."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Cost:
    """What something took."""

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
        """Everything run inside counts for this part."""
        before = spent()
        yield
        self.parts[name] = spent() - before


def spent() -> Cost:
    """What this process has taken so far, by all its threads."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter())


def peak_bytes() -> int:
    """The most memory this process has held at once."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024  # macOS counts bytes, Linux kilobytes
