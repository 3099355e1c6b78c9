"""Risk and utility of the papers' printed tables."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from databases import Database
from worked_examples import CASES, load

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
    found = {(told["column"], *told["quasi_identifiers"]): told for told in report["information_of_sets"]}
    for row in expected_risks()["printed"]:
        told = found[row["column"], *row["quasi_identifiers"]]
        for name in ("dr", "mi", "cp", "mil", "eld", "itpr"):
            if name in row:
                # The paper cuts figures off after the second decimal.
                assert row[name] - 1e-9 <= told[name] < row[name] + 0.01, (row, name)
    for row in expected_risks()["by_hand"]:
        told = found[row["column"], *row["quasi_identifiers"]]
        assert told["mil"] == pytest.approx(row["mil"], rel=1e-12)


@pytest.mark.parametrize("table", ["table_1", "table_2"])
def test_risks_of_published_tables(backend: Database, table: str) -> None:
    load(backend, table, RISKS / f"{table}.csv", json.loads((RISKS / "columns.json").read_text()))
    report = ks.risk(backend.url, table, quasi_identifiers=["zip_code", "age"], sensitive=["disease"])
    wanted = expected_risks()["published"][table]
    assert report.k == wanted.pop("k")
    assert report.figures == {name: pytest.approx(float(Fraction(value)), rel=1e-12) for name, value in wanted.items()}
    told = report.of_all()["disease"].figures
    # All groups have the same diseases: knowing the group tells nothing on average.
    assert (told["dr"], told["mi"], told["cp"]) == pytest.approx((0, 0, 0), abs=1e-12)
