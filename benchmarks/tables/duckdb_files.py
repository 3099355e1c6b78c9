"""Makes each case's table once, in a DuckDB file of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.fresh_process import in_fresh_process, remove_database
from benchmarks.settings import Settings
from benchmarks.tables.cases import CENSUS, HOSPITAL, TABLE, Case
from kanon_sql.sql import templates

FOLDER = Path(__file__).parents[1] / "data"
SEED = 1

_COARSE = f"""
    create table {TABLE} as
    select * exclude (birth_date, zip), year(birth_date)::integer as birth_year, left(zip, 2) as zip2
    from hospital.{TABLE}
"""


def source_file(case: Case, settings: Settings) -> Path:
    """The file with the case's table, made if it is missing."""

    def make(file: Path) -> None:
        if case == HOSPITAL:
            in_fresh_process(_make_hospital, file, settings)
        elif case == CENSUS:
            in_fresh_process(_make_census, file, settings)
        else:
            in_fresh_process(_make_coarse, file, settings, source_file(HOSPITAL, settings))

    return made_once(f"{case.name}_{settings.rows}", make)


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The database file of that name, made whole if it is missing."""
    file = FOLDER / f"{name}.duckdb"
    if not file.exists():
        FOLDER.mkdir(exist_ok=True)
        unfinished = file.with_name(f"unfinished_{file.name}")
        remove_database(unfinished)
        make(unfinished)
        unfinished.rename(file)
    return file


def _make_hospital(file: Path, settings: Settings) -> None:
    patients = templates.render("demo/patients", "duckdb", {"rows": settings.rows, "seed": SEED})
    with settings.open(file) as connection:
        connection.execute(f"create table {TABLE} as {patients}")
        connection.execute("checkpoint")


def _make_coarse(file: Path, settings: Settings, hospital: Path) -> None:
    quoted = str(hospital).replace("'", "''")
    with settings.open(file) as connection:
        connection.execute(f"attach '{quoted}' as hospital (read_only)")
        connection.execute(_COARSE)
        connection.execute("checkpoint")


def _make_census(file: Path, settings: Settings) -> None:
    from benchmarks.tables.census import COLUMNS, ROWS, drawn_columns

    of_person, replaced = drawn_columns(f"i % {ROWS}"), drawn_columns(f"i + {ROWS}")
    cells = [
        f"case when hash(i * 16 + {place}) % 100 < 2 then {new} else {old} end as {name}"
        for place, (name, old, new) in enumerate(zip(COLUMNS, of_person, replaced, strict=True))
    ]
    kept = [
        "case when hash(i * 3) % 4 = 0 then 'high' else 'low' end as income",
        "(hash(i * 5) % 1000000007) / 100.0 as amount",
        "date '2020-01-01' + (hash(i * 7) % 1500)::integer as seen",
        "'note ' || (hash(i * 11) % 5000) as note",
    ]
    with settings.open(file) as connection:
        connection.execute(f"create table {TABLE} as select {', '.join(cells + kept)} from range({settings.rows}) as r(i)")
        connection.execute("checkpoint")
