"""The section on ITPR."""

from __future__ import annotations

import platform
from importlib.metadata import version

from benchmarks.measurements.information import AGES, DISEASES, InformationFigures
from benchmarks.results.markdown import table
from benchmarks.settings import Settings

_INTRODUCTION = f"""\
`kanon risk people --qi age --sensitive disease` (ITPR and all other risk figures) on {AGES} ages × {DISEASES} diseases (integer and text),
compared with `select age, disease, count(*) … group by age, disease` on the same file. Both open the file. One process measures a pair,
first the grouping, then the command; the table shows the pair with the median ratio."""


def write_information(sizes: dict[int, list[InformationFigures]], settings: Settings) -> str:
    """Return the section with all sizes."""
    lines = []
    for rows, pairs in sizes.items():
        median = pairs[len(pairs) // 2]
        each = ", ".join(f"{pair.ratio:.2f}" for pair in pairs)
        seconds = (median.grouping.wall, median.command.wall, median.grouping.cpu, median.command.cpu)
        lines.append((f"{rows:,}", f"{median.ratio:.2f}", each, *(f"{second:.3f}" for second in seconds), f"{median.itpr:.4f}"))
    head = ("rows", "wall ÷ grouping", "each pair", "grouping, s", "risk, s", "grouping, CPU s", "risk, CPU s", "ITPR")
    setting = f"DuckDB {version('duckdb')}, Python {platform.python_version()}, {settings.threads} threads, {settings.memory_limit}"
    return f"## ITPR ÷ one grouping, DuckDB\n\n{_INTRODUCTION}\n{setting}.\n\n{table(head, lines)}\n"
