"""The section on small tables."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.measurements.small import ROWS, SUPPRESSION, CommandFigures
from benchmarks.results.markdown import table
from benchmarks.settings import Settings

_INTRODUCTION = f"""\
Whole commands on the Adult data in its own size ({ROWS:,} rows, eight quasi-identifiers with their hierarchies, k = 10, suppression
limit {SUPPRESSION}) in a DuckDB file, each in its own process, including the start of Python. Every process works on a fresh copy of the
file. The data is not part of the project; measure it with `--adult FOLDER`."""


def write_small(commands: Sequence[CommandFigures], settings: Settings) -> str:
    """Return the section with all commands."""
    lines = [(f"`{c.name}`", f"{c.median:.2f}", ", ".join(f"{cpu:.2f}" for cpu in c.cpu)) for c in commands]
    head = ("command", f"CPU s, median of {settings.rounds}", "each round")
    return f"## Small tables\n\n{_INTRODUCTION}\n\n{table(head, lines)}\n"
