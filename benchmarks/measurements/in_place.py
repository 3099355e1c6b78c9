"""In place against the same run into a new table, on a DuckDB file: what the journal, the second verification and the scrub cost."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.fresh_process import fresh_copy, in_fresh_process
from benchmarks.measurements.whole_run import StageMeter
from benchmarks.metering import Cost, Meter
from benchmarks.results.markdown import table
from benchmarks.settings import Settings
from benchmarks.tables.cases import CASES, Case
from benchmarks.tables.duckdb_files import source_file
from kanon_sql import anonymize, load_policy

_INTRODUCTION = """\
The same policy, once into a new table and once in place, each on a fresh copy of the file, the connection opened by the run.
The scrub, which copies the whole database into a new file, is timed apart. Rounds are compared pairwise; the median counts."""


@dataclass(frozen=True)
class InPlaceFigures:
    """One round of one case."""

    into: Cost
    in_place: Cost
    scrub: Cost


def measure_in_place(settings: Settings) -> str:
    """The section of RESULTS.md."""
    lines = []
    for case in CASES:
        rounds = sorted((_measure(case, settings) for _ in range(settings.rounds)), key=lambda f: f.in_place.cpu / f.into.cpu)
        middle = rounds[len(rounds) // 2]
        each = ", ".join(f"{f.in_place.cpu / f.into.cpu:.2f}" for f in rounds)
        figures = (middle.in_place.cpu / middle.into.cpu, middle.in_place.wall / middle.into.wall)
        seconds = (middle.into.wall, middle.in_place.wall, middle.scrub.wall)
        lines.append((case.name, *(f"{figure:.2f}" for figure in figures), each, *(f"{second:.1f}" for second in seconds)))
    head = ("case", "CPU", "wall", "CPU, each round", "into, s", "in place, s", "scrub, s")
    return f"## In place ÷ into a new table, DuckDB, {settings.rows:,} rows\n\n{_INTRODUCTION}\n\n{table(head, lines)}\n"


def _measure(case: Case, settings: Settings) -> InPlaceFigures:
    source = source_file(case, settings)
    with fresh_copy(source, "into", keep=False) as database:
        into, _ = in_fresh_process(_run, case, database, in_place=False)
    with fresh_copy(source, "in_place", keep=False) as database:
        in_place, scrub = in_fresh_process(_run, case, database, in_place=True)
    return InPlaceFigures(into, in_place - scrub, scrub)


def _run(case: Case, database: Path, *, in_place: bool) -> tuple[Cost, Cost]:
    """What a run took in all, and its scrub."""
    policy = load_policy(case.policy)
    if in_place:
        policy = policy.model_copy(update={"publish": policy.publish.model_copy(update={"into": None, "in_place": True})})
    meter, stages = Meter(), StageMeter()
    with meter.part("run"):
        anonymize(f"duckdb:///{database}", policy, yes=True, listener=stages)
    scrub = sum((stage.cost for stage in stages.stages if stage.name == "scrub"), Cost())
    return meter.parts["run"], scrub
