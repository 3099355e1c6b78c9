"""Settings that all benchmarks share: rows, memory limit, rounds and threads."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from kanon_sql.backends.duckdb_file import NO_BAR

# Memory of Python, the driver and the engine in addition to the memory limit.
MEMORY_ALLOWANCE = 150_000_000

_UNITS = {"": 1, **{f"{p}b": 1000**n for n, p in enumerate("kmgt", 1)}, **{f"{p}ib": 1024**n for n, p in enumerate("kmgt", 1)}}


@dataclass(frozen=True)
class Settings:
    """Settings of one call of the benchmarks; a variant is a part of a benchmark that is measured alone."""

    rows: int
    engine_rows: int
    census_rows: int
    memory_limit: str
    rounds: int
    adult: Path | None = None
    keep: bool = False
    variant: str | None = None
    threads: int = os.cpu_count() or 1

    @property
    def allowed_bytes(self) -> int:
        """Return the limit for the memory of a measured process."""
        return bytes_of(self.memory_limit) + MEMORY_ALLOWANCE

    def with_rows(self, rows: int) -> Settings:
        """Return the same settings for tables of another size."""
        return replace(self, rows=rows)

    def url(self, database: Path) -> str:
        """Return a URL that opens the database file with these settings."""
        return f"duckdb:///{database}?memory_limit={self.memory_limit}&threads={self.threads}"

    def open(self, database: Path) -> duckdb.DuckDBPyConnection:
        """Open the database file with these settings."""
        connection = duckdb.connect(str(database), config={"memory_limit": self.memory_limit, "threads": self.threads})
        connection.execute(NO_BAR)
        return connection


def memory_size(size: str) -> str:
    """Return the size unchanged; raise ValueError if it is not a memory size."""
    bytes_of(size)
    return size


def bytes_of(size: str) -> int:
    """Return the number of bytes that DuckDB reads from a size such as 4GB or 600 MiB."""
    match = re.fullmatch(r"\s*([0-9.]+)\s*([a-z]*)\s*", size.lower())
    if match is None or match[2] not in _UNITS:
        raise ValueError(f"{size!r} is not a memory size. Write, for example, 4GB or 600MB.")
    return int(float(match[1]) * _UNITS[match[2]])
