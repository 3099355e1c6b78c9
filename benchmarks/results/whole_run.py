"""The section on whole runs on DuckDB: ratios to the baseline, seconds, stages and the slowest statements."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from statistics import median

from benchmarks.measurements.baseline import BaselineFigures
from benchmarks.measurements.whole_run import CaseFigures, RunFigures
from benchmarks.metering import Cost
from benchmarks.results.markdown import Line, table
from benchmarks.settings import MEMORY_ALLOWANCE, Settings

SLOWEST = 5

_INTRODUCTION = """\
The baseline is plain SQL: group the table once by its quasi-identifiers into a new table, and copy the table once
with all its columns, both written to the file. A ratio is the cost of a whole run, from the source to the verified
release, divided by the cost of the baseline. The release does not contain the identifiers. Both sides include
checkpoints."""

_RATIO_HEAD = ("case", "CPU", "wall", "CPU, each round", "wall, each round", "peak memory", "allowed", "baseline's peak")


def write_whole_run(cases: Sequence[CaseFigures], settings: Settings) -> str:
    """Return the section with all cases."""
    sections = [
        "## DuckDB compared with its baseline",
        _INTRODUCTION,
        _setting(settings),
        "\n".join(f"- {figures.case.name}: {_describe(figures)}." for figures in cases),
        "### Ratios to the baseline",
        table(_RATIO_HEAD, (_ratios(f, settings) for f in cases)),
        "### Seconds",
        table(("case", "what", "CPU s", "wall s"), (line for f in cases for line in _seconds(f))),
        "### Seconds and statements per stage",
        table(("case", "stage", "CPU s", "wall s", "statements", "peak so far"), (line for f in cases for line in _stages(f))),
        "### Slowest statements",
        table(("case", "stage", "template", "wall s"), (line for f in cases for line in _slowest(f))),
    ]
    return "\n\n".join(sections) + "\n"


def _setting(settings: Settings) -> str:
    return (
        f"{settings.rows:,} rows, DuckDB {version('duckdb')}, Python {platform.python_version()}, "
        f"{settings.threads} cores and threads, memory_limit {settings.memory_limit}; "
        f"allowed memory is the limit plus {_megabytes(MEMORY_ALLOWANCE)} for the process. "
        "Each measurement runs in its own process on a fresh copy of the table's file. "
        f"A ratio is the median of {settings.rounds} rounds; memory is the highest of all rounds; "
        "all other figures are from the round with the fewest CPU seconds."
    )


def _describe(figures: CaseFigures) -> str:
    parts = [figures.case.description]
    if figures.baseline:
        parts.append(f"{figures.baseline.combinations:,} combinations")
    if figures.run:
        run = figures.run
        parts.append(
            f"{run.nodes_checked} nodes checked, {run.published_rows:,} rows published in {run.classes:,} classes, "
            f"{run.suppressed_rows:,} suppressed"
        )
    return "; ".join(parts)


def _ratios(figures: CaseFigures, settings: Settings) -> Line:
    cpu, each_cpu = _ratio([(baseline.cpu, run.cpu) for baseline, run in figures.rounds])
    wall, each_wall = _ratio([(baseline.wall, run.wall) for baseline, run in figures.rounds])
    allowed = _megabytes(settings.allowed_bytes)
    return (figures.case.name, cpu, wall, each_cpu, each_wall, _peak(figures.runs), allowed, _peak(figures.baselines))


def _ratio(rounds: Sequence[tuple[float, float]]) -> tuple[str, str]:
    """Return the median of the ratios of all rounds, and their range."""
    if not rounds:
        return "–", "–"
    each = [run / baseline for baseline, run in rounds]
    return f"{median(each):.2f}", f"{min(each):.2f} to {max(each):.2f}"


def _peak(measured: Sequence[BaselineFigures | RunFigures]) -> str:
    """Return the highest peak of all rounds, because every round must stay within the limit."""
    return _megabytes(max(figures.peak_bytes for figures in measured)) if measured else "–"


def _seconds(figures: CaseFigures) -> Iterable[Line]:
    for title, measured in (("baseline", figures.baseline), ("run", figures.run)):
        if measured:
            yield (figures.case.name, title, *_cost(measured.total))
            for part, cost in measured.parts.items():
                yield (figures.case.name, f"{title}: {part}", *_cost(cost))


def _stages(figures: CaseFigures) -> Iterable[Line]:
    run = figures.run
    if run:
        for stage in run.stages:
            yield (figures.case.name, stage.name, *_cost(stage.cost), str(stage.statements), _megabytes(stage.peak_bytes))
        outside = len(run.statements) - sum(stage.statements for stage in run.stages)
        yield (figures.case.name, "outside the stages", *_cost(run.outside_stages), str(outside), _megabytes(run.peak_bytes))


def _slowest(figures: CaseFigures) -> Iterable[Line]:
    if figures.run:
        for statement in sorted(figures.run.statements, key=lambda s: s.seconds, reverse=True)[:SLOWEST]:
            yield (figures.case.name, statement.stage, statement.template, f"{statement.seconds:.2f}")


def _cost(cost: Cost) -> tuple[str, str]:
    return f"{cost.cpu:.2f}", f"{cost.wall:.2f}"


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"
