"""Risk and utility of the papers' printed tables."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from support.databases import Database
from support.worked_examples import CASES, load

import kanon_sql as ks

RISKS = CASES / "004_tables_1_6"


def expected_risks() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RISKS / "expected.json").read_text())
    return found


def test_information_risks_as_printed(backend: Database) -> None:
    load(backend, "patients", RISKS / "tables_3_6.csv", json.loads((RISKS / "columns.json").read_text()))
    columns = sorted({row["column"] for row in expected_risks()["printed"]})
    names = ["age_1", "age_2", "age_3", "age_4", "age_5", "zip_1", "zip_2"]
    subsets = [row["quasi_identifiers"] for row in expected_risks()["printed"] if len(row["quasi_identifiers"]) > 1]
    report = ks.risk(backend.url, "patients", quasi_identifiers=names, sensitive=columns, subsets=subsets).to_dict()
    found = {(target["column"], *target["quasi_identifiers"]): target for target in report["information_of_sets"]}
    for row in expected_risks()["printed"]:
        target = found[row["column"], *row["quasi_identifiers"]]
        for name in ("dr", "mi", "cp", "mil", "eld", "itpr"):
            if name in row:
                # The paper cuts figures off after the second decimal.
                assert row[name] - 1e-9 <= target[name] < row[name] + 0.01, (row, name)
    for row in expected_risks()["by_hand"]:
        target = found[row["column"], *row["quasi_identifiers"]]
        assert target["mil"] == pytest.approx(row["mil"], rel=1e-12)


@pytest.mark.parametrize("table", ["table_1", "table_2"])
def test_risks_of_published_tables(backend: Database, table: str) -> None:
    load(backend, table, RISKS / f"{table}.csv", json.loads((RISKS / "columns.json").read_text()))
    report = ks.risk(backend.url, table, quasi_identifiers=["zip_code", "age"], sensitive=["disease"])
    wanted = expected_risks()["published"][table]
    assert report.k == wanted.pop("k")
    assert report.figures == {name: pytest.approx(float(Fraction(value)), rel=1e-12) for name, value in wanted.items()}
    target = report.of_all()["disease"].figures
    # All groups have the same diseases: knowing the group tells nothing on average.
    assert (target["dr"], target["mi"], target["cp"]) == pytest.approx((0, 0, 0), abs=1e-12)


@pytest.mark.parametrize("table", ["table_2", "table_3", "table_4"])
def test_printed_sets_are_measured(backend: Database, table: str) -> None:
    case = CASES / "000_tables_1_4"
    columns = json.loads((case / "columns.json").read_text())
    for name in ("table_1", table):
        load(backend, name, case / f"{name}.csv", columns)
    report = ks.measure(backend.url, case / "policy.yml", source="table_1", released=table)
    wanted = json.loads((case / "expected.json").read_text())["tables"][table]
    assert report.utility["dm"] == wanted["dm"]
    assert report.utility["nllm"] == pytest.approx(float(Fraction(wanted["nllm"])), rel=1e-12)
    assert report.k == wanted["smallest_class"]


def test_the_printed_animals(backend: Database) -> None:
    case = CASES / "003_table_1"
    for name in ("table_a", "table_b"):
        load(backend, name, case / f"{name}.csv", json.loads((case / "columns.json").read_text()))
    report = ks.measure(backend.url, case / "policy.yml")
    wanted = json.loads((case / "expected.json").read_text())
    assert report.k == wanted.pop("k")
    assert {name: report.utility[name] for name in wanted} == {n: pytest.approx(float(Fraction(v)), rel=1e-12) for n, v in wanted.items()}
    assert [(missing.metric, missing.column) for missing in report.not_computed] == [("absdist", "race"), ("cm", None)]


def test_table_2_with_the_papers_own_labels(backend: Database) -> None:
    case = CASES / "002_table_1_2"
    columns = json.loads((case / "columns.json").read_text())
    load(backend, "criminal_records", case / "source.csv", columns)
    load(backend, "printed", case / "as_printed.csv", {**columns, "age": "text"})
    report = ks.measure(backend.url, case / "policy.yml", released="printed")
    wanted = json.loads((case / "expected.json").read_text())
    for name in ("dm", "c_avg", "geniloss", "ncp", "nllm", "entropy", "entropy_nonuniform", "cm", "classes"):
        assert report.utility[name] == pytest.approx(float(Fraction(wanted[name])), rel=1e-12), name
    assert report.utility["prec"] is None  # [25-30) is no label of the policy's hierarchy, so its level is not known
