"""ITPR compared with one plain grouping, on DuckDB files of growing size: 120 ages and 100 diseases."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from benchmarks.fresh_process import in_fresh_process
from benchmarks.metering import Cost, Meter
from benchmarks.settings import Settings
from benchmarks.tables.duckdb_files import create_once
from kanon_sql import risk

AGES, DISEASES = 120, 100


@dataclass(frozen=True)
class InformationFigures:
    """One pair of measurements: the plain grouping and the whole command; and the ITPR found."""

    grouping: Cost
    command: Cost
    itpr: float

    @property
    def ratio(self) -> float:
        """Return the wall seconds of the command divided by those of the grouping."""
        return self.command.wall / self.grouping.wall


def measure_information(settings: Settings) -> dict[int, list[InformationFigures]]:
    """Return the pairs by ascending ratio, for tables from a hundredth of the rows to ten times the rows."""
    sizes = [max(1, settings.rows * 10**power // 100) for power in range(4)]
    return {rows: _measure_pairs(_source_file(rows, settings), settings) for rows in sizes}


def _measure_pairs(source: Path, settings: Settings) -> list[InformationFigures]:
    return sorted((in_fresh_process(_measure, source, settings) for _ in range(settings.rounds)), key=lambda pair: pair.ratio)


def _source_file(rows: int, settings: Settings) -> Path:
    return create_once(f"information_{rows}", lambda file: in_fresh_process(_create, file, rows, settings))


def _create(file: Path, rows: int, settings: Settings) -> None:
    """Create the table as a function of the row number; some diseases are more frequent at higher ages."""
    age = f"(hash(i) % {AGES})::integer"
    disease = f"case when hash(i * 3) % 4 = 0 then hash(i) % {AGES} * {DISEASES} // {AGES} else hash(i * 7) % {DISEASES} end"
    with settings.open(file) as connection:
        connection.execute(f"create table people as select {age} as age, 'disease ' || ({disease}) as disease from range({rows}) as r(i)")
        connection.execute("checkpoint")


def _measure(file: Path, settings: Settings) -> InformationFigures:
    meter = Meter()
    for name in ("warm-up", "grouping"):
        with meter.part(name), settings.open(file) as connection:
            connection.execute("select age, disease, count(*) from people group by age, disease").fetchall()
    with meter.part("command"), settings.open(file) as connection:
        report = risk(connection, "people", quasi_identifiers=["age"], sensitive=["disease"])
    return InformationFigures(meter.parts["grouping"], meter.parts["command"], float(report.of_all()["disease"].figures["itpr"] or 0))
