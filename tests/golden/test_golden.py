"""Worked examples from the papers; each case's ORIGIN names the paper and the table."""

from __future__ import annotations

import csv
import json
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from support.databases import Database, canonical
from support.worked_examples import CASES, load

import kanon_sql as ks
from kanon_sql.metrics import METRICS

RUNS = sorted(case.name for case in CASES.iterdir() if (case / "source.csv").exists())


@pytest.mark.parametrize("name", RUNS)
def test_run_of_a_worked_example(backend: Database, name: str) -> None:
    case = CASES / name
    expected: dict[str, Any] = json.loads((case / "expected.json").read_text())
    policy = ks.load_policy(case / "policy.yml")
    load(backend, policy.source.table, case / "source.csv", json.loads((case / "columns.json").read_text()))
    report = ks.anonymize(backend.url, policy)
    assert report.levels == expected["levels"]
    assert report.solution.search.nodes.checked == len(expected["path"])
    assert report.classes == expected["classes"]
    assert report.suppressed_rows == expected["suppressed"]
    for metric in METRICS:
        if metric in expected:
            assert report.utility[metric] == pytest.approx(float(Fraction(expected[metric])), rel=1e-12), metric
    with (case / "expected.csv").open(newline="") as lines:
        header, *rows = csv.reader(lines)
    published = Counter(tuple(str(canonical(cell)) for cell in row) for row in backend.rows(policy.target.table, header))
    assert published == Counter(map(tuple, rows))


@pytest.mark.parametrize("table", ["table_1", "table_2", "table_3", "table_4"])
def test_which_printed_tables_are_2_anonymous(backend: Database, table: str) -> None:
    case = CASES / "000_tables_1_4"
    expected = json.loads((case / "expected.json").read_text())
    columns = json.loads((case / "columns.json").read_text())
    load(backend, table, case / f"{table}.csv", columns.get(table, columns))
    report = ks.check(backend.url, table, quasi_identifiers=expected["quasi_identifiers"], k=expected["k"])
    figures = expected["tables"][table]
    assert report.holds is figures["k_anonymous"]
    assert report.release.smallest_class == figures["smallest_class"]
    assert report.release.classes == len(figures["class_sizes"])


def test_tables_2_and_3_have_the_same_discernibility(backend: Database) -> None:
    case = CASES / "000_tables_1_4"
    expected = json.loads((case / "expected.json").read_text())
    columns = json.loads((case / "columns.json").read_text())
    for table in ("table_2", "table_3"):
        load(backend, table, case / f"{table}.csv", columns.get(table, columns))
        roles = dict.fromkeys(expected["quasi_identifiers"], "quasi_identifier")
        given = {"table": table, "publish": {"into": f"{table}_anon"}, "privacy": {"k": 2}, "columns": roles, "others": "drop"}
        report = ks.anonymize(backend.url, given)
        assert set(report.levels.values()) == {0}
        assert report.utility["dm"] == expected["tables"][table]["dm"] == 13


@pytest.mark.parametrize("algorithm", ["incognito", "ola", "flash", "mingen", "samarati", "auto"])
def test_incognitos_example(backend: Database, algorithm: str) -> None:
    case = CASES / "002_app_c_incognito"
    expected = json.loads((case / "expected.json").read_text())
    source = CASES / "002_app_a_datafly"
    policy = ks.load_policy(case / "policy.yml")
    load(backend, policy.source.table, source / "source.csv", json.loads((source / "columns.json").read_text()))
    with pytest.raises(ks.NoSolutionError, match=f"{expected['rejected']['failing_rows']} rows fail"):
        ks.anonymize(backend.url, policy, levels=expected["rejected"]["levels"], dry_run=True)
    for levels in expected["accepted"]:
        assert ks.anonymize(backend.url, policy, levels=levels, dry_run=True).levels == levels
    report = ks.anonymize(backend.url, policy.model_copy(update={"algorithm": algorithm}))
    wanted = expected["solutions"][algorithm]
    assert report.levels == wanted["levels"]
    assert report.classes == wanted["classes"]
    if algorithm != "samarati":
        assert report.to_dict()["minimal"] == expected["minimal"]


def test_mondrians_example(backend: Database) -> None:
    case, source = CASES / "002_app_d_mondrian", CASES / "002_app_a_datafly"
    expected = json.loads((case / "expected.json").read_text())
    policy = ks.load_policy(case / "policy.yml")
    load(backend, policy.source.table, source / "source.csv", json.loads((source / "columns.json").read_text()))
    report = ks.anonymize(backend.url, policy)
    reported = report.to_dict()["partition"]
    assert reported["cuts"] == expected["cuts"]
    assert reported["regions"] == expected["regions"]
    assert report.classes == expected["classes"]
    with (case / "expected.csv").open(newline="") as lines:
        header, *rows = csv.reader(lines)
    published = backend.rows(policy.target.table, header)
    assert Counter(published) == Counter(map(tuple, rows))
    assert sorted(Counter(row[:2] for row in published).values()) == expected["class_sizes"]


@pytest.mark.parametrize("table", ["table_1", "table_2"])
def test_k_l_and_t_of_printed_tables(backend: Database, table: str) -> None:
    case = CASES / "004_tables_1_2"
    expected = json.loads((case / "expected.json").read_text())[table]
    load(backend, table, case / f"{table}.csv", json.loads((case / "columns.json").read_text()))
    report = ks.check(backend.url, table, policy=case / "policy.yml")
    assert report.holds
    found = report.to_dict()["privacy"]
    assert found["k"] == expected["k"]
    assert found["l_diversity"] == [{"column": "disease", "kind": "distinct", "reached": expected["l_diversity"]}]
    assert found["t_closeness"][0]["reached"] == pytest.approx(expected["t_closeness"], abs=1e-12)
