"""Mondrian on PostgreSQL compared with a baseline on the same engine."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks.engine_databases import Database, UnmeasuredEngine, measure_on_engine
from benchmarks.settings import Settings
from benchmarks.tables.cases import TABLE, Case
from benchmarks.tables.duckdb_files import source_file
from benchmarks.tables.patients import copy_to_postgresql
from kanon_sql import Policy, anonymize
from kanon_sql.artifacts import CutSearch


@dataclass(frozen=True)
class PostgreSQLFigures:
    """Wall seconds of baseline, run and cuts of one case."""

    baseline: float
    run: float
    cuts: float
    combinations: int
    regions: int


def measure_on_postgresql(policies: dict[Case, Policy], settings: Settings) -> dict[str, PostgreSQLFigures] | UnmeasuredEngine:
    """Return the figures of every case, or the reason why PostgreSQL was not measured."""
    figures = {}
    for case, policy in policies.items():
        measured = measure_on_engine("postgresql", None, _measure_case, source_file(case, settings), policy)
        if isinstance(measured, UnmeasuredEngine):
            return measured
        figures[case.name] = measured
    return figures


def _measure_case(database: Database, source: Path, policy: Policy) -> PostgreSQLFigures:
    with duckdb.connect(str(source), read_only=True) as connection, tempfile.TemporaryDirectory() as folder:
        copy_to_postgresql(connection, database, Path(folder))
    return _measure(database, policy)


def _measure(database: Database, policy: Policy) -> PostgreSQLFigures:
    columns = ", ".join(policy.quasi_identifiers)
    clock = time.perf_counter()
    database.execute(f"create table counted as select {columns}, count(*) as row_count from {TABLE} group by {columns}")
    database.execute(f"create table copied as select * from {TABLE}")
    baseline = time.perf_counter() - clock
    ((combinations,),) = database.execute("select count(*) from counted")
    clock = time.perf_counter()
    report = anonymize(database.url, policy)
    run = time.perf_counter() - clock
    partition = report.solution.search
    if not isinstance(partition, CutSearch):
        raise RuntimeError("the run made no partition")
    cuts = sum(stage.seconds for stage in report.stages if stage.name == "search")
    return PostgreSQLFigures(baseline, run, cuts, combinations, partition.regions)
