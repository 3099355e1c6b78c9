"""Mondrian against the floor, on a DuckDB file: the whole run, the rounds of cuts in it, and what they came to."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from benchmarks.fresh_process import fresh_copy, in_fresh_process
from benchmarks.measurements.baseline import FloorFigures, measure_floor
from benchmarks.measurements.mondrian_postgresql import measure_on_postgresql
from benchmarks.measurements.whole_run import StageMeter
from benchmarks.metering import Cost, Meter, peak_bytes
from benchmarks.results.markdown import table
from benchmarks.settings import Settings
from benchmarks.tables.adult import adult_case, adult_file
from benchmarks.tables.cases import CASES, Case
from benchmarks.tables.duckdb_files import source_file
from kanon_sql import Policy, anonymize, load_policy

K = 10

_INTRODUCTION = f"""\
The cases' tables under `algorithm: mondrian` with k = {K}, random row order included, against the floor: one grouping by the
quasi-identifiers and one plain copy. The floor and the run of a round follow each other; of each the one with the least CPU counts."""

_ADULT = f"""\
The Adult data (30,162 rows, eight quasi-identifiers with their hierarchies) grown to many rows: every row again and again with 2 % of
the cells taken from other rows, and a number, a date and a text beside them; `algorithm: mondrian` with k = {K} against the floor as above.
Measured by who has that data, with `--adult FOLDER`."""

_HEAD = (
    "case", "CPU ÷ floor", "each round", "cuts ÷ floor", "floor, CPU s", "run, CPU s", "cuts, CPU s",
    "combinations", "rounds", "statements for cuts", "regions", "classes", "peak MB",
)  # fmt: skip


@dataclass(frozen=True)
class MondrianFigures:
    """One run: what it took in all and for its cuts, and what it came to."""

    total: Cost
    search: Cost
    rounds: int
    statements: int
    regions: int
    classes: int
    peak_bytes: int


def measure_mondrian(settings: Settings, engine_rows: int) -> str:
    """The section of RESULTS.md."""
    lines = [_line(case, case.name, source_file(case, settings), settings) for case in CASES]
    policies = {case: _policy(case) for case in CASES}
    elsewhere = measure_on_postgresql(policies, replace(settings, rows=engine_rows))
    return f"## Mondrian\n\n{_INTRODUCTION}\nDuckDB, {settings.rows:,} rows; {_setting(settings)}.\n\n{table(_HEAD, lines)}\n\n{elsewhere}"


def measure_adult(data: Path, settings: Settings) -> str:
    """The section on a real table: as many rows as asked, and ten times as many."""
    case, lines = adult_case(data), []
    for rows in (settings.rows, 10 * settings.rows):
        grown = replace(settings, rows=rows)
        lines.append(_line(case, f"{rows:,} rows", adult_file(data, grown), grown))
    return f"## Mondrian on Adult\n\n{_ADULT}\nDuckDB {_setting(settings)}.\n\n{table(_HEAD, lines)}\n"


def _setting(settings: Settings) -> str:
    return f"version {version('duckdb')}, Python {platform.python_version()}, {settings.threads} threads, {settings.memory_limit}"


def _line(case: Case, name: str, source: Path, settings: Settings) -> Sequence[str]:
    """The figures of the floor and of the run that took the least CPU."""
    pairs = [_measure(case, source, settings) for _ in range(settings.rounds)]
    floor, run = min((floor for floor, _ in pairs), key=_cpu), min((run for _, run in pairs), key=_cpu)
    each = ", ".join(f"{run.total.cpu / floor.total.cpu:.2f}" for floor, run in pairs)
    ratio, share = run.total.cpu / floor.total.cpu, run.search.cpu / floor.total.cpu
    seconds = (f"{floor.total.cpu:.1f}", f"{run.total.cpu:.1f}", f"{run.search.cpu:.1f}")
    counts = (f"{n:,}" for n in (floor.combinations, run.rounds, run.statements, run.regions, run.classes, run.peak_bytes // 10**6))
    return (name, f"{ratio:.2f}", each, f"{share:.2f}", *seconds, *counts)


def _cpu(figures: FloorFigures | MondrianFigures) -> float:
    return figures.total.cpu


def _measure(case: Case, source: Path, settings: Settings) -> tuple[FloorFigures, MondrianFigures]:
    with fresh_copy(source, "floor", keep=False) as database:
        floor = in_fresh_process(measure_floor, case, database, settings)
    with fresh_copy(source, "mondrian", keep=False) as database:
        return floor, in_fresh_process(_run, case, database, settings)


def _policy(case: Case) -> Policy:
    policy = load_policy(case.policy)
    privacy = policy.privacy.model_copy(update={"k": K})
    return policy.model_copy(update={"algorithm": "mondrian", "privacy": privacy})


def _run(case: Case, database: Path, settings: Settings) -> MondrianFigures:
    policy = _policy(case)
    meter, stages = Meter(), StageMeter()
    with meter.part("run"):
        report = anonymize(settings.url(database), policy, listener=stages)  # closing the file writes a checkpoint
    partition = report.solution.partition
    if partition is None:
        raise RuntimeError("the run made no partition")
    search = sum((stage.cost for stage in stages.stages if stage.name == "search"), Cost())
    return MondrianFigures(
        meter.parts["run"], search, partition.rounds, partition.statements, partition.regions, report.classes, peak_bytes()
    )
