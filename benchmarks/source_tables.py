"""Makes each case's table once, in a DuckDB file of its own."""

from __future__ import annotations

from pathlib import Path

from benchmarks.cases import HOSPITAL, TABLE, Case
from benchmarks.fresh_process import in_fresh_process, remove_database
from benchmarks.settings import Settings
from kanon_sql import templates

FOLDER = Path(__file__).parent / "data"
SEED = 1

_COARSE = f"""
    create table {TABLE} as
    select * exclude (birth_date, zip), year(birth_date)::integer as birth_year, left(zip, 2) as zip2
    from hospital.{TABLE}
"""


def source_file(case: Case, settings: Settings) -> Path:
    """The file with the case's table, made if it is missing."""
    file = FOLDER / f"{case.name}_{settings.rows}.duckdb"
    if not file.exists():
        FOLDER.mkdir(exist_ok=True)
        unfinished = file.with_name(f"unfinished_{file.name}")
        remove_database(unfinished)
        if case == HOSPITAL:
            in_fresh_process(_make_hospital, unfinished, settings)
        else:
            in_fresh_process(_make_coarse, unfinished, settings, source_file(HOSPITAL, settings))
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
