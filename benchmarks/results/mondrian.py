"""The sections on Mondrian: the cases and the Adult data."""

from __future__ import annotations

import platform
from importlib.metadata import version

from benchmarks.engine_databases import UnmeasuredEngine
from benchmarks.measurements.mondrian import K, MondrianFigures, Pair
from benchmarks.measurements.mondrian_postgresql import PostgreSQLFigures
from benchmarks.results.markdown import Line, table, unmeasured
from benchmarks.settings import Settings

_INTRODUCTION = f"""\
The cases' tables with `algorithm: mondrian` and k = {K}, including random row order, compared with the baseline: one grouping by the
quasi-identifiers and one plain copy. Each round measures the baseline, then the run; the table shows those with the fewest CPU seconds."""

_ADULT = f"""\
The Adult data (30,162 rows, eight quasi-identifiers with their hierarchies) grown to many rows: the rows are repeated, 2 % of the cells
come from other rows, and a number, a date and a text are added; `algorithm: mondrian` with k = {K}, compared with the baseline as above.
The data is not part of the project; measure it with `--adult FOLDER`."""

_HEAD = (
    "case", "CPU ÷ baseline", "each round", "cuts ÷ baseline", "baseline, CPU s", "run, CPU s", "cuts, CPU s",
    "combinations", "rounds", "statements for cuts", "regions", "classes", "peak MB",
)  # fmt: skip
_POSTGRESQL_HEAD = ("case", "run ÷ baseline", "baseline, s", "run, s", "cuts, s", "combinations", "regions")


def write_mondrian(figures: MondrianFigures, settings: Settings) -> str:
    """Return the section with all cases on DuckDB and PostgreSQL."""
    lines = [_line(name, pairs) for name, pairs in figures.duckdb.items()]
    setting = f"DuckDB, {settings.rows:,} rows; {_setting(settings)}."
    return f"## Mondrian\n\n{_INTRODUCTION}\n{setting}\n\n{table(_HEAD, lines)}\n\n{_on_postgresql(figures.postgresql, settings)}\n"


def write_adult(sizes: dict[str, list[Pair]], settings: Settings) -> str:
    """Return the section on the Adult data."""
    lines = [_line(name, pairs) for name, pairs in sizes.items()]
    return f"## Mondrian on Adult\n\n{_ADULT}\nDuckDB {_setting(settings)}.\n\n{table(_HEAD, lines)}\n"


def _setting(settings: Settings) -> str:
    return f"version {version('duckdb')}, Python {platform.python_version()}, {settings.threads} threads, {settings.memory_limit}"


def _line(name: str, pairs: list[Pair]) -> Line:
    """Return the figures of the baseline and of the run with the fewest CPU seconds."""
    baseline = min((baseline for baseline, _ in pairs), key=lambda figures: figures.total.cpu)
    run = min((run for _, run in pairs), key=lambda figures: figures.total.cpu)
    each = ", ".join(f"{run.total.cpu / baseline.total.cpu:.2f}" for baseline, run in pairs)
    ratio, share = run.total.cpu / baseline.total.cpu, run.search.cpu / baseline.total.cpu
    seconds = (f"{baseline.total.cpu:.1f}", f"{run.total.cpu:.1f}", f"{run.search.cpu:.1f}")
    counts = (f"{n:,}" for n in (baseline.combinations, run.rounds, run.statements, run.regions, run.classes, run.peak_bytes // 10**6))
    return (name, f"{ratio:.2f}", each, f"{share:.2f}", *seconds, *counts)


def _on_postgresql(measured: dict[str, PostgreSQLFigures] | UnmeasuredEngine, settings: Settings) -> str:
    if isinstance(measured, UnmeasuredEngine):
        return unmeasured([measured])[0]
    lines = []
    for name, f in measured.items():
        seconds = (f"{f.baseline:.1f}", f"{f.run:.1f}", f"{f.cuts:.1f}")
        lines.append((name, f"{f.run / f.baseline:.1f}", *seconds, f"{f.combinations:,}", f"{f.regions:,}"))
    return f"PostgreSQL, {settings.engine_rows:,} rows, wall seconds of the client, measured once:\n\n{table(_POSTGRESQL_HEAD, lines)}"
