"""The section on the same run on every engine: ratios to the baseline, stages and the slowest statements."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence

from benchmarks.engine_databases import UnmeasuredEngine
from benchmarks.measurements.engines import EngineFigures, Outcome
from benchmarks.results.markdown import Line, table, unmeasured
from benchmarks.settings import Settings

SLOWEST = 3
_RATIO_HEAD = ("engine", "version", "baseline: group s", "baseline: copy s", "baseline s", "run s", "run ÷ baseline")

_INTRODUCTION = """\
The demo's patients with the example policy on each engine, compared with a baseline on the same engine: group the table
once by its quasi-identifiers into a new table, and copy it once with all its columns. All seconds are wall seconds of the
client, measured once; both sides include connecting, committing and closing."""


def write_engines(measured: Sequence[EngineFigures | UnmeasuredEngine], settings: Settings) -> str:
    """Return the section with all engines."""
    figures = [f for f in measured if isinstance(f, EngineFigures)]
    sections = [
        "## The same run on every engine",
        _INTRODUCTION,
        _setting(settings),
        *unmeasured(measured),
        _outcomes(figures),
        "### Ratios to the baseline, by engine",
        table(
            ("engine", "version", "baseline: group s", "baseline: copy s", "baseline s", "run s", "run ÷ baseline"), map(_ratio, figures)
        ),
        "### Seconds and statements per stage, by engine",
        table(("stage", *(head for f in figures for head in (f"{f.engine} s", "statements"))), _stages(figures)),
        "### Slowest statements, by engine",
        table(("engine", "stage", "template", "wall s", "÷ baseline"), (line for f in figures for line in _slowest(f))),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def _outcomes(figures: Sequence[EngineFigures]) -> str:
    """Return a paragraph for each distinct outcome, with its engines."""
    engines: dict[str, list[str]] = {}
    for f in figures:
        engines.setdefault(_outcome(f.outcome), []).append(f.engine)
    return "\n\n".join(f"{'The same on' if len(names) > 1 else 'On'} {', '.join(names)}: {outcome}." for outcome, names in engines.items())


def _outcome(outcome: Outcome) -> str:
    levels = ", ".join(f"{column} {level}" for column, level in outcome.levels.items())
    return f"levels {levels}; {outcome.classes:,} classes; {outcome.suppressed_rows:,} rows suppressed"


def _setting(settings: Settings) -> str:
    return (
        f"{settings.engine_rows:,} rows, Python {platform.python_version()}, {os.cpu_count() or 1} cores. Every engine has its default "
        "settings, including buffer sizes (MariaDB: a pool of 128 MB), except MariaDB's server, which the tests start without a log flush "
        "at every commit and without the doublewrite buffer. The table has a primary key and no other index; PostgreSQL and MariaDB have "
        "analyzed it."
    )


def _ratio(figures: EngineFigures) -> Line:
    parts = [f"{seconds:.2f}" for seconds in (*figures.baseline.values(), figures.baseline_seconds, figures.run_seconds)]
    return (figures.engine, figures.version, *parts, f"{figures.run_seconds / figures.baseline_seconds:.2f}")


def _stages(figures: Sequence[EngineFigures]) -> Iterable[Line]:
    """Return one line per stage; every engine runs the same stages."""
    for stages in zip(*((*f.stages, f.outside_stages) for f in figures), strict=True):
        yield (stages[0].name, *(cell for stage in stages for cell in (f"{stage.seconds:.2f}", str(stage.statements))))


def _slowest(figures: EngineFigures) -> Iterable[Line]:
    for statement in sorted(figures.statements, key=lambda s: s.seconds, reverse=True)[:SLOWEST]:
        ratio = f"{statement.seconds / figures.baseline_seconds:.2f}"
        yield (figures.engine, statement.stage, statement.template, f"{statement.seconds:.2f}", ratio)
