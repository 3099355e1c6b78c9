"""Create the demo: a generated hospital table in DuckDB, anonymized by the policy of the example."""

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
PICTURED_CLASSES = 200  # more are too small to see
SHOWN = ("name", "birth_date", "zip", "sex", "education", "diagnosis", "cost")


@dataclass(frozen=True)
class Sample:
    """A few rows of generated data."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class DemoReport:
    """What the demo created, and where."""

    url: str
    files: dict[str, str]
    before: Sample
    after: Sample
    anonymized: AnonymizeReport


def demo(folder: Path, *, rows: int, seed: int, force: bool = False, listener: StageListener | None = None) -> DemoReport:
    """Create an anonymized hospital database in the folder and return samples of it; only `force` overwrites files."""
    try:
        if not force and folder.exists() and any(folder.iterdir()):
            raise RequestError(f"{folder} is not empty. Name a new folder for the demo, or overwrite its files with --force")
        copy_folder(resource_folder("examples") / "hospital", folder)
    except OSError as error:
        raise RequestError(f"the demo cannot be written to {folder}: {error.strerror or 'not writable'}") from None
    database, policy = folder / "hospital.duckdb", folder / "patients.yml"
    for stale in (database, database.with_name(database.name + ".wal")):
        stale.unlink(missing_ok=True)
    url = f"duckdb:///{database}"
    make_patients(url, rows=rows, seed=seed, listener=listener)
    anonymized = anonymize(url, load_policy(policy), listener=listener)
    if listener is not None:
        listener("draw", None)
    picture = _draw(url, folder / "mondrian.svg", rows=rows)
    published = [name for name in SHOWN if name in anonymized.levels or name in ("diagnosis", "cost")]
    before, after = _sample(url, "patients", SHOWN), _sample(url, "patients_anon", published)
    files = {"database": f"{database} (tables patients and patients_anon)", "policy": str(policy), "picture": picture}
    return DemoReport(url, files, before, after, anonymized)


def _draw(url: str, file: Path, *, rows: int) -> str:
    """Draw a partition by birth date and cost without publishing anything, and return where it is."""
    columns = {"birth_date": "quasi_identifier", "cost": "quasi_identifier"}
    k = max(2, rows // PICTURED_CLASSES)
    policy = {
        "table": "patients", "publish": {"into": "nothing"}, "privacy": {"k": k}, "algorithm": "mondrian",
        "columns": columns, "others": "drop",
    }  # fmt: skip
    drawn = anonymize(url, policy, dry_run=True, picture=True)
    write_whole(file, drawn.picture or "")
    return f"{file} (regions of mondrian by birth date and cost, k = {k:,})"


def make_patients(url: str, *, rows: int, seed: int, listener: StageListener | None = None) -> None:
    """Create the table of patients in a DuckDB database, and the database if it is missing."""
    with Workspace(connect(url, create=True), "publish", listener) as workspace, workspace.stage("generate"):
        patients = workspace.select("demo/patients", rows=rows, seed=seed)
        workspace.define("workspace/ddl/create_table_as", table="patients", select=patients)
        workspace.transaction.commit()


def _sample(url: str, table: str, columns: Sequence[str]) -> Sample:
    with Workspace(connect(url, read_only=True), "read") as workspace:
        rows = workspace.fetch("demo/sample", table=TableName((table,)), columns=columns, rows=SAMPLE_ROWS)
    return Sample(tuple(columns), tuple(rows))
