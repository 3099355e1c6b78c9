"""A run in place compared with the same run into a new table, on a DuckDB file: the cost of journal, second verification and scrub."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.fresh_process import fresh_copy, in_fresh_process
from benchmarks.metering import Cost, Meter, StageMeter
from benchmarks.settings import Settings
from benchmarks.tables.cases import CASES, Case
from benchmarks.tables.duckdb_files import source_file
from kanon_sql import anonymize, load_policy


@dataclass(frozen=True)
class InPlaceFigures:
    """One round of one case."""

    new_table: Cost
    in_place: Cost
    scrub: Cost

    @property
    def ratio(self) -> float:
        """Return the CPU seconds in place divided by those of a new table."""
        return self.in_place.cpu / self.new_table.cpu


def measure_in_place(settings: Settings) -> dict[str, list[InPlaceFigures]]:
    """Return the rounds of every case, by ascending ratio."""
    return {
        case.name: sorted((_measure(case, settings) for _ in range(settings.rounds)), key=lambda figures: figures.ratio) for case in CASES
    }


def _measure(case: Case, settings: Settings) -> InPlaceFigures:
    source = source_file(case, settings)
    with fresh_copy(source, "into") as database:
        new_table, _ = in_fresh_process(_run, case, database, in_place=False)
    with fresh_copy(source, "in_place") as database:
        in_place, scrub = in_fresh_process(_run, case, database, in_place=True)
    return InPlaceFigures(new_table, in_place - scrub, scrub)


def _run(case: Case, database: Path, *, in_place: bool) -> tuple[Cost, Cost]:
    """Return the cost of a run, and the part of it that the scrub takes."""
    policy = load_policy(case.policy)
    if in_place:
        policy = policy.model_copy(update={"publish": policy.publish.model_copy(update={"into": None, "in_place": True})})
    meter, stages = Meter(), StageMeter()
    with meter.part("run"):
        anonymize(f"duckdb:///{database}", policy, yes=True, listener=stages)
    return meter.parts["run"], stages.cost_of("scrub")
