"""Demo: a hospital table made in DuckDB by a template, anonymized by the example's policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kanon_sql.backends import connect
from kanon_sql.commands.anonymize import anonymize
from kanon_sql.common.output_file import write_whole
from kanon_sql.common.resources import copy_folder, resource_folder
from kanon_sql.errors import RequestError
from kanon_sql.policy.file import load_policy
from kanon_sql.report.run import AnonymizeReport
from kanon_sql.tables import TableName
from kanon_sql.workspace import StageListener, Workspace

SAMPLE_ROWS = 5
PICTURED_CLASSES = 200  # about as many as can be told apart
SHOWN = ("name", "birth_date", "zip", "sex", "education", "country", "diagnosis", "cost")


@dataclass(frozen=True)
class Sample:
    """A few rows of generated data."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class DemoReport:
    """What the demo made, and where."""

    url: str
    places: dict[str, str]
    before: Sample
    after: Sample
    anonymized: AnonymizeReport


def demo(folder: Path, *, rows: int, seed: int, force: bool = False, listener: StageListener | None = None) -> DemoReport:
    """A hospital database in the folder, anonymized, with a sample of before and after; files that exist are overwritten by force only."""
    try:
        if not force and folder.exists() and any(folder.iterdir()):
            raise RequestError(f"{folder} is not empty; name a new folder for the demo, or overwrite the demo's files with --force")
        copy_folder(resource_folder("examples") / "hospital", folder)
    except OSError as error:
        raise RequestError(f"the demo cannot be put into {folder}: {error.strerror or 'not writable'}") from None
    database, policy = folder / "hospital.duckdb", folder / "patients.yml"
    for stale in (database, database.with_name(database.name + ".wal")):
        stale.unlink(missing_ok=True)
    url = f"duckdb:///{database}"
    make_patients(url, rows=rows, seed=seed, listener=listener)
    anonymized = anonymize(url, load_policy(policy), listener=listener)
    picture = _draw(url, folder / "mondrian.svg", rows=rows, listener=listener)
    published = [name for name in SHOWN if name in anonymized.levels or name in ("diagnosis", "cost")]
    before, after = _sample(url, "patients", SHOWN), _sample(url, "patients_anon", published)
    places = {"database": str(database), "policy": str(policy), "tables": "patients (raw), patients_anon (published)", "picture": picture}
    return DemoReport(url, places, before, after, anonymized)


def _draw(url: str, file: Path, *, rows: int, listener: StageListener | None) -> str:
    """The picture of a partition by birth date and cost, drawn without publishing anything."""
    columns = {"birth_date": "quasi_identifier", "cost": "quasi_identifier"}
    given = {"table": "patients", "publish": {"into": "nothing"}, "algorithm": "mondrian", "columns": columns, "others": "drop"}
    k = max(2, rows // PICTURED_CLASSES)
    drawn = anonymize(url, {**given, "privacy": {"k": k}}, dry_run=True, picture=True, listener=listener)
    write_whole(file, drawn.picture or "")
    return f"{file} (mondrian's regions of birth date and cost, k = {k:,})"


def make_patients(url: str, *, rows: int, seed: int, listener: StageListener | None = None) -> None:
    """Makes the table of patients in a DuckDB database, which is made too if it is missing."""
    with Workspace(connect(url, create=True), "publish", listener) as workspace, workspace.stage("generate"):
        patients = workspace.select("demo/patients", rows=rows, seed=seed)
        workspace.define("workspace/ddl/create_table_as", table="patients", select=patients)
        workspace.transaction.commit()


def _sample(url: str, table: str, columns: Sequence[str]) -> Sample:
    with Workspace(connect(url, read_only=True), "read") as workspace:
        rows = workspace.fetch("demo/sample", table=TableName((table,)), columns=columns, rows=SAMPLE_ROWS)
    return Sample(tuple(columns), tuple(rows))
