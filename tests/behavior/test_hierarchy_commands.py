"""`kanon hierarchy`: the tree with counts, the check against the column, the CSV file for ARX."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.databases import Database

import kanon_sql as ks
from kanon_sql.cli import run

POLICY = """
table: people
publish: {into: people_anon}
privacy: {k: 3}
columns:
  age: {role: quasi_identifier, hierarchy: {intervals: [10, 20]}}
  country: {role: quasi_identifier, hierarchy: {tree: {Europe: [France, Italy, Malta], America: [Chile]}}}
  income: {role: quasi_identifier, hierarchy: {round: [100]}}
  name: identifier
"""


@pytest.fixture
def call(backend: Database, tmp_path: Path) -> list[str]:
    ages = [1, 2, 3, 11, 12, 25, 26, 27, None, None, None]
    countries = ["France"] * 4 + ["Italy"] * 4 + ["Chile"] * 2 + [None]
    rows = [(age, country, 120.5 * n, "secret") for n, (age, country) in enumerate(zip(ages, countries, strict=True))]
    backend.create("people", {"age": "integer", "country": "text", "income": "decimal", "name": "text"}, rows)
    (tmp_path / "p.yml").write_text(POLICY)
    return [backend.url, "people", "--policy", str(tmp_path / "p.yml")]


def test_show_prints_labels_that_k_rows_share(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    url, table, *policy = call
    assert run(["hierarchy", "show", url, table, "age", *policy]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:6] == ["*  11", "  [0,20)  5", "    [0,10)  3", "  [20,40)  3", "    [20,30)  3", "NULL  3"]
    assert "fits all 11 rows. Of its 8 leaves, 8 occur." in lines[6]
    assert "[10,20)" not in "\n".join(lines)
    assert run(["hierarchy", "show", url, table, "country", *policy, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    (root,) = document["tree"]
    assert (root["label"], root["rows"]) == ("*", 11)
    assert [(branch["label"], branch["rows"], branch["leaves"]) for branch in root["below"]] == [("Europe", 8, 3)]
    assert (document["leaves"], document["occurring"], document["null_rows"], document["height"]) == (4, 3, 1, 2)


def test_check_reports_whether_the_hierarchy_fits(call: list[str], backend: Database, capsys: pytest.CaptureFixture[str]) -> None:
    url, table, *policy = call
    assert run(["hierarchy", "check", url, table, "country", *policy]) == 0
    said = capsys.readouterr().out
    assert "fits all 11 rows. Of its 4 leaves, 3 occur. Labels, including NULL: 5 at level 0, 3 at level 1, 1 at level 2." in said
    backend.execute("insert into people values (5, 'Atlantis', 1, 'x')")
    assert run(["hierarchy", "check", url, table, "country", *policy]) == 1
    error = capsys.readouterr().err
    assert "its tree does not list 1 distinct value in 1 row" in error
    assert "Atlantis" not in error


def test_export_writes_what_arx_reads(call: list[str], backend: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url, table, *policy = call
    assert run(["hierarchy", "export", url, table, "country", *policy]) == 0
    assert capsys.readouterr().out == "France;Europe;*\nItaly;Europe;*\nMalta;Europe;*\nChile;America;*\n"
    assert run(["hierarchy", "export", url, table, "age", *policy]) == 1
    assert "add --with-values" in capsys.readouterr().err
    file = tmp_path / "age.csv"
    assert run(["hierarchy", "export", url, table, "age", *policy, "--with-values", "-o", str(file)]) == 0
    assert file.read_text().splitlines()[:2] == ["1;[0,10);[0,20);*", "2;[0,10);[0,20);*"]
    given = ks.load_policy(tmp_path / "p.yml")
    by_file = {**given.to_dict(), "others": "drop"}
    by_file["columns"] = {"age": {"role": "quasi_identifier", "hierarchy": {"csv": "age.csv"}}}
    by_rule = {**by_file, "columns": {"age": given.to_dict()["columns"]["age"]}, "publish": {"into": "other"}}
    ks.anonymize(backend.url, ks.load_policy(by_file, folder=tmp_path))
    ks.anonymize(backend.url, by_rule)
    assert sorted(map(str, backend.rows("people_anon"))) == sorted(map(str, backend.rows("other")))
    assert run(["hierarchy", "export", url, table, "income", *policy, "--with-values"]) == 0
    assert "120.5" in capsys.readouterr().out.splitlines()[1]


@pytest.mark.parametrize(
    ("column", "message"),
    [("contry", r"no column 'contry' (did you mean 'country'?)"), ("name", "'name' is identifier in the policy; only a quasi_identifier")],
)
@pytest.mark.engines("duckdb")
def test_columns_without_a_hierarchy_are_explained(call: list[str], column: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    url, table, *policy = call
    assert run(["hierarchy", "show", url, table, column, *policy]) == 1
    assert message in capsys.readouterr().err
