"""The same run on every engine: its baseline, its cost, and the outcome, which must be the same on all engines."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine_databases import Database, DuckDB, UnmeasuredEngine, measure_on_engines
from benchmarks.measurements.whole_run import StatementFigures, statement_figures
from benchmarks.settings import Settings
from benchmarks.tables.cases import HOSPITAL, TABLE
from benchmarks.tables.patients import load_patients, patients_csv
from kanon_sql import AnonymizeReport, KanonError, anonymize, load_policy
from kanon_sql.backends.duckdb_file import NO_BAR
from kanon_sql.workspace import Stage

_VERSIONS = {
    "duckdb": "select version()",
    "sqlite": "select sqlite_version()",
    "postgresql": "show server_version",
    "mariadb": "select version()",
}


@dataclass(frozen=True)
class Outcome:
    """The result of a run, which depends only on the rows and the policy."""

    levels: dict[str, int]
    classes: int
    suppressed_rows: int


@dataclass(frozen=True)
class EngineFigures:
    """Wall seconds of the baseline and the run on one engine, and the result."""

    engine: str
    version: str
    baseline: dict[str, float]
    run_seconds: float
    stages: tuple[Stage, ...]
    statements: tuple[StatementFigures, ...]
    outcome: Outcome

    @property
    def baseline_seconds(self) -> float:
        return sum(self.baseline.values())

    @property
    def outside_stages(self) -> Stage:
        """Return the time outside the stages: connecting and cleaning up."""
        seconds = self.run_seconds - sum(stage.seconds for stage in self.stages)
        return Stage("outside the stages", seconds, len(self.statements) - sum(stage.statements for stage in self.stages))


def measure_engines(settings: Settings) -> list[EngineFigures | UnmeasuredEngine]:
    """Return the figures of every engine, or the reason why it was not measured."""
    file = patients_csv(settings.with_rows(settings.engine_rows))
    return measure_on_engines(settings.variant, file.parent, _measure_engine, file)


def find_problems(measured: Sequence[EngineFigures | UnmeasuredEngine]) -> list[str]:
    """Return a message for every run that failed, and one if the outcomes differ."""
    figures = [f for f in measured if isinstance(f, EngineFigures)]
    problems = [f"the run on {f.engine} failed: {f.reason}" for f in measured if isinstance(f, UnmeasuredEngine) and f.failed]
    if any(f.outcome != figures[0].outcome for f in figures):
        problems.append("the outcomes differ between engines")
    return problems


def _measure_engine(database: Database, file: Path) -> list[EngineFigures | UnmeasuredEngine]:
    load_patients(database, file)
    try:
        return [_measure(database)]
    except KanonError as error:
        return [UnmeasuredEngine(database.name, str(error), failed=True)]


def _measure(database: Database) -> EngineFigures:
    ((version,),) = database.execute(_VERSIONS[database.name])
    baseline = _measure_baseline(database)
    started = time.perf_counter()
    report = anonymize(database.url, HOSPITAL.policy)
    return _figures(database.name, version, baseline, time.perf_counter() - started, report)


def _measure_baseline(database: Database) -> dict[str, float]:
    """Return the seconds of one grouping and one plain copy, each on its own connection, as the run has one."""
    columns = ", ".join(load_policy(HOSPITAL.policy).quasi_identifiers)
    parts = {
        "counted": f"select {columns}, count(*) as row_count from {TABLE} group by {columns}",
        "copied": f"select * from {TABLE}",
    }
    before = f"{NO_BAR}; " if database.name == DuckDB.name else ""
    seconds = {}
    for name, select in parts.items():
        started = time.perf_counter()
        database.execute(f"{before}create table {name} as {select}")
        seconds[name] = time.perf_counter() - started
    for name in parts:
        database.drop(name)
    return seconds


def _figures(engine: str, version: str, baseline: dict[str, float], run_seconds: float, report: AnonymizeReport) -> EngineFigures:
    return EngineFigures(
        engine=engine,
        version=re.findall(r"[0-9.]+", version)[0],
        baseline=baseline,
        run_seconds=run_seconds,
        stages=report.stages,
        statements=statement_figures(report),
        outcome=Outcome(report.levels, report.classes, report.suppressed_rows),
    )
