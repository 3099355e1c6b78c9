"""The section on runs in place."""

from __future__ import annotations

from benchmarks.measurements.in_place import InPlaceFigures
from benchmarks.results.markdown import table
from benchmarks.settings import Settings

_INTRODUCTION = """\
The same policy, once into a new table and once in place, each on a fresh copy of the file; the run opens the connection.
The scrub, which copies the whole database into a new file, is measured separately. Ratios are per round; the table shows the median."""


def write_in_place(cases: dict[str, list[InPlaceFigures]], settings: Settings) -> str:
    """Return the section with all cases."""
    lines = []
    for name, rounds in cases.items():
        median = rounds[len(rounds) // 2]
        each = ", ".join(f"{figures.ratio:.2f}" for figures in rounds)
        ratios = (median.ratio, median.in_place.wall / median.new_table.wall)
        seconds = (median.new_table.wall, median.in_place.wall, median.scrub.wall)
        lines.append((name, *(f"{ratio:.2f}" for ratio in ratios), each, *(f"{second:.1f}" for second in seconds)))
    head = ("case", "CPU", "wall", "CPU, each round", "new table, s", "in place, s", "scrub, s")
    return f"## In place ÷ into a new table, DuckDB, {settings.rows:,} rows\n\n{_INTRODUCTION}\n\n{table(head, lines)}\n"
