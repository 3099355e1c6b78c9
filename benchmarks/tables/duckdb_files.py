"""Create the table of each case once, in its own DuckDB file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.fresh_process import in_fresh_process, remove_database
from benchmarks.settings import Settings
from benchmarks.tables.cases import CENSUS, HOSPITAL, TABLE, Case
from benchmarks.tables.census import COLUMNS, ROWS, column_expressions
from kanon_sql.sql import templates

FOLDER = Path(__file__).parents[1] / "data"
SEED = 1

_COARSE = f"""
    create table {TABLE} as
    select * exclude (birth_date, zip), year(birth_date)::integer as birth_year, left(zip, 2) as zip2
    from hospital.{TABLE}
"""


def source_file(case: Case, settings: Settings) -> Path:
    """Return the file with the table of a case; create it if it is missing."""

    def create(file: Path) -> None:
        if case == HOSPITAL:
            in_fresh_process(_create_hospital, file, settings)
        elif case == CENSUS:
            in_fresh_process(_create_census, file, settings)
        else:
            in_fresh_process(_create_coarse, file, settings, source_file(HOSPITAL, settings))

    return create_once(f"{case.name}_{settings.rows}", create)


def create_once(name: str, create: Callable[[Path], None]) -> Path:
    """Return the database file of this name; create it if it is missing."""
    file = FOLDER / f"{name}.duckdb"
    if not file.exists():
        FOLDER.mkdir(exist_ok=True)
        unfinished = file.with_name(f"unfinished_{file.name}")
        remove_database(unfinished)
        create(unfinished)
        unfinished.rename(file)
    return file


def _create_hospital(file: Path, settings: Settings) -> None:
    patients = templates.render("demo/patients", "duckdb", {"rows": settings.rows, "seed": SEED})
    with settings.open(file) as connection:
        connection.execute(f"create table {TABLE} as {patients}")
        connection.execute("checkpoint")


def _create_coarse(file: Path, settings: Settings, hospital: Path) -> None:
    quoted = str(hospital).replace("'", "''")
    with settings.open(file) as connection:
        connection.execute(f"attach '{quoted}' as hospital (read_only)")
        connection.execute(_COARSE)
        connection.execute("checkpoint")


def _create_census(file: Path, settings: Settings) -> None:
    of_person, replacements = column_expressions(f"i % {ROWS}"), column_expressions(f"i + {ROWS}")
    cells = [
        f"case when hash(i * 16 + {index}) % 100 < 2 then {new} else {old} end as {name}"
        for index, (name, old, new) in enumerate(zip(COLUMNS, of_person, replacements, strict=True))
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
