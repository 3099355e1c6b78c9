"""Mondrian on PostgreSQL against that engine's own floor."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchmarks.fresh_process import in_fresh_process
from benchmarks.results.markdown import table
from benchmarks.settings import Settings
from benchmarks.tables.cases import CASES, TABLE, Case
from benchmarks.tables.duckdb_files import source_file
from benchmarks.tables.patients import Database, Unavailable, copied_to_postgresql, started
from kanon_sql import Policy, anonymize

_HEAD = ("case", "run ÷ floor", "floor, s", "run, s", "cuts, s", "combinations", "regions")


@dataclass(frozen=True)
class _Figures:
    floor: float
    run: float
    cuts: float
    combinations: int
    regions: int


def measure_on_postgresql(policies: dict[Case, Policy], settings: Settings) -> str:
    """The part of Mondrian's section that is about PostgreSQL."""
    lines = []
    for case in CASES:
        found = in_fresh_process(_measure, source_file(case, settings), policies[case])
        if isinstance(found, str):
            return f"PostgreSQL was not measured: {found}.\n"
        seconds = (f"{found.floor:.1f}", f"{found.run:.1f}", f"{found.cuts:.1f}")
        lines.append((case.name, f"{found.run / found.floor:.1f}", *seconds, f"{found.combinations:,}", f"{found.regions:,}"))
    return f"PostgreSQL, {settings.rows:,} rows, wall seconds of the client, taken once:\n\n{table(_HEAD, lines)}\n"


def _measure(source: Path, policy: Policy) -> _Figures | str:
    try:
        with started("postgresql") as database:
            with duckdb.connect(str(source), read_only=True) as connection, tempfile.TemporaryDirectory() as folder:
                copied_to_postgresql(connection, database, Path(folder))
            return _measure_on(database, policy)
    except Unavailable as reason:
        return str(reason)


def _measure_on(database: Database, policy: Policy) -> _Figures:
    columns = ", ".join(policy.quasi_identifiers)
    clock = time.perf_counter()
    database.execute(f"create table counted as select {columns}, count(*) as row_count from {TABLE} group by {columns}")
    database.execute(f"create table copied as select * from {TABLE}")
    floor = time.perf_counter() - clock
    ((combinations,),) = database.execute("select count(*) from counted")
    clock = time.perf_counter()
    report = anonymize(database.url, policy)
    run = time.perf_counter() - clock
    partition = report.solution.partition
    if partition is None:
        raise RuntimeError("the run made no partition")
    cuts = sum(stage.seconds for stage in report.stages if stage.name == "search")
    return _Figures(floor, run, cuts, combinations, partition.regions)
