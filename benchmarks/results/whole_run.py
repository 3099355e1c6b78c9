"""The cases' figures as text: ratios to the floor first, seconds second, then stages and the slowest statements."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from benchmarks.measurements.baseline import FloorFigures
from benchmarks.measurements.whole_run import RunFigures
from benchmarks.metering import Cost
from benchmarks.results.markdown import Line, table
from benchmarks.settings import MEMORY_ALLOWANCE, Settings
from benchmarks.tables.cases import Case

SLOWEST = 5

_INTRODUCTION = """\
The floor is what the database itself needs to group the table once by its quasi-identifiers into a new table
and to copy the table once with all its columns, both written to the file. A ratio says how many times the floor
a whole run takes, from the source to the verified release, which leaves the identifiers out; checkpoints are
included on both sides."""

_RATIO_HEAD = ("case", "CPU", "wall", "CPU, each round", "wall, each round", "peak memory", "allowed", "peak of the floor")


@dataclass(frozen=True)
class CaseFigures:
    """What was measured of one case, round by round."""

    case: Case
    floors: tuple[FloorFigures, ...]
    runs: tuple[RunFigures, ...]

    @property
    def floor(self) -> FloorFigures | None:
        """The floor that took the least CPU."""
        return min(self.floors, key=lambda floor: floor.total.cpu, default=None)

    @property
    def run(self) -> RunFigures | None:
        """The run that took the least CPU."""
        return min(self.runs, key=lambda run: run.total.cpu, default=None)

    @property
    def rounds(self) -> list[tuple[Cost, Cost]]:
        """What the floor and the run took, round by round; nothing where only one was measured."""
        return [(floor.total, run.total) for floor, run in zip(self.floors, self.runs, strict=False)]


def write_results(settings: Settings, cases: Sequence[CaseFigures]) -> str:
    """All figures as one section of the results."""
    sections = [
        "## DuckDB against its floor",
        _INTRODUCTION,
        _setting(settings),
        "\n".join(f"- {figures.case.name}: {_about(figures)}." for figures in cases),
        "### Ratios to the floor",
        table(_RATIO_HEAD, (_ratios(f, settings) for f in cases)),
        "### Seconds",
        table(("case", "what", "CPU s", "wall s"), (line for f in cases for line in _seconds(f))),
        "### Seconds and statements per stage",
        table(("case", "stage", "CPU s", "wall s", "statements", "peak until then"), (line for f in cases for line in _stages(f))),
        "### Slowest statements",
        table(("case", "stage", "template", "wall s"), (line for f in cases for line in _slowest(f))),
    ]
    return "\n\n".join(sections) + "\n"


def _setting(settings: Settings) -> str:
    return (
        f"{settings.rows:,} rows, DuckDB {version('duckdb')}, Python {platform.python_version()}, "
        f"{settings.threads} cores and threads, memory_limit {settings.memory_limit}; "
        f"allowed memory is the limit and {_megabytes(MEMORY_ALLOWANCE)} for the process around it. "
        "Everything is measured in a process of its own on a fresh copy of the table's file; "
        f"ratios compare the least seconds of {settings.rounds} rounds, memory is the highest of them, "
        "and all other figures are those of the round with the least CPU seconds."
    )


def _about(figures: CaseFigures) -> str:
    parts = [figures.case.about]
    if figures.floor:
        parts.append(f"{figures.floor.combinations:,} combinations")
    if figures.run:
        run = figures.run
        parts.append(
            f"{run.nodes_checked} nodes checked, {run.published_rows:,} rows published in {run.classes:,} classes, "
            f"{run.suppressed_rows:,} suppressed"
        )
    return "; ".join(parts)


def _ratios(figures: CaseFigures, settings: Settings) -> Line:
    cpu, each_cpu = _ratio([(floor.cpu, run.cpu) for floor, run in figures.rounds])
    wall, each_wall = _ratio([(floor.wall, run.wall) for floor, run in figures.rounds])
    allowed = _megabytes(settings.allowed_bytes)
    return (figures.case.name, cpu, wall, each_cpu, each_wall, _peak(figures.runs), allowed, _peak(figures.floors))


def _ratio(rounds: Sequence[tuple[float, float]]) -> tuple[str, str]:
    """The least seconds of the run against the least of the floor, and the range of the rounds' own ratios."""
    if not rounds:
        return "–", "–"
    floors, runs = zip(*rounds, strict=True)
    each = [run / floor for floor, run in rounds]
    return f"{min(runs) / min(floors):.2f}", f"{min(each):.2f} to {max(each):.2f}"


def _peak(measured: Sequence[FloorFigures | RunFigures]) -> str:
    """The highest peak of all rounds: a limit is kept in each of them or not at all."""
    return _megabytes(max(figures.peak_bytes for figures in measured)) if measured else "–"


def _seconds(figures: CaseFigures) -> Iterable[Line]:
    for title, measured in (("floor", figures.floor), ("run", figures.run)):
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
