"""One engine: its own floor and the whole run on it, with the outcome that all engines must share."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fresh_process import in_fresh_process
from benchmarks.measurements.whole_run import StatementFigures
from benchmarks.settings import Settings
from benchmarks.tables.cases import HOSPITAL, TABLE
from benchmarks.tables.patients import Database, DuckDB, Unavailable, load_table, patients_csv, started
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
    """What a run decided: the same rows and the same policy give the same on every engine."""

    levels: dict[str, int]
    classes: int
    suppressed_rows: int


@dataclass(frozen=True)
class EngineFigures:
    """Wall seconds of one engine's floor and run, and what the run decided."""

    engine: str
    version: str
    floor: dict[str, float]
    run_seconds: float
    stages: tuple[Stage, ...]
    statements: tuple[StatementFigures, ...]
    outcome: Outcome

    @property
    def floor_seconds(self) -> float:
        return sum(self.floor.values())

    @property
    def outside_stages(self) -> Stage:
        """Connecting, and what is cleaned up at the end."""
        seconds = self.run_seconds - sum(stage.seconds for stage in self.stages)
        return Stage("outside the stages", seconds, len(self.statements) - sum(stage.statements for stage in self.stages))


@dataclass(frozen=True)
class UnmeasuredEngine:
    """An engine that is not on this machine, or whose run failed."""

    engine: str
    reason: str
    failed: bool


def measure_engines(engines: Iterable[str], settings: Settings) -> list[EngineFigures | UnmeasuredEngine]:
    """The figures of each engine, measured in a process of its own that also starts and stops its server."""
    file = patients_csv(settings)
    figures = []
    for engine in engines:
        print(f"measuring {engine} …", file=sys.stderr)
        figures.append(in_fresh_process(_measure_engine, engine, file))
    return figures


def _measure_engine(engine: str, file: Path) -> EngineFigures | UnmeasuredEngine:
    try:
        with started(engine, beside=file) as database:
            load_table(database, file)
            return _measure(database)
    except Unavailable as reason:
        return UnmeasuredEngine(engine, str(reason), failed=False)
    except KanonError as error:
        return UnmeasuredEngine(engine, str(error), failed=True)


def _measure(database: Database) -> EngineFigures:
    ((version,),) = database.execute(_VERSIONS[database.name])
    floor = _measure_floor(database)
    started = time.perf_counter()
    report = anonymize(database.url, HOSPITAL.policy)
    return _figures(database.name, version, floor, time.perf_counter() - started, report)


def _measure_floor(database: Database) -> dict[str, float]:
    """One grouping by the quasi-identifiers and one plain copy, each on a connection of its own, as the run has one."""
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


def _figures(engine: str, version: str, floor: dict[str, float], run_seconds: float, report: AnonymizeReport) -> EngineFigures:
    return EngineFigures(
        engine=engine,
        version=re.findall(r"[0-9.]+", version)[0],
        floor=floor,
        run_seconds=run_seconds,
        stages=report.stages,
        statements=tuple(StatementFigures(s.stage, s.template, s.seconds) for s in report.statements),
        outcome=Outcome(report.levels, report.classes, report.suppressed_rows),
    )
