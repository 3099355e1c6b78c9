"""`kanon risk`: output, refused requests, and no values in the output."""

from __future__ import annotations

import json

import pytest
from support.databases import Database

import kanon_sql as ks
from kanon_sql.cli import run

COLUMNS = {"age": "integer", "zip": "text", "illness": "text"}
ROWS = [
    (30, "1000", "flu"),
    (30, "1000", "cold"),
    (31, "1000", "flu"),
    (31, "2000", "secret"),
    (None, "2000", "flu"),
    (None, "2000", "flu"),
]


@pytest.fixture
def people(backend: Database) -> Database:
    backend.create("people", COLUMNS, ROWS)
    return backend


def test_command_prints_figures_and_no_values(people: Database, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["risk", people.url, "people", "--qi", "age,zip", "--sensitive", "illness", "--threshold", "0.5"]) == 0
    shown = capsys.readouterr().out
    assert "6 rows in 4 classes; the smallest has 1 row. 2 rows are unique" in shown
    assert "ITPR" in shown
    for value in ("secret", "flu", "1000", "2000"):
        assert value not in shown
    assert run(["risk", people.url, "people", "--qi", "age,zip", "--sensitive", "illness", "--json", "-q"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document["risk"]) == {
        "prosecutor_max", "prosecutor_average", "journalist_max", "marketer", "at_risk", "uniqueness", "threshold", "information",
    }  # fmt: skip
    assert set(document["risk"]["information"]["illness"]) == {"dr", "mi", "cp", "mil", "eld", "itpr", "riskiest"}
    assert document["histogram"] == [
        {"from": 1, "to": 1, "classes": 2, "rows": 2},
        {"from": 2, "to": 2, "classes": 2, "rows": 4},
    ]
    assert people.tables() == {"people"}


def test_a_table_is_read_once_per_target_column(people: Database) -> None:
    from kanon_sql.backends import connect
    from kanon_sql.commands.risk import groupable_columns, published_columns
    from kanon_sql.stages.measure.risk import RiskQuestion, assess_risk
    from kanon_sql.stages.profile.source import describe_source
    from kanon_sql.tables import TableName
    from kanon_sql.workspace import Workspace

    with Workspace(connect(people.url), "read") as workspace:
        table = describe_source(workspace, TableName(("people",)))
        question = RiskQuestion(table.name, published_columns(table, ["age", "zip"]), groupable_columns(table, ["illness"]))
        assess_risk(workspace, question)
    scans = [
        s.template for s in workspace.record.statements if "people" in s.sql.split("*/", 1)[-1] and s.template.startswith("measure/risk/")
    ]
    assert scans == ["measure/risk/counted"]


def test_population_widens_classes(people: Database) -> None:
    people.create("everyone", COLUMNS, [*ROWS, *ROWS, (30, "9", None)])
    report = ks.risk(people.url, "people", quasi_identifiers=["age", "zip"], population="everyone")
    assert report.figures["journalist_max"] == 1 / 2
    assert report.figures["marketer"] == pytest.approx(1 / 3)
    assert report.figures["prosecutor_max"] == 1
    assert report.warnings == ()
    people.create("few", COLUMNS, ROWS[:2])
    (warning,) = ks.risk(people.url, "people", quasi_identifiers=["age", "zip"], population="few").warnings
    assert "fewer rows than the table in 3 classes (4 rows)" in warning


def test_bounds_represent_one_quasi_identifier(backend: Database) -> None:
    rows = [(0, 10, "x"), (0, 10, "y"), (10, 20, "x")]
    backend.create("published", {"age_min": "integer", "age_max": "integer", "sex": "text"}, rows)
    report = ks.risk(backend.url, "published", quasi_identifiers=["age", "sex"])
    assert {found.columns: found.distinct for found in report.sets} == {("age",): 2, ("sex",): 2, ("age", "sex"): 3}


def test_frames(people: Database) -> None:
    report = ks.risk(people.url, "people", quasi_identifiers=["age", "zip"], sensitive=["illness"])
    frame = report.to_frame()
    assert list(frame.index) == ["age", "zip", "age + zip"]
    assert frame.loc["age + zip", "uniqueness"] == pytest.approx(1 / 3)
    assert {"distinct", "separation", "illness.itpr"} <= set(frame.columns)
    assert "distinction" in report._repr_html_()


@pytest.mark.engines("duckdb")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quasi_identifiers": []}, "name at least one"),
        ({"quasi_identifiers": "age"}, "must be a list"),
        ({"quasi_identifiers": ["agee"]}, "did you mean"),
        ({"quasi_identifiers": ["age", "age"]}, "listed twice"),
        ({"quasi_identifiers": ["age"], "sensitive": ["age"]}, "listed twice"),
        ({"quasi_identifiers": ["age"], "threshold": 0}, "greater than 0"),
        ({"quasi_identifiers": ["age"], "threshold": "much"}, "greater than 0"),
        ({"quasi_identifiers": ["age"], "subsets": [["zip"]]}, "is not a quasi-identifier"),
        ({"quasi_identifiers": ["age"], "subsets": ["age"]}, "list of quasi-identifiers"),
        ({"quasi_identifiers": ["age"], "population": "nobody"}, "does not exist"),
    ],
)
def test_invalid_requests_are_refused(people: Database, options: dict[str, object], message: str) -> None:
    with pytest.raises(ks.RequestError, match=message):
        ks.risk(people.url, "people", **options)
