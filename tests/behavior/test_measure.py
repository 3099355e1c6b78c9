"""`kanon measure`: releases of this and other tools, metrics that are not computed, queries, and no values in the output."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from support.comparisons import near
from support.databases import Database
from support.metric_oracle import flattened

import kanon_sql as ks
from kanon_sql.backends import connect
from kanon_sql.cli import run
from kanon_sql.metrics import METRICS
from kanon_sql.stages.measure.classes import class_metrics
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

COLUMNS = {"age": "integer", "born": "date", "sex": "text", "illness": "text", "cost": "double"}
ROWS: list[tuple[Any, ...]] = [
    (20, date(1990, 1, 5), "f", "flu", 10.0),
    (21, date(1990, 2, 5), "f", "flu", 20.0),
    (25, date(1990, 7, 5), "m", "cold", 30.0),
    (29, date(1991, 1, 5), "m", "secret", 40.0),
    (40, date(1991, 3, 5), "x", "flu", 50.0),
    (None, None, "x", "cold", 60.0),
]


def policy(**more: Any) -> dict[str, Any]:
    return {
        "table": "people",
        "publish": {"into": "people_anon"},
        "privacy": {"k": 2},
        "suppression": 2,
        "columns": {
            "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [10, 20]}},
            "born": {"role": "quasi_identifier", "hierarchy": {"dates": ["month", "year"]}},
            "sex": {"role": "quasi_identifier", "hierarchy": "suppress"},
            "illness": "sensitive",
            "cost": "sensitive",
        },
        **more,
    }


@pytest.fixture
def people(backend: Database) -> Database:
    backend.create("people", COLUMNS, ROWS)
    return backend


def all_near(values: dict[str, Any]) -> dict[str, Any]:
    return {name: near(value, absolute=1e-12) for name, value in flattened(values).items()}


def release(database: Database, ages: list[Any], borns: list[Any], sexes: list[Any], **kinds: str) -> ks.MeasureReport:
    """Measure a release of the first rows that another tool made."""
    rows = [(*cells, *row[3:]) for cells, row in zip(zip(ages, borns, sexes, strict=True), ROWS, strict=False)]
    database.create("theirs", {**COLUMNS, "age": "text", "born": "text", **kinds}, rows)
    return ks.measure(database.url, policy(), released="theirs")


def test_labels_of_other_tools(people: Database) -> None:
    report = release(
        people,
        ["[20,29]", "[20-29]", "20~29", "[20,40)", "40", None],
        ["1990-01-05~1990-07-05", "1990-Q1", "[1990-01-01,1991-01-01)", "1990s", "{1991-01-05, 1991-03-05}", None],
        ["{f, m}", "f~m", "{f,m}", "*", "x", "*"],
    )
    age, born, sex = (report.utility["per_column"][name] for name in ("age", "born", "sex"))
    assert age["geniloss"] == pytest.approx((9 / 20 + 9 / 20 + 9 / 20 + 9 / 20 + 0 + 0) / 6)
    assert age["nllm"] == pytest.approx((3 / 5 * 4) / 6)
    days = [row[1].toordinal() for row in ROWS[:5]]
    extent = days[-1] - days[0]
    lost = [days[2] - days[0], days[1] - days[0], days[2] - days[0], extent, days[4] - days[3], 0]
    assert born["geniloss"] == pytest.approx(sum(lost) / extent / 6)
    assert sex["nllm"] == pytest.approx((1 / 2 * 3 + 1 + 0 + 1) / 6)
    assert {(n.metric, n.column) for n in report.not_computed} == {
        ("prec", "age"), ("absdist", "age"), ("prec", "born"), ("absdist", "born"), ("prec", "sex"), ("absdist", "sex"),
    }  # fmt: skip


def test_bounds_of_other_tools(people: Database) -> None:
    rows = [(20, 29, None, None, "*"), (20, 29, None, None, "*"), (25, 40, None, None, "*"), (25, 40, None, None, "*")]
    kinds = {"age_min": "integer", "age_max": "integer", "born_min": "date", "born_max": "date", "sex": "text"}
    people.create("theirs", kinds, rows)
    report = ks.measure(people.url, policy(), released="theirs")
    assert report.utility["suppression_rate"] == pytest.approx(2 / 6)
    columns = report.utility["per_column"]
    assert columns["age"]["geniloss"] == pytest.approx((9 / 20 * 2 + 15 / 20 * 2 + 2) / 6)
    assert columns["born"]["geniloss"] == columns["sex"]["geniloss"] == 1
    assert columns["born"]["level"] == columns["born"]["height"] == 3


def test_unparsed_labels_are_counted_and_not_guessed(people: Database) -> None:
    report = release(people, ["teen", "teen", "[20,30)", "[20,30)", "[90,99]", None], ["*"] * 6, ["*"] * 6)
    reasons = {(n.metric, n.column): n.reason for n in report.not_computed}
    assert reasons["geniloss", "age"].startswith("2 labels in 3 rows are neither")
    assert report.utility["geniloss"] is None
    assert report.utility["per_column"]["age"]["geniloss"] is None
    assert report.utility["per_column"]["sex"]["geniloss"] == 1
    assert report.utility["dm"] == 2**2 + 2**2 + 6 + 6  # two classes are below k
    assert "teen" not in report.to_json()


def test_a_release_of_this_tool_is_measured_as_the_run_did(people: Database) -> None:
    given = policy(label="illness")
    run_report = ks.anonymize(people.url, given)
    measured = ks.measure(people.url, given)
    assert flattened(measured.utility) == all_near(run_report.utility)
    assert measured.k == run_report.k
    assert measured.not_computed == ()


@pytest.mark.parametrize("output", ["labels", "bounds"])
def test_a_release_of_mondrian_is_measured_as_the_run_did(people: Database, output: str) -> None:
    given = policy(algorithm="mondrian", suppression=0)
    given["columns"] = {**given["columns"], "age": {"role": "quasi_identifier", "output": output}, "sex": {"role": "quasi_identifier"}}
    del given["columns"]["born"]
    people.drop("people")
    people.create("people", COLUMNS, ROWS[:5])
    run_report = ks.anonymize(people.url, {**given, "others": "drop"})
    measured = ks.measure(people.url, {**given, "others": "drop"})
    wanted = flattened(run_report.utility)
    for name in (
        "geniloss",
        "ncp",
        "nllm",
        "entropy",
        "entropy_nonuniform",
        "dm",
        "classes",
        "class_size.median",
        "per_column.age.geniloss",
    ):
        assert flattened(measured.utility)[name] == pytest.approx(wanted[name], rel=1e-9, abs=1e-12), name


def test_an_empty_release_has_lost_everything(people: Database) -> None:
    people.create("theirs", COLUMNS)
    report = ks.measure(people.url, policy(), released="theirs")
    assert (report.k, report.published_rows) == (None, 0)
    utility = report.utility
    assert (utility["geniloss"], utility["ncp"], utility["nllm"], utility["prec"], utility["dm"]) == (1, 1, 1, 0, 36)
    assert utility["entropy"] == pytest.approx(utility["entropy_nonuniform"])
    assert utility["class_size"] == {"min": None, "avg": None, "max": None, "median": None}


def test_more_rows_than_the_source_are_refused(people: Database) -> None:
    people.create("theirs", COLUMNS, [*ROWS, ROWS[0]])
    with pytest.raises(ks.RequestError, match="not a release of that source"):
        ks.measure(people.url, policy(), released="theirs")


def test_in_place_losses_come_from_the_journal(people: Database) -> None:
    given = policy(publish={"in_place": True})
    published = ks.anonymize(people.url, given, yes=True)
    report = ks.measure(people.url, given)
    assert report.utility["geniloss"] == published.utility["geniloss"]
    assert (report.rows, report.k) == (6, published.k)
    assert "measured before it replaced the rows" in report.warnings[0]
    people.execute(f"delete from {people.quote('people')}")
    changed = ks.measure(people.url, given)
    assert "geniloss" not in changed.utility
    assert "has changed since run" in changed.not_computed[0].reason


def test_without_its_source_only_the_classes_of_a_release_are_measured(people: Database) -> None:
    ks.anonymize(people.url, policy())
    people.drop("people")
    report = ks.measure(people.url, policy())
    assert set(report.utility) == {"classes", "class_size"}
    assert ("geniloss", "the source people no longer exists") in {(n.metric, n.reason) for n in report.not_computed}
    with pytest.raises(ks.RequestError, match="does not exist"):
        ks.measure(people.url, policy(), source="people")


def test_queries_give_relative_errors_only(people: Database) -> None:
    rows = [(None, None, "*" if row[2] == "x" else row[2], row[3], row[4] * 1.1) for row in ROWS]
    people.create("theirs", COLUMNS, rows)
    queries = [
        "select avg(cost) from {table} group by sex",
        "select sex as s, count(*), sum(cost) from {table} group by s order by 2",
        "select sum(cost) from {table} t where t.illness = 'flu'",
        "select count(age) from {table}",
        "with x as (select cost from {table}) select max(cost) from x",
    ]
    report = ks.measure(people.url, policy(queries=queries), released="theirs").to_dict()["queries"]
    first, second, third, fourth, fifth = report
    assert (first["groups"], first["missing_groups"], first["added_groups"]) == (3, 1, 1)
    assert first["mean_relative_error"] == pytest.approx((0.1 + 0.1 + 1) / 3)
    assert first["max_relative_error"] == 1
    assert second["mean_relative_error"] == pytest.approx((0 + 0.1 + 0 + 0.1 + 1 + 1) / 6)
    assert third["mean_relative_error"] == pytest.approx(0.1)
    assert fourth["max_relative_error"] == 1
    assert fifth["max_relative_error"] == pytest.approx(0.1)


@pytest.mark.parametrize("source", [{"where": "cost > 10"}, {"table": {"query": "select * from people where cost > 10"}}], ids=str)
def test_queries_read_the_rows_that_the_policy_selects(people: Database, source: dict[str, Any]) -> None:
    people.create("theirs", COLUMNS, ROWS[1:])
    (query,) = ks.measure(people.url, policy(queries=["select count(*) from {table}"], **source), released="theirs").queries
    assert (query.reason, query.max_error) == (None, 0)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("delete from {table}", "it may only read"),
        ("select 1; drop table {table}", "must be one statement, and 2 were found"),
        ("select max(nextval('numbers')) from {table}", "the function nextval gives another value every time"),
        ("select cost from {table}", "must select aggregates"),
        ("select count(*) from {table} limit 1", "leave out"),
        ("select count(*) from people where '{table}' = ''", "must read from"),
        ("selekt count(*) frm {table}", "number 1"),
    ],
)
@pytest.mark.engines("duckdb", "postgresql")
def test_queries_that_are_refused(people: Database, query: str, message: str) -> None:
    with pytest.raises(ks.RequestError, match=message):
        ks.measure(people.url, policy(queries=[query]), released="people")
    assert len(people.rows("people")) == len(ROWS)


@pytest.mark.engines("postgresql")
def test_queries_that_write_are_refused(people: Database) -> None:
    for query in (
        "with x as (delete from {table} returning 1 as a) select count(a) from x",
        "select count(*) into stolen from {table}",
    ):
        with pytest.raises(ks.RequestError, match=r"only read|more than read"):
            ks.measure(people.url, policy(queries=[query]), released="people")


def test_a_query_the_release_cannot_answer_is_reported(people: Database) -> None:
    people.create("theirs", {"age": "text", "born": "text", "sex": "text"}, [("*", "*", "*")] * 6)
    report = ks.measure(people.url, policy(queries=["select avg(cost) from {table}", "select count(*) from {table}"]), released="theirs")
    broken, fine = report.queries
    assert broken.reason is not None
    assert fine.max_error == 0


def test_command_prints_figures_and_no_values(people: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "people.yml"
    file.write_text(ks.load_policy(policy(queries=["select avg(cost) from {table} group by sex"])).to_yaml())
    assert run(["anonymize", people.url, "--policy", str(file), "-q"]) == 0
    capsys.readouterr()
    assert run(["measure", people.url, "--policy", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "geniloss" in shown
    assert "Query 1" in shown
    assert run(["measure", people.url, "--policy", str(file), "--json", "-q"]) == 0
    text = capsys.readouterr().out
    document = json.loads(text)
    assert set(document["utility"]) == {
        "absdist", "reldist", "prec", "dm", "c_avg", "geniloss", "ncp", "nllm", "cm", "cm_share", "entropy", "entropy_nonuniform",
        "classes", "height", "suppression_rate", "class_size", "per_column",
    }  # fmt: skip
    for value in ("secret", "flu", "1990"):
        assert value not in shown + text
    assert people.tables() == {"people", "people_anon"}


def test_integers_beyond_64_bits(backend: Database) -> None:
    with Workspace(connect(backend.url), "read") as workspace:
        columns = [Column("class_size", "bigint", "integer"), Column("suppressed", "integer", "integer")]
        classes = workspace.tables.load("huge", columns, [(5_000_000_000, 0), (4_000_000_001, 1)])
        values = class_metrics(workspace, classes, [METRICS["dm"]], rows=9_000_000_001, k=2)
    exact = 5_000_000_000**2 + 4_000_000_001 * 9_000_000_001
    assert values["dm"] == (None if backend.name == "sqlite" else exact)


@pytest.mark.engines("duckdb")
def test_frames() -> None:
    before = pd.DataFrame({"age": [20, 21, 29, 40], "illness": ["flu", "cold", "flu", "flu"]})
    given = {
        "privacy": {"k": 2},
        "columns": {"age": {"role": "quasi_identifier", "hierarchy": {"intervals": [10, 20, 40, 80]}}, "illness": "sensitive"},
    }
    after = ks.anonymize(before, given)
    report = ks.measure(before, given, released=after)
    assert report.utility["geniloss"] == pytest.approx(after.attrs["kanon"]["utility"]["geniloss"])
    frame = report.to_frame()
    assert list(frame.index) == ["age", "total"]
    assert frame.loc["total", "geniloss"] == pytest.approx(report.utility["geniloss"])
    assert "geniloss" in report._repr_html_()
    with pytest.raises(ks.RequestError, match="released one too"):
        ks.measure(before, given)
    assert ks.risk(before, quasi_identifiers=["age"]).k == 1


def test_names_of_tables_with_a_schema_and_quotes(backend: Database) -> None:
    backend.create('odd "name"', COLUMNS, ROWS)
    backend.create("odd;release", COLUMNS, ROWS)
    quoted = str(TableName(('odd "name"',)))
    report = ks.measure(
        backend.url, policy(table=quoted, queries=["select count(*) from {table}"]), released=str(TableName(("odd;release",)))
    )
    assert report.utility["geniloss"] == 0
    assert report.queries[0].max_error == 0


def test_sources_that_are_not_tables(people: Database) -> None:
    """Measure a query and part of a table as the run read them."""
    whole = "select p.age, p.born, p.sex, p.illness, p.cost from people p where p.cost < 55"
    for source in ({"table": {"query": whole}}, {"where": "cost < 55"}):
        given = policy(**source, queries=["select sum(cost) from {table}"])
        published = ks.anonymize(people.url, given, replace=True)
        report = ks.measure(people.url, given)
        assert (report.rows, report.published_rows) == (5, published.published_rows)
        assert report.utility["geniloss"] == pytest.approx(published.utility["geniloss"], rel=1e-9)
        assert len(report.queries) == 1
