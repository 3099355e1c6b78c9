"""Queries and conditions as sources, on every engine."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.databases import Database

import kanon_sql as ks
from kanon_sql.cli import run

QUASI = "quasi_identifier"
QUERY = """
select p.age, p.born, p.town, v.ward
from visits as v
join patients as p on p.id = v.patient  -- every visit with its patient
where v.ward <> 'secret ward';
"""
POLICY: dict[str, Any] = {
    "table": {"query": QUERY},
    "publish": {"into": "visits_anon"},
    "privacy": {"k": 5},
    "columns": {
        "age": {"role": QUASI, "hierarchy": {"intervals": [10, 20]}},
        "born": {"role": QUASI, "hierarchy": {"dates": ["year", "decade"]}},
        "town": {"role": QUASI, "hierarchy": "suppress"},
        "ward": "sensitive",
    },
}


@pytest.fixture(autouse=True)
def clinic(backend: Database) -> None:
    days = [date(1980, 1, 1) + timedelta(days=400 * (n % 9)) for n in range(40)]
    towns = ("Köln", "Bonn", None)
    patients = [(n, 20 + n % 30, days[n], towns[n % 3]) for n in range(40)]
    visits = [(n % 45, ("north", "south", "secret ward")[n % 3]) for n in range(120)]
    backend.create("patients", {"id": "integer", "age": "integer", "born": "date", "town": "text"}, patients)
    backend.create("visits", {"patient": "integer", "ward": "text"}, visits)


def joined(backend: Database) -> list[tuple[Any, ...]]:
    patients = {row[0]: row[1:] for row in backend.rows("patients")}
    return [(*patients[n], ward) for n, ward in backend.rows("visits") if n in patients and ward != "secret ward"]


def test_k_holds_over_a_join(backend: Database) -> None:
    report = ks.anonymize(backend.url, POLICY)
    rows = backend.rows("visits_anon")
    wanted = joined(backend)
    assert report.published_rows == len(rows) == len(wanted)
    assert min(Counter(row[:3] for row in rows).values()) >= 5
    assert Counter(row[3] for row in rows) == Counter(row[3] for row in wanted)
    assert backend.tables() == {"patients", "visits", "visits_anon"}
    assert report.to_dict()["published"]["table"] == "visits_anon"
    assert ks.check(backend.url, "visits_anon", quasi_identifiers=["age", "born", "town"], k=5).holds
    again = ks.anonymize(backend.url, {**POLICY, "publish": {"into": "visits_anon", "replace": True}})
    assert again.published_rows == len(wanted)


def test_columns_keep_the_types_they_have_in_their_tables(backend: Database) -> None:
    given = {
        **POLICY,
        "columns": {**POLICY["columns"], "born": {"role": QUASI, "output": "bounds", "min_level": 1, "hierarchy": {"dates": ["year"]}}},
    }
    ks.anonymize(backend.url, {**given, "suppression": 1.0, "privacy": {"k": 2}})
    bounds = {row for row in backend.rows("visits_anon", ["born_min", "born_max"]) if row[0]}
    assert bounds
    assert all(low.endswith("-01-01") and high.endswith("-12-31") for low, high in bounds)


def test_hashes_and_regions_come_from_queries_too(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KANON_KEY", "k")
    given = {
        **POLICY,
        "table": {"query": "select p.id, p.age, p.born from patients p, visits v where v.patient = p.id"},
        "algorithm": "mondrian",
        "columns": {"id": {"role": "identifier", "action": "hash", "key": "env:KANON_KEY"}, "age": QUASI, "born": QUASI},
    }
    ks.anonymize(backend.url, given)
    rows = backend.rows("visits_anon")
    assert len({row[0] for row in rows}) == 40
    assert min(Counter(row[1:] for row in rows).values()) >= 5


def test_a_condition_excludes_rows(backend: Database) -> None:
    given: dict[str, Any] = {
        "table": "patients", "where": "age >= 30 and id in (select patient from visits)", "publish": {"into": "old"},
        "privacy": {"k": 3}, "columns": {"age": {"role": QUASI, "hierarchy": {"intervals": [10]}}}, "others": "drop",
    }  # fmt: skip
    report = ks.anonymize(backend.url, given)
    assert report.published_rows == sum(row[1] >= 30 for row in backend.rows("patients"))
    assert report.to_dict()["policy"]["where"] == given["where"]
    with pytest.raises(ks.RequestError, match="table patients is empty"):
        ks.anonymize(backend.url, {**given, "where": "age > 999"}, replace=True)


def test_plans_are_for_one_query(backend: Database, tmp_path: Path) -> None:
    plan = ks.solve(backend.url, POLICY).plan
    file = tmp_path / "plan.yml"
    plan.write(file)
    report = ks.anonymize(backend.url, POLICY, plan=ks.read_plan(file))
    assert report.levels == plan.levels
    other = {**POLICY, "table": {"query": QUERY.replace("<>", "=")}}
    with pytest.raises(ks.RequestError, match="the plan is for a query, and the policy is for a query") as refused:
        ks.anonymize(backend.url, other, plan=plan, replace=True)
    assert "secret" not in str(refused.value)
    narrower = {**POLICY, "table": "patients", "where": "age > 20", "columns": {"age": QUASI}, "others": "drop"}
    plan = ks.solve(backend.url, narrower).plan
    with pytest.raises(ks.RequestError, match="the policy changed"):
        ks.anonymize(backend.url, {**narrower, "where": "age > 21"}, plan=plan, replace=True)


def test_errors_do_not_contain_the_query(backend: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "policy.yml"
    for query, message in (
        ("select secret_word from patients", "table.query cannot be run"),
        ("select age from secret_word", "table.query cannot be run"),
        ("delete from patients where town = 'secret_word'", "table.query: must be one SELECT"),
        ("select age, id as age from patients where town <> 'secret_word'", "table.query: two columns are called 'age'"),
        ("select town from patients where town <> 'secret_word'", "the query has no column 'age'"),
        ("select age, born, town, id as ward, 1 as more from patients where town <> 'secret_word'", "1 column of the query: 'more'"),
        ("select age, born, town, town as ward from patients where town = 'secret_word'", "the query is empty"),
    ):
        file.write_text(json.dumps({**POLICY, "table": {"query": query}}))
        assert run(["anonymize", backend.url, "--policy", str(file)]) == 1
        shown = capsys.readouterr()
        assert message in shown.err
        assert "secret_word" not in shown.err + shown.out
    assert backend.tables() == {"patients", "visits"}


def test_a_target_that_the_query_reads_is_not_replaced(backend: Database) -> None:
    backend.execute("create view tall as select * from visits")
    for query in (QUERY, QUERY.replace("visits", "tall")):
        given = {**POLICY, "table": {"query": query}, "publish": {"into": "visits", "replace": True}}
        with pytest.raises(ks.RequestError, match="the query seems to read the target"):
            ks.anonymize(backend.url, given)
    filtered = {
        "table": "patients", "where": "id in (select patient from visits)", "publish": {"into": "visits", "replace": True},
        "privacy": {"k": 2}, "columns": {"age": QUASI}, "others": "drop",
    }  # fmt: skip
    with pytest.raises(ks.RequestError, match="table patients seems to read the target"):
        ks.anonymize(backend.url, filtered)


@pytest.mark.engines("duckdb")
def test_a_data_frame_is_filtered_but_not_queried(backend: Database) -> None:
    frame = pd.DataFrame({"a": [1, 1, 2, 2, 3], "b": list("vwxyz")})
    given = {"privacy": {"k": 2}, "columns": {"a": QUASI, "b": "sensitive"}}
    assert len(ks.anonymize(frame, {**given, "where": "a < 3"})) == 4
    with pytest.raises(ks.RequestError, match="the DataFrame is the source"):
        ks.anonymize(frame, {**given, "table": {"query": "select 1 as a"}})
