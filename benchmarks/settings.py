"""What is the same for everything measured: rows, memory limit, rounds and threads."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

import duckdb

from kanon_sql.backends.duckdb_file import NO_BAR

# What Python, the driver and the engine's own overhead may take beyond the memory limit.
MEMORY_ALLOWANCE = 150_000_000

_UNITS = {"": 1, **{f"{p}b": 1000**n for n, p in enumerate("kmgt", 1)}, **{f"{p}ib": 1024**n for n, p in enumerate("kmgt", 1)}}


@dataclass(frozen=True)
class Settings:
    """One benchmark's settings."""

    rows: int
    memory_limit: str
    rounds: int
    threads: int = os.cpu_count() or 1

    @property
    def allowed_bytes(self) -> int:
        """The most memory a measured process may take."""
        return bytes_of(self.memory_limit) + MEMORY_ALLOWANCE

    def url(self, database: Path) -> str:
        """The database file under these settings as a URL, which a run opens for itself alone."""
        return f"duckdb:///{database}?memory_limit={self.memory_limit}&threads={self.threads}"

    def open(self, database: Path) -> duckdb.DuckDBPyConnection:
        """A connection to the database file under these settings."""
        connection = duckdb.connect(str(database), config={"memory_limit": self.memory_limit, "threads": self.threads})
        connection.execute(NO_BAR)
        return connection


def memory_size(size: str) -> str:
    """The size as it was written, if it is one."""
    bytes_of(size)
    return size


def bytes_of(size: str) -> int:
    """The bytes a size such as 4GB or 600 MiB means to DuckDB."""
    match = re.fullmatch(r"\s*([0-9.]+)\s*([a-z]*)\s*", size.lower())
    if match is None or match[2] not in _UNITS:
        raise ValueError(f"{size!r} is not a size: write for example 4GB or 600MB")
    return int(float(match[1]) * _UNITS[match[2]])
