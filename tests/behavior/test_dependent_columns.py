"""Kept columns that reveal what is generalized: computed by the database, or a function of it in the data."""

from __future__ import annotations

import json
import random
import sqlite3
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine
from support.databases import Database

import kanon_sql as ks
from kanon_sql.cli import run

AGE = {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 20, 100]}}
ZIP = {"role": "quasi_identifier", "hierarchy": {"mask": {"hide": [1, 2, 3, 4]}}}


def stored(backend: Database) -> str:
    return "" if backend.name == "duckdb" else "stored"


def make_banded(backend: Database, *generated: str) -> None:
    """A table whose columns after zip are generated."""
    backend.execute(f"create table people (age integer, zip varchar(10), sick varchar(10), {', '.join(generated)})")
    rows = ", ".join(f"({20 + n % 40}, '10{n % 90 + 10}', 'd{n % 4}')" for n in range(240))
    backend.execute(f"insert into people (age, zip, sick) values {rows}")


def policy(columns: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "table": "people",
        "publish": {"into": "people_anon"},
        "privacy": {"k": 5},
        "columns": {"age": AGE, "zip": ZIP, "sick": "sensitive", **columns},
        **more,
    }


KINDS = {"duckdb": ["virtual"], "sqlite": ["virtual", "stored"], "mariadb": ["virtual", "stored"], "postgresql": ["virtual", "stored"]}
HALF = {"duckdb": "age // 2", "sqlite": "age / 2", "postgresql": "age / 2", "mariadb": "age div 2"}


@pytest.mark.parametrize("role", ["insensitive", "sensitive", "keep"])
@pytest.mark.parametrize("kind", ["virtual", "stored"])
def test_a_column_computed_from_a_quasi_identifier_is_refused(backend: Database, kind: str, role: str) -> None:
    if kind not in KINDS[backend.name]:
        pytest.skip("this engine has no such columns")
    make_banded(backend, f"band integer generated always as ({HALF[backend.name]}) {kind}")
    given = policy({}, others="keep") if role == "keep" else policy({"band": role})
    for attempt in (
        lambda: ks.anonymize(backend.url, given),
        lambda: ks.anonymize(backend.url, given, dry_run=True),
        lambda: ks.anonymize(backend.url, {**given, "where": "age > 0"}),
        lambda: ks.anonymize(backend.url, {**given, "publish": {"in_place": True}}, yes=True),
        lambda: ks.solve(backend.url, given),
        lambda: ks.explain(backend.url, given),
    ):
        with pytest.raises(ks.RequestError, match=r"column 'band' is computed from 'age' \(quasi_identifier\)"):
            attempt()
    assert "people_anon" not in backend.tables()


def test_a_generated_column_may_be_a_quasi_identifier_or_dropped(backend: Database) -> None:
    make_banded(backend, f"band integer generated always as ({HALF[backend.name]}) {stored(backend)}")
    quasi = {"role": "quasi_identifier", "hierarchy": {"intervals": [10, 100]}}
    roles: list[dict[str, Any]] = [{"band": quasi}, {"band": "identifier"}, {"band": {"role": "identifier", "action": "null"}}, {}]
    for number, columns in enumerate(roles):
        given = policy(columns, others="drop", publish={"into": f"release_{number}"})
        assert ks.anonymize(backend.url, given).status == "published"


def test_generated_columns_are_traced_through_others(backend: Database) -> None:
    if backend.name == "postgresql":
        pytest.skip("a generated column cannot be computed from another one here")
    kind = stored(backend)
    make_banded(
        backend,
        f"band integer generated always as ({HALF[backend.name]}) {kind}",
        f"twice integer generated always as (band * 2) {kind}",
        f"more integer generated always as (twice + 1) {kind}",
    )
    with pytest.raises(ks.RequestError, match=r"column 'more' is computed from 'age' \(quasi_identifier\)") as raised:
        ks.anonymize(backend.url, policy({"more": "insensitive", "band": "identifier"}, others="drop"))
    assert "'twice'" not in str(raised.value)


def test_columns_computed_from_identifiers_and_modelled_columns_are_refused(backend: Database) -> None:
    name = backend.quote("full Name")
    backend.execute(
        f"create table people (age integer, {name} varchar(20), sick varchar(10), ward integer, "
        f"short varchar(20) generated always as (lower({name})) {stored(backend)}, "
        f"code varchar(20) generated always as (upper(sick)) {stored(backend)}, "
        f"twice integer generated always as (ward * 2) {stored(backend)})"
    )
    backend.execute(
        f"insert into people (age, {name}, sick, ward) values "
        + ", ".join(f"({20 + n % 40}, 'n{n % 9}', 'd{n % 4}', {n % 2})" for n in range(240))
    )
    columns = {"age": AGE, "full Name": "identifier", "sick": "sensitive", "ward": "insensitive"}
    base = {**policy({}), "columns": {**columns, "short": "insensitive", "code": "insensitive", "twice": "insensitive"}}
    with pytest.raises(ks.RequestError) as raised:
        ks.anonymize(backend.url, {**base, "privacy": {"k": 5, "l_diversity": {"column": "sick", "l": 2}}})
    assert "column 'short' is computed from 'full Name' (identifier)" in str(raised.value)
    assert "column 'code' is computed from 'sick' (sensitive, with a privacy model)" in str(raised.value)
    assert "'twice'" not in str(raised.value)
    base["columns"]["short"] = "identifier"
    assert ks.anonymize(backend.url, base).status == "published"


def test_only_names_of_columns_count_in_an_expression(backend: Database) -> None:
    """A function or a text of the same name as a quasi-identifier is none, however the column is capitalized."""
    backend.execute(
        f"create table people (lower integer, {backend.quote('Zip')} varchar(10), ward varchar(10), "
        f"fine varchar(20) generated always as (lower(coalesce(ward, 'Zip'))) {stored(backend)}, "
        f"bad varchar(20) generated always as (lower({backend.quote('Zip')})) {stored(backend)})"
    )
    rows = ", ".join(f"({n % 40}, '1{n % 9}', 'w{n % 3}')" for n in range(240))
    backend.execute(f"insert into people (lower, {backend.quote('Zip')}, ward) values {rows}")
    columns = {"lower": AGE, "Zip": ZIP, "ward": "insensitive", "fine": "insensitive", "bad": "insensitive"}
    with pytest.raises(ks.RequestError) as raised:
        ks.anonymize(backend.url, {**policy({}), "columns": columns})
    assert "column 'bad' is computed from 'Zip' (quasi_identifier)" in str(raised.value)
    assert "'fine'" not in str(raised.value)


@pytest.mark.engines("duckdb", "sqlite", "mariadb")
def test_names_in_an_expression_may_be_capitalized_otherwise(backend: Database) -> None:
    make_banded(backend, f"band integer generated always as ({HALF[backend.name].upper()}) {stored(backend)}")
    with pytest.raises(ks.RequestError, match="column 'band' is computed from 'age'"):
        ks.anonymize(backend.url, policy({"band": "insensitive"}))


@pytest.mark.engines("sqlite")
def test_a_generated_column_of_an_attached_database_is_taken_to_read_every_column(backend: Database, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("create table people (age integer, sick text, code text generated always as (upper(sick)) virtual)")
    connection.executemany("insert into people (age, sick) values (?, ?)", [(20 + n % 40, f"d{n % 4}") for n in range(100)])
    connection.commit()
    connection.close()
    with create_engine(backend.url).connect() as ours:
        ours.exec_driver_sql("attach database ? as other", (str(other),))
        ours.commit()
        given = {**policy({}), "table": "other.people", "columns": {"age": AGE, "sick": "sensitive", "code": "insensitive"}}
        with pytest.raises(ks.RequestError, match="column 'code' is computed from 'age'"):
            ks.anonymize(ours, given, dry_run=True)


def test_the_command_line_refuses_generated_columns(backend: Database, capsys: pytest.CaptureFixture[str]) -> None:
    make_banded(backend, f"band integer generated always as ({HALF[backend.name]}) {stored(backend)}")
    line = ["anonymize", backend.url, "people", "--qi", "age,zip", "--sensitive", "band", "--k", "5", "--into", "people_anon"]
    assert run(line) == 1
    assert "column 'band' is computed from 'age' (quasi_identifier)" in capsys.readouterr().err
    assert "people_anon" not in backend.tables()


def test_the_profile_drops_generated_columns_that_would_be_kept(backend: Database) -> None:
    make_banded(backend, f"income integer generated always as ({HALF[backend.name]}) {stored(backend)}")
    found = ks.profile(backend.url, "people")
    (income,) = [column for column in found.columns if column.column.name == "income"]
    assert (income.role, income.reason) == ("identifier", "computed from age, which it would reveal")
    assert ks.anonymize(backend.url, found.policy).status == "published"


def make_dated(backend: Database, count: int = 400) -> None:
    """People whose kept columns are functions of what is generalized, determine it, or are neither."""
    draw = random.Random(3)
    rows = []
    for _ in range(count):
        day = date(1950, 1, 1) + timedelta(days=draw.randrange(14_000))
        place = draw.randrange(60)
        rows.append(
            (day, f"{20_000 + place // 3 * 7}", day.year, f"d{place // 30}", f"cell {place}", draw.choice("abcd"), "one", day.year // 10)
        )
    names = {"born": "date", "zip": "text", "year": "integer", "district": "text", "cell": "text", "sick": "text", "same": "text"}
    backend.create("people", {**names, "decade": "integer"}, rows)


BORN = {"role": "quasi_identifier", "hierarchy": {"dates": ["month", "year", "decade", "century"]}, "min_level": 3, "max_level": 3}
MASKED = {"role": "quasi_identifier", "hierarchy": {"mask": {"hide": [3, 5]}}, "min_level": 1}


def dated(kept: dict[str, Any], **more: Any) -> dict[str, Any]:
    base = {"table": "people", "publish": {"into": "people_anon"}, "privacy": {"k": 5}, "suppression": 0.1, "others": "drop"}
    return {**base, "columns": {"born": BORN, "zip": MASKED, "sick": "sensitive", **kept}, **more}


def found_in(report: ks.AnonymizeReport | ks.SolveReport) -> dict[tuple[str, str], str]:
    return {(d.column, d.quasi_identifier): d.direction for d in report.dependencies}


def test_functions_of_generalized_columns_and_what_determines_them_are_found(backend: Database) -> None:
    """A year beside nearly unique birth dates is found by the labels of the level below the published one."""
    make_dated(backend)
    kept = dict.fromkeys(("year", "district", "cell", "same", "decade"), "insensitive")
    report = ks.anonymize(backend.url, dated(kept))
    assert found_in(report) == {
        ("year", "born"): "follows", ("district", "zip"): "follows", ("cell", "zip"): "determines", ("decade", "born"): "follows",
    }  # fmt: skip
    published = backend.rows("people_anon", ["born", "zip", "year", "district", "cell", "decade"])
    for place, name in enumerate(("year", "district", "cell", "decade"), start=2):
        smallest = min(Counter((row[0], row[1], row[place]) for row in published).values())
        (found,) = [d for d in report.dependencies if d.column == name]
        assert (found.smallest_class, found.share) == (smallest, 1.0)
        warned = any(f"kept column {name!r}" in warning and f"smallest class of {smallest} " in warning for warning in report.warnings)
        assert warned == (smallest < 5)
    assert not any("'decade'" in warning for warning in report.warnings)  # what the release says anyway
    document = json.loads(report.to_json())
    assert document["dependencies"] == [d.to_dict() for d in report.dependencies]
    assert set(document["dependencies"][0]) == {"column", "quasi_identifier", "direction", "share", "level", "smallest_class"}


def test_every_way_to_publish_finds_the_same(backend: Database) -> None:
    make_dated(backend)
    given = dated({"year": "insensitive"})
    published = ks.anonymize(backend.url, given)
    assert [d.column for d in published.dependencies] == ["year"]
    replaced = ks.anonymize(backend.url, given, replace=True)
    dry = ks.anonymize(backend.url, given, dry_run=True, replace=True)
    solved = ks.solve(backend.url, given)
    in_place = {**given, "publish": {"in_place": True}}
    dry_in_place = ks.anonymize(backend.url, in_place, dry_run=True)
    written = ks.anonymize(backend.url, in_place, yes=True)
    for report in (replaced, dry, solved, dry_in_place, written):
        assert report.dependencies == published.dependencies
        assert [w for w in report.warnings if "'year'" in w] == [w for w in published.warnings if "'year'" in w] != []


def test_an_accepted_column_is_not_reported(backend: Database) -> None:
    make_dated(backend)
    accepted = {"role": "insensitive", "accept_dependent": True}
    report = ks.anonymize(backend.url, dated({"year": accepted}, dependent="error"))
    assert (report.dependencies, report.status) == ((), "published")
    assert not any(statement.template.startswith("profile/dependencies/") and "c_2" in statement.sql for statement in report.statements)


@pytest.mark.parametrize("in_place", [False, True])
def test_an_error_publishes_nothing(backend: Database, in_place: bool) -> None:
    make_dated(backend)
    before = backend.rows("people")
    given = dated({"year": "insensitive"}, dependent="error")
    given["publish"] = {"in_place": True} if in_place else given["publish"]
    for attempt in (
        lambda: ks.anonymize(backend.url, given, yes=True),
        lambda: ks.anonymize(backend.url, given, dry_run=True),
        lambda: ks.solve(backend.url, given),
    ):
        with pytest.raises(ks.LimitError, match=r"dependent: error.*nothing was published"):
            attempt()
    assert "people_anon" not in backend.tables()
    assert backend.rows("people") == before


def test_nothing_is_found_where_nothing_is_generalized_or_shown(backend: Database) -> None:
    """Level 0 has nothing to reveal, few rows prove nothing, and a column that is nearly unique is reported as such."""
    make_dated(backend)
    flat = {"role": "quasi_identifier", "hierarchy": "suppress", "max_level": 0}
    columns = {"born": "identifier", "zip": "identifier", "district": flat, "cell": "insensitive", "sick": "sensitive"}
    report = ks.anonymize(backend.url, {**dated({}), "columns": columns})
    assert report.dependencies == ()
    assert not any(statement.template.startswith("profile/dependencies/") for statement in report.statements)
    backend.create("few", {"a": "integer", "b": "integer"}, [(1, 1)] * 4 + [(2, 2)] * 3)
    few = {"role": "quasi_identifier", "hierarchy": "suppress", "min_level": 1}
    given = {"table": "few", "publish": {"into": "few_anon"}, "privacy": {"k": 3}, "columns": {"a": few, "b": "insensitive"}}
    assert ks.anonymize(backend.url, given).dependencies == ()


def test_persons_are_counted_once(backend: Database) -> None:
    """Rows of one person agree in everything; only other persons show that a column depends on another."""
    rows = [(p, 1000 + p, "abcd"[p % 4], f"x{p % 7}") for p in range(200) for _ in range(5)]
    backend.create("visits", {"person": "integer", "code": "integer", "blood": "text", "sick": "text"}, rows)
    quasi = {"role": "quasi_identifier", "hierarchy": {"intervals": [50, 500]}, "min_level": 1}
    given = {
        "table": "visits", "publish": {"into": "visits_anon"}, "privacy": {"k": 5},
        "columns": {"person": "identifier", "code": quasi, "blood": "insensitive", "sick": "insensitive"},
    }  # fmt: skip
    assert {d.column for d in ks.anonymize(backend.url, given, dry_run=True).dependencies} == {"blood", "sick"}
    assert ks.anonymize(backend.url, {**given, "entity": "person"}, dry_run=True).dependencies == ()


def test_regions_are_examined_too(backend: Database) -> None:
    make_dated(backend)
    columns = {"zip": {"role": "quasi_identifier"}, "cell": "insensitive", "district": "insensitive", "sick": "sensitive"}
    report = ks.anonymize(backend.url, {**dated({}), "columns": columns, "algorithm": "mondrian"})
    assert found_in(report) == {("cell", "zip"): "determines", ("district", "zip"): "follows"}


def test_the_profile_names_dependent_columns(backend: Database) -> None:
    rows = [(n % 50, f"t{n % 50 // 10}", "abc"[n * 7 % 11 % 3]) for n in range(600)]
    backend.create("people", {"age": "integer", "tax": "text", "diagnosis": "text"}, rows)
    found = ks.profile(backend.url, "people")
    assert [(d.column, d.quasi_identifier, d.direction, d.share) for d in found.dependencies] == [("tax", "age", "follows", 1.0)]
    assert found.dependencies[0].smallest_class == 12
    assert any("'tax' would be kept and follows from quasi-identifier 'age' in 100% of the rows" in w for w in found.warnings)
    assert found.to_dict()["dependencies"][0]["column"] == "tax"


def test_the_source_is_read_once_more_for_a_sample(backend: Database) -> None:
    make_dated(backend)
    report = ks.anonymize(backend.url, dated({"year": "insensitive"}))
    reading = [
        s for s in report.statements if backend.quote("people") in s.sql and not s.template.startswith("profile/source_queries/lock")
    ]
    scans = ["profile/source", "count", "profile/dependencies", "publish"]
    assert [s.template.rpartition("/")[0] for s in reading] == scans
    (sample,) = [s.sql.lower() for s in reading if s.template == "profile/dependencies/sample"]
    assert "limit 20000" in sample
    assert len([s for s in report.statements if s.template == "profile/dependencies/pair"]) == 1
    assert len([s for s in report.statements if s.template == "profile/dependencies/smallest"]) == 1


def test_a_sorted_table_is_sampled_as_a_whole(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first rows are all of one district; the rows that are compared are spread over the table."""
    monkeypatch.setattr("kanon_sql.stages.profile.dependencies.SAMPLE_ROWS", 300)
    rows = [(f"{20_000 + n // 60 * 7}", f"d{n // 400}", "abcd"[n * 7 % 11 % 4]) for n in range(1200)]
    backend.create("people", {"zip": "text", "district": "text", "sick": "text"}, rows)
    columns = {"zip": {**MASKED, "min_level": 2}, "district": "insensitive", "sick": "sensitive"}
    report = ks.anonymize(backend.url, {**dated({}), "privacy": {"k": 450}, "columns": columns})
    assert found_in(report) == {("district", "zip"): "follows"}
    assert [d.smallest_class for d in report.dependencies] == [400]
    assert any("smallest class of 400 rows (k = 450)" in warning for warning in report.warnings)


def test_pairs_that_are_too_many_are_counted(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kanon_sql.stages.profile.dependencies.MOST_PAIRS", 3)
    make_dated(backend)
    kept = dict.fromkeys(("year", "district", "cell", "decade"), "insensitive")
    report = ks.anonymize(backend.url, dated(kept), dry_run=True)
    assert any(warning.startswith("7 pairs of a kept column and a quasi-identifier were too many") for warning in report.warnings)
