"""The baseline: the cost of grouping and copying the table in plain SQL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.metering import Cost, Meter, peak_bytes
from benchmarks.settings import Settings
from benchmarks.tables.cases import TABLE, Case
from kanon_sql import load_policy


@dataclass(frozen=True)
class BaselineFigures:
    """The cost of the baseline and the number of combinations it counted."""

    parts: dict[str, Cost]
    peak_bytes: int
    combinations: int

    @property
    def total(self) -> Cost:
        return sum(self.parts.values(), Cost())


def baseline_statements(case: Case) -> dict[str, str]:
    """Return the statements of the baseline: one grouping by the quasi-identifiers, one plain copy, and a checkpoint."""
    columns = ", ".join(f'"{name}"' for name in load_policy(case.policy).quasi_identifiers)
    return {
        "group": f"create table counted as select {columns}, count(*) as row_count from {TABLE} group by {columns}",
        "copy": f"create table copied as select * from {TABLE}",
        "checkpoint": "checkpoint",
    }


def measure_baseline(case: Case, database: Path, settings: Settings) -> BaselineFigures:
    """Measure one grouping by the quasi-identifiers and one plain copy, both written to the file."""
    meter = Meter()
    with settings.open(database) as connection:
        for name, statement in baseline_statements(case).items():
            with meter.part(name):
                connection.execute(statement)
        peak = peak_bytes()
        (combinations,) = connection.execute("select count(*) from counted").fetchall()[0]
    return BaselineFigures(meter.parts, peak, combinations)
