"""The engines' figures as text: ratios to each engine's floor, then stages and the slowest statements."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence

from benchmarks.measurements.engines import EngineFigures, Outcome, UnmeasuredEngine
from benchmarks.results.markdown import Line, table
from benchmarks.settings import Settings

SLOWEST = 3

_INTRODUCTION = """\
The demo's patients under the example's policy on each engine, every one against its own floor: it groups the table
once by its quasi-identifiers into a new table and copies it once with all its columns. All seconds are wall seconds
of the client and were taken once; connecting, committing and closing are included on both sides."""


def write_engine_results(settings: Settings, measured: Sequence[EngineFigures | UnmeasuredEngine]) -> str:
    """All engines' figures as one section of the results."""
    figures = [f for f in measured if isinstance(f, EngineFigures)]
    missing = [f"{f.engine} was not measured: {f.reason}." for f in measured if isinstance(f, UnmeasuredEngine)]
    sections = [
        "## The same run on every engine",
        _INTRODUCTION,
        _setting(settings),
        *missing,
        _outcomes(figures),
        "### Ratios to the engine's own floor",
        table(("engine", "version", "floor: group s", "floor: copy s", "floor s", "run s", "run ÷ floor"), map(_ratio, figures)),
        "### Seconds and statements per stage, by engine",
        table(("stage", *(head for f in figures for head in (f"{f.engine} s", "statements"))), _stages(figures)),
        "### Slowest statements, by engine",
        table(("engine", "stage", "template", "wall s", "÷ floor"), (line for f in figures for line in _slowest(f))),
    ]
    return "\n\n".join(filter(None, sections)) + "\n"


def find_problems(measured: Sequence[EngineFigures | UnmeasuredEngine]) -> list[str]:
    """The runs that failed, and what the engines decided differently."""
    figures = [f for f in measured if isinstance(f, EngineFigures)]
    problems = [f"the run on {f.engine} failed: {f.reason}" for f in measured if isinstance(f, UnmeasuredEngine) and f.failed]
    if any(f.outcome != figures[0].outcome for f in figures):
        problems.append("the engines disagree")
    return problems


def _outcomes(figures: Sequence[EngineFigures]) -> str:
    """What the engines decided; those that decided the same share a paragraph."""
    engines: dict[str, list[str]] = {}
    for f in figures:
        engines.setdefault(_outcome(f.outcome), []).append(f.engine)
    return "\n\n".join(f"{'The same on' if len(names) > 1 else 'On'} {', '.join(names)}: {outcome}." for outcome, names in engines.items())


def _outcome(outcome: Outcome) -> str:
    levels = ", ".join(f"{column} {level}" for column, level in outcome.levels.items())
    return f"levels {levels}; {outcome.classes:,} classes; {outcome.suppressed_rows:,} rows suppressed"


def _setting(settings: Settings) -> str:
    return (
        f"{settings.rows:,} rows, Python {platform.python_version()}, {os.cpu_count() or 1} cores. Every engine has its default settings, "
        "buffer sizes included (MariaDB: a pool of 128 MB); only MariaDB's server, as the tests start it, does not flush its log "
        "at every commit nor write pages twice. The table has a primary key and no other index; PostgreSQL and MariaDB have analyzed it."
    )


def _ratio(figures: EngineFigures) -> Line:
    parts = [f"{seconds:.2f}" for seconds in (*figures.floor.values(), figures.floor_seconds, figures.run_seconds)]
    return (figures.engine, figures.version, *parts, f"{figures.run_seconds / figures.floor_seconds:.2f}")


def _stages(figures: Sequence[EngineFigures]) -> Iterable[Line]:
    """One line per stage; every engine runs the same stages."""
    for stages in zip(*((*f.stages, f.outside_stages) for f in figures), strict=True):
        yield (stages[0].name, *(cell for stage in stages for cell in (f"{stage.seconds:.2f}", str(stage.statements))))


def _slowest(figures: EngineFigures) -> Iterable[Line]:
    for statement in sorted(figures.statements, key=lambda s: s.seconds, reverse=True)[:SLOWEST]:
        ratio = f"{statement.seconds / figures.floor_seconds:.2f}"
        yield (figures.engine, statement.stage, statement.template, f"{statement.seconds:.2f}", ratio)
