"""ITPR against one plain grouping, on DuckDB files that grow tenfold: 120 ages and 100 diseases."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from benchmarks.fresh_process import in_fresh_process, remove_database
from benchmarks.metering import Cost, Meter
from benchmarks.results.markdown import table
from benchmarks.settings import Settings
from benchmarks.tables.duckdb_files import FOLDER
from kanon_sql import risk

SIZES = tuple(10**power for power in range(5, 9))
AGES, DISEASES = 120, 100

_INTRODUCTION = f"""\
`kanon risk people --qi age --sensitive disease` (ITPR and all else that it tells) on {AGES} ages × {DISEASES} diseases, the age a
number, the disease a text, against `select age, disease, count(*) … group by age, disease` on the same file. Both open the file; a pair
is measured in one process, one after the other; the pair with the middle ratio counts."""


@dataclass(frozen=True)
class InformationFigures:
    """One pair: the plain grouping, the whole command, and the figure itself."""

    grouping: Cost
    command: Cost
    itpr: float

    @property
    def ratio(self) -> float:
        return self.command.wall / self.grouping.wall


def measure_information(settings: Settings) -> str:
    """The section of RESULTS.md."""
    lines = []
    for rows in SIZES:
        source = _source_file(rows, settings)
        pairs = sorted((in_fresh_process(_measure, source, settings) for _ in range(settings.rounds)), key=lambda pair: pair.ratio)
        middle = pairs[len(pairs) // 2]
        each = ", ".join(f"{pair.ratio:.2f}" for pair in pairs)
        seconds = (middle.grouping.wall, middle.command.wall, middle.grouping.cpu, middle.command.cpu)
        lines.append((f"{rows:,}", f"{middle.ratio:.2f}", each, *(f"{second:.3f}" for second in seconds), f"{middle.itpr:.4f}"))
    head = ("rows", "wall ÷ grouping", "each pair", "grouping, s", "risk, s", "grouping, CPU s", "risk, CPU s", "ITPR")
    setting = f"DuckDB {version('duckdb')}, Python {platform.python_version()}, {settings.threads} threads, {settings.memory_limit}"
    return f"## ITPR ÷ one grouping, DuckDB\n\n{_INTRODUCTION}\n{setting}.\n\n{table(head, lines)}\n"


def _source_file(rows: int, settings: Settings) -> Path:
    file = FOLDER / f"information_{rows}.duckdb"
    if not file.exists():
        FOLDER.mkdir(exist_ok=True)
        unfinished = file.with_name(f"unfinished_{file.name}")
        remove_database(unfinished)
        in_fresh_process(_make, unfinished, rows, settings)
        unfinished.rename(file)
    return file


def _make(file: Path, rows: int, settings: Settings) -> None:
    """Older people have other diseases more often; a pure function of the row's number."""
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
        found = risk(connection, "people", quasi_identifiers=["age"], sensitive=["disease"])
    return InformationFigures(meter.parts["grouping"], meter.parts["command"], float(found.of_all()["disease"].figures["itpr"] or 0))
