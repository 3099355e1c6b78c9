"""Mondrian compared with the baseline, on DuckDB files: the whole run, the rounds of cuts in it, and their result."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.engine_databases import UnmeasuredEngine
from benchmarks.fresh_process import fresh_copy, in_fresh_process
from benchmarks.measurements.baseline import BaselineFigures, measure_baseline
from benchmarks.measurements.mondrian_postgresql import PostgreSQLFigures, measure_on_postgresql
from benchmarks.metering import Cost, Meter, StageMeter, peak_bytes
from benchmarks.settings import Settings
from benchmarks.tables.adult import adult_case, adult_file
from benchmarks.tables.cases import CASES, Case
from benchmarks.tables.duckdb_files import source_file
from kanon_sql import Policy, anonymize, load_policy
from kanon_sql.artifacts import CutSearch

K = 10


@dataclass(frozen=True)
class RunFigures:
    """One run: its cost, the cost of its cuts, and the result."""

    total: Cost
    search: Cost
    rounds: int
    statements: int
    regions: int
    classes: int
    peak_bytes: int


Pair = tuple[BaselineFigures, RunFigures]


@dataclass(frozen=True)
class MondrianFigures:
    """Pairs of baseline and run for each case on DuckDB, and the figures of each case on PostgreSQL."""

    duckdb: dict[str, list[Pair]]
    postgresql: dict[str, PostgreSQLFigures] | UnmeasuredEngine


def measure_mondrian(settings: Settings) -> MondrianFigures:
    """Measure all cases on DuckDB and on PostgreSQL."""
    on_duckdb = {case.name: _measure_rounds(case, source_file(case, settings), settings) for case in CASES}
    policies = {case: _policy(case) for case in CASES}
    return MondrianFigures(on_duckdb, measure_on_postgresql(policies, settings.with_rows(settings.engine_rows)))


def measure_adult(settings: Settings) -> dict[str, list[Pair]]:
    """Measure the Adult data, grown to the rows of the settings and to ten times the rows."""
    if settings.adult is None:
        raise ValueError("The folder of the Adult data is not set.")
    case, pairs = adult_case(settings.adult), {}
    for rows in (settings.rows, 10 * settings.rows):
        grown = settings.with_rows(rows)
        pairs[f"{rows:,} rows"] = _measure_rounds(case, adult_file(settings.adult, grown), grown)
    return pairs


def _measure_rounds(case: Case, source: Path, settings: Settings) -> list[Pair]:
    return [_measure(case, source, settings) for _ in range(settings.rounds)]


def _measure(case: Case, source: Path, settings: Settings) -> Pair:
    with fresh_copy(source, "baseline") as database:
        baseline = in_fresh_process(measure_baseline, case, database, settings)
    with fresh_copy(source, "mondrian") as database:
        return baseline, in_fresh_process(_run, case, database, settings)


def _policy(case: Case) -> Policy:
    policy = load_policy(case.policy)
    privacy = policy.privacy.model_copy(update={"k": K})
    return policy.model_copy(update={"algorithm": "mondrian", "privacy": privacy})


def _run(case: Case, database: Path, settings: Settings) -> RunFigures:
    policy = _policy(case)
    meter, stages = Meter(), StageMeter()
    with meter.part("run"):
        report = anonymize(settings.url(database), policy, listener=stages)  # closing the file writes a checkpoint
    partition = report.solution.search
    if not isinstance(partition, CutSearch):
        raise RuntimeError("the run made no partition")
    search = stages.cost_of("search")
    return RunFigures(meter.parts["run"], search, partition.rounds, partition.statements, partition.regions, report.classes, peak_bytes())
