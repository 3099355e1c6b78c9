"""A whole run per case, from the source to the verified release, and its baseline."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from benchmarks.fresh_process import fresh_copy, in_fresh_process
from benchmarks.measurements.baseline import BaselineFigures, measure_baseline
from benchmarks.metering import Cost, Meter, StageFigures, StageMeter, peak_bytes
from benchmarks.settings import Settings
from benchmarks.tables.adult import adult_case, adult_file
from benchmarks.tables.cases import CASES, Case
from benchmarks.tables.duckdb_files import source_file
from kanon_sql import AnonymizeReport, anonymize, load_policy

VARIANTS = tuple(name for case in CASES for name in (case.name, f"{case.name}_baseline", f"{case.name}_run"))

Figures = TypeVar("Figures")
Measure = Callable[[Case, Path, Settings], Figures]


@dataclass(frozen=True)
class StatementFigures:
    """One statement by its template."""

    stage: str
    template: str
    seconds: float


@dataclass(frozen=True)
class RunFigures:
    """The cost of a run and its result."""

    parts: dict[str, Cost]
    peak_bytes: int
    stages: tuple[StageFigures, ...]
    statements: tuple[StatementFigures, ...]
    published_rows: int
    suppressed_rows: int
    classes: int
    nodes_checked: int

    @property
    def total(self) -> Cost:
        return sum(self.parts.values(), Cost())

    @property
    def outside_stages(self) -> Cost:
        """Return the cost of anonymize outside its stages: connecting, dropping temporary tables, and the report."""
        return self.parts["anonymize"] - sum((stage.cost for stage in self.stages), Cost())


@dataclass(frozen=True)
class CaseFigures:
    """The figures of one case, round by round."""

    case: Case
    baselines: tuple[BaselineFigures, ...]
    runs: tuple[RunFigures, ...]

    @property
    def baseline(self) -> BaselineFigures | None:
        """Return the baseline with the fewest CPU seconds."""
        return min(self.baselines, key=lambda baseline: baseline.total.cpu, default=None)

    @property
    def run(self) -> RunFigures | None:
        """Return the run with the fewest CPU seconds."""
        return min(self.runs, key=lambda run: run.total.cpu, default=None)

    @property
    def rounds(self) -> list[tuple[Cost, Cost]]:
        """Return the costs of baseline and run per round; an empty list if only one of them was measured."""
        return [(baseline.total, run.total) for baseline, run in zip(self.baselines, self.runs, strict=False)]


def measure_cases(settings: Settings) -> list[CaseFigures]:
    """Measure every case, or the case or part of a case that the settings name; the Adult data if its folder is known."""
    variant = settings.variant
    named = [case for case in CASES if variant is None or variant.split("_")[0] == case.name]
    measured = [_measure_case(case, source_file(case, settings), settings) for case in named]
    if settings.adult is not None and variant is None:
        measured.append(_measure_case(adult_case(settings.adult), adult_file(settings.adult, settings), settings))
    return measured


def _measure_case(case: Case, source: Path, settings: Settings) -> CaseFigures:

    def measured(kind: str, measure: Measure[Figures]) -> list[Figures]:
        name = f"{case.name}_{kind}"
        if settings.variant not in (None, case.name, name):
            return []
        print(f"measuring {name} …", file=sys.stderr)
        with fresh_copy(source, kind, keep=settings.keep) as database:
            return [in_fresh_process(measure, case, database, settings)]

    baselines: list[BaselineFigures] = []
    runs: list[RunFigures] = []
    for _ in range(settings.rounds):
        baselines += measured("baseline", measure_baseline)
        runs += measured("run", measure_run)
    return CaseFigures(case, tuple(baselines), tuple(runs))


def measure_run(case: Case, database: Path, settings: Settings) -> RunFigures:
    """Measure a run that anonymizes the case's table with its policy, written to the file."""
    policy = load_policy(case.policy)
    meter, stages = Meter(), StageMeter()
    with meter.part("anonymize"):
        report = anonymize(settings.url(database), policy, listener=stages)  # closing the file writes a checkpoint
    return _figures(report, meter, stages)


def _figures(report: AnonymizeReport, meter: Meter, stages: StageMeter) -> RunFigures:
    return RunFigures(
        parts=meter.parts,
        peak_bytes=peak_bytes(),
        stages=tuple(stages.stages),
        statements=statement_figures(report),
        published_rows=report.published_rows,
        suppressed_rows=report.suppressed_rows,
        classes=report.classes,
        nodes_checked=report.solution.search.nodes.checked,
    )


def statement_figures(report: AnonymizeReport) -> tuple[StatementFigures, ...]:
    """Return the statements of a run with their seconds."""
    return tuple(StatementFigures(s.stage, s.template, s.seconds) for s in report.statements)
