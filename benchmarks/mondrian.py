"""Mondrian against the floor, on a DuckDB file: the whole run, the rounds of cuts in it, and what they came to."""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from benchmarks.cases import CASES, Case
from benchmarks.floor import FloorFigures, measure_floor
from benchmarks.fresh_process import fresh_copy, in_fresh_process
from benchmarks.markdown import table
from benchmarks.measured import Cost, Meter, peak_bytes
from benchmarks.mondrian_postgresql import measure_on_postgresql
from benchmarks.settings import Settings
from benchmarks.source_tables import source_file
from benchmarks.whole_run import StageMeter
from kanon_sql import Policy, anonymize, load_policy

K = 10

_INTRODUCTION = f"""\
The cases' tables under `algorithm: mondrian` with k = {K}, random row order included, against the floor: one grouping by the
quasi-identifiers and one plain copy. The floor and the run of a round follow each other; the round with the least ratio counts."""


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
    lines = []
    for case in CASES:
        pairs = [_measure(case, settings) for _ in range(settings.rounds)]
        floor, run = min(pairs, key=lambda pair: pair[1].total.cpu / pair[0].total.cpu)
        each = ", ".join(f"{run.total.cpu / floor.total.cpu:.2f}" for floor, run in pairs)
        ratio, share = run.total.cpu / floor.total.cpu, run.search.cpu / floor.total.cpu
        seconds = (f"{floor.total.cpu:.1f}", f"{run.total.cpu:.1f}", f"{run.search.cpu:.1f}")
        counts = (f"{n:,}" for n in (floor.combinations, run.rounds, run.statements, run.regions, run.classes, run.peak_bytes // 10**6))
        lines.append((case.name, f"{ratio:.2f}", each, f"{share:.2f}", *seconds, *counts))
    head = (
        "case", "CPU ÷ floor", "each round", "cuts ÷ floor", "floor, CPU s", "run, CPU s", "cuts, CPU s",
        "combinations", "rounds", "statements for cuts", "regions", "classes", "peak MB",
    )  # fmt: skip
    setting = f"version {version('duckdb')}, Python {platform.python_version()}, {settings.threads} threads, {settings.memory_limit}"
    policies = {case: _policy(case) for case in CASES}
    elsewhere = measure_on_postgresql(policies, replace(settings, rows=engine_rows))
    return f"## Mondrian\n\n{_INTRODUCTION}\nDuckDB, {settings.rows:,} rows; {setting}.\n\n{table(head, lines)}\n\n{elsewhere}"


def _measure(case: Case, settings: Settings) -> tuple[FloorFigures, MondrianFigures]:
    source = source_file(case, settings)
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
