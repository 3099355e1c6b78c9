"""Profile: counts, suggested roles, the current risk, and a policy that runs on any table."""

from __future__ import annotations

import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import make_url
from support.databases import Database
from support.people import make_people

import kanon_sql as ks
from kanon_sql.cli import run
from kanon_sql.workspace import Workspace

PATIENTS = {
    "patient_id": "integer", "full_name": "text", "contact": "text", "age": "integer", "zip": "text", "born": "date",
    "sex": "text", "diagnosis": "text", "cost": "double", "clinic": "text",
}  # fmt: skip


def patients(count: int = 120) -> list[tuple[Any, ...]]:
    return [
        (
            n, f"Secret{n % 50} Person", f"secret{n}@example.org", 20 + n % 60, f"{10000 + n % 30}",
            date(1950 + n % 60, 1 + n % 12, 1 + n % 28),
            None if n % 20 == 0 else "F" if n % 2 else "M", ["flu", "cold", "gout"][n % 3] if n else "rare secret", n * 1.7, "north",
        )
        for n in range(count)
    ]  # fmt: skip


def test_roles_counts_and_risk(backend: Database) -> None:
    backend.create("patients", PATIENTS, patients())
    report = ks.profile(backend.url, "patients")
    roles = {column.column.name: column.role for column in report.columns}
    assert roles == {
        "patient_id": "identifier", "full_name": "identifier", "contact": "identifier", "age": "quasi_identifier",
        "zip": "quasi_identifier", "born": "quasi_identifier", "sex": "quasi_identifier", "diagnosis": "sensitive",
        "cost": "sensitive", "clinic": "insensitive",
    }  # fmt: skip
    by_name = {column.column.name: column for column in report.columns}
    assert (by_name["sex"].distinct, by_name["sex"].nulls, by_name["sex"].unique_rows) == (2, 6, 0)
    assert (by_name["age"].distinct, by_name["zip"].distinct, by_name["patient_id"].unique_rows) == (60, 30, 120)
    assert "although rows share" in by_name["full_name"].reason
    assert "e-mail" in by_name["contact"].reason
    assert by_name["zip"].hierarchy == {"mask": {"hide": [1, 2, 3, 4]}}
    assert by_name["age"].hierarchy == {"intervals": [5, 10, 20, 40]}
    assert by_name["born"].hierarchy == {"dates": ["month", "quarter", "year", "decade"]}
    assert report.risk.rows == 120
    keys = [(row[3], row[4], row[5], row[6]) for row in patients()]
    assert report.risk.unique_rows == sum(keys.count(key) == 1 for key in keys)
    assert report.risk.smallest_class == min(keys.count(key) for key in keys)
    pair = next(pair for pair in report.pairs if set(pair.columns) == {"age", "zip"})
    assert pair.classes == len({(row[3], row[4]) for row in patients()})
    assert any("full_name" in warning for warning in report.warnings)


def test_the_written_policy_runs_at_once(backend: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backend.create("patients", PATIENTS, patients())
    path = tmp_path / "patients.yml"
    assert run(["profile", backend.url, "patients", "-o", str(path), "--k", "4"]) == 0
    printed = capsys.readouterr()
    assert run(["anonymize", backend.url, "--policy", str(path), "--quiet"]) == 0
    assert run(["check", backend.url, "--policy", str(path), "--quiet"]) == 0
    assert "4-anonymous" in capsys.readouterr().out
    assert "ecret" not in printed.out + printed.err + path.read_text()
    assert yaml.safe_load(path.read_text())["privacy"] == {"k": 4}
    assert run(["profile", backend.url, "patients", "-o", str(path), "--quiet", "--force"]) == 0
    assert yaml.safe_load(path.read_text())["publish"] == {"into": "patients_anon_2"}
    assert run(["anonymize", backend.url, "--policy", str(path), "--quiet"]) == 0
    assert not [table for table in backend.tables() if table.startswith("__kanon")]


def test_values_only_on_request_and_only_shared_ones(backend: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backend.create("patients", PATIENTS, patients())
    path = tmp_path / "p.yml"
    assert run(["profile", backend.url, "patients", "--with-values", "-o", str(path), "--json", "--quiet"]) == 0
    document = json.loads(capsys.readouterr().out)
    by_name = {column["name"]: column for column in document["columns"]}
    assert {entry["value"] for entry in by_name["diagnosis"]["values"]} == {"flu", "cold", "gout"}
    assert by_name["sex"]["values"] == [{"value": "F", "rows": 60}, {"value": "M", "rows": 54}]
    assert "values" not in by_name["contact"]
    assert "rare secret" not in path.read_text()
    assert "flu (" in path.read_text()
    assert ks.load_policy(path).privacy.k == 5
    assert run(["profile", backend.url, "patients", "--with-values", "--k", "41", "--json", "--quiet"]) == 0
    assert {c["name"]: c for c in json.loads(capsys.readouterr().out)["columns"]}["diagnosis"]["values"] == []


HOSTILE: dict[str, tuple[dict[str, str], list[tuple[Any, ...]]]] = {
    "one column": ({"x": "integer"}, [(n,) for n in range(30)]),
    "only keys": ({"id": "integer primary key", "email": "text"}, [(n, f"a{n}@b.org") for n in range(30)]),
    "all NULL": ({"a": "text", "b": "integer", "c": "date"}, [(None, None, None)] * 10),
    "constants": ({"a": "text", "b": "boolean"}, [("x", True)] * 10),
    "wild names": ({'na"me; drop': "text", "per%cent": "double", "on": "boolean", "1": "integer", "a: b # c": "text", "Ünï": "date"},
                   [(f"v{n % 3}", n / 7, n % 2 == 0, n % 4, "x" * (n % 5), date(2000, 1, 1 + n % 20)) for n in range(60)]),
    "wide numbers": ({"big": "integer", "tiny": "double", "money": "decimal"},
                     [(2**62 - n % 12 * 7, 1e-9 * (n % 11), Decimal(n % 13) / 4) for n in range(40)]),
    "huge doubles": ({"a": "double", "b": "double"}, [(1e300 * (n % 10), -1e17 * (n % 12)) for n in range(40)]),
    "old moments": ({"a": "date", "b": "timestamp"}, [(date(1000 + n % 30, 1, 1), datetime(1700, 1, 1 + n % 28, 5)) for n in range(60)]),
    "dates as text": ({"dob": "text", "when": "text"},
                      [(f"19{50 + n % 40}0{1 + n % 9}1{n % 10}", f"20{10 + n % 9}-0{1 + n % 9}-11") for n in range(80)]),
    "odd codes": ({"code": "text", "note": "text"}, [("0" * (n % 9) + str(n % 4), "a,b'c\n" * (n % 3)) for n in range(60)]),
    "numbers first": ({"a": "integer", "b": "double", "c": "text"}, [(n % 4, n % 3 / 2, f"v{n % 2}") for n in range(60)]),
    "zip as number": ({"zip": "integer", "n": "integer"}, [(1000 + 37 * (n % 20), -n % 9) for n in range(60)]),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_policy_that_runs_for_any_table(backend: Database, tmp_path: Path, name: str) -> None:
    columns, rows = HOSTILE[name]
    backend.create("any table", columns, rows)
    path = tmp_path / "p.yml"
    assert run(["profile", backend.url, "any table", "-o", str(path), "--quiet"]) == 0
    policy = ks.load_policy(path)
    assert set(policy.columns) == set(columns)
    report = ks.anonymize(backend.url, path)
    assert report.published_rows + report.suppressed_rows == len(rows)


def test_counts_are_fetched_never_rows(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    rows_of_source = len(make_people(backend))
    fetched: list[int] = []
    fetch = Workspace.fetch

    def counting(workspace: Workspace, template: str, **arguments: Any) -> list[Any]:
        rows = fetch(workspace, template, **arguments)
        fetched.append(len(rows))
        return rows

    monkeypatch.setattr(Workspace, "fetch", counting)
    columns = len(ks.profile(backend.url, "people").columns)
    # A row per column, a row per pair of eight columns, and two rows for each of the 20 pairs that one statement compares.
    assert max(fetched) <= max(columns, 28, 2 * 20) < rows_of_source


def test_people_with_every_type(backend: Database, tmp_path: Path) -> None:
    make_people(backend)
    (tmp_path / "p.yml").write_text(ks.profile(backend.url, "people", k=3).to_yaml())
    assert (ks.anonymize(backend.url, tmp_path / "p.yml").k or 0) >= 3


@pytest.mark.engines("sqlite")
def test_values_that_do_not_fit_their_type_are_suppressed(backend: Database) -> None:
    rows = [("n/a" if n == 7 else n % 20, "unknown" if n == 3 else f"2020-01-{1 + n % 20:02d}") for n in range(60)]
    backend.create("t", {"age": "integer", "born": "date"}, rows)
    report = ks.profile(backend.url, "t")
    assert [column.hierarchy for column in report.columns] == ["suppress", "suppress"]
    ks.anonymize(backend.url, report.policy)


@pytest.mark.engines("postgresql", "duckdb")
def test_timestamps_with_a_time_zone(backend: Database) -> None:
    backend.create("t", {"seen": "timestamp with time zone", "n": "integer"}, [(f"2020-01-0{1 + n % 3} 12:00:00+01", 1) for n in range(60)])
    report = ks.profile(backend.url, "t", with_values=True)
    assert [rows for _, rows in report.columns[0].shared_values or ()] == [20, 20, 20]
    ks.anonymize(backend.url, report.policy)


@pytest.mark.engines("postgresql", "duckdb")
def test_infinite_dates_are_suppressed(backend: Database) -> None:
    backend.create("t", {"born": "date", "n": "integer"}, [(date(2020, 1, 1 + n % 20), 1) for n in range(60)])
    backend.execute("insert into t values ('infinity', 1)")
    report = ks.profile(backend.url, "t")
    assert report.columns[0].hierarchy == "suppress"
    ks.anonymize(backend.url, report.policy)


def test_every_table_of_a_schema(backend: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    schema: Any = {"duckdb": "main", "sqlite": "main", "postgresql": "public"}.get(backend.name) or make_url(backend.url).database
    backend.create("patients", PATIENTS, patients())
    make_people(backend)
    backend.create("blobs", {"a": "bytea" if backend.name == "postgresql" else "blob"})
    backend.execute("create view elders as select age, sex from patients where age > 40")
    assert run(["profile", backend.url, "--schema", schema, "-o", str(tmp_path / "policies"), "--json", "--quiet"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [table["table"] for table in document["tables"]] == [f"{schema}.{table}" for table in ("elders", "patients", "people")]
    files = sorted((tmp_path / "policies").iterdir())
    assert [file.name for file in files] == ["elders.yml", "patients.yml", "people.yml"]
    for file in files:
        assert run(["anonymize", backend.url, "--policy", str(file), "--quiet"]) == 0
    assert run(["anonymize", backend.url, "--policy", str(files[1]), "--replace", "--quiet"]) == 0
    assert "kanon_runs" in backend.tables()
    capsys.readouterr()
    assert run(["profile", backend.url, "--schema", schema, "--json", "--quiet"]) == 0
    assert not [table for table in json.loads(capsys.readouterr().out)["tables"] if "kanon_" in table["table"].split(".")[1]]
    assert run(["profile", backend.url, "--schema", "nowhere"]) == 1
    assert "schema nowhere does not exist" in capsys.readouterr().err


@pytest.mark.engines("duckdb")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{url}"], "no table is set. Add TABLE, or --schema NAME"),
        (["{url}", "t", "--schema", "main"], "TABLE and --schema cannot be combined"),
        (["{url}", "tt"], r"did you mean 't'\?"),
        (["{url}", "t", "--k", "1"], "k must be a whole number of at least 2"),
        (["{url}", "t", "-o", "/no/such/folder/p.yml"], "cannot be written"),
        (["{url}", "t", "-o", "/"], "is a folder; name a file"),
        (["{url}", "blobs"], "no column whose values can be counted"),
    ],
)
def test_errors_are_explained(backend: Database, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    import re

    backend.create("t", {"a": "integer"}, [(1,), (2,)])
    backend.create("blobs", {"a": "blob"})
    assert run(["profile", *(argument.format(url=backend.url) for argument in arguments)]) == 1
    assert re.search(message, capsys.readouterr().err)


@pytest.mark.engines("duckdb")
def test_too_few_rows_give_a_warning(backend: Database) -> None:
    backend.create("t", {"age": "integer"}, [(1,), (2,)])
    assert "fewer than k = 5" in ks.profile(backend.url, "t").warnings[0]
    backend.create("persons", {"person_id": "integer", "age": "integer"}, [(n // 3, n) for n in range(30)])
    assert any("k counts rows" in warning for warning in ks.profile(backend.url, "persons").warnings)


@pytest.mark.engines("duckdb")
def test_many_columns_leave_a_few_quasi_identifiers(backend: Database) -> None:
    names = {f"c{number}": "integer" for number in range(30)}
    backend.create("t", {**names, "age": "integer"}, [(*(n % (2 + c) for c in range(30)), n % 50) for n in range(200)])
    report = ks.profile(backend.url, "t")
    assert len(report.quasi_identifiers) == 10
    assert "age" in report.quasi_identifiers
