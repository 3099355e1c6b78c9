"""Kept columns that reveal what is generalized: computed by the database, or a function of it in the data."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from databases import Database
from sqlalchemy import create_engine

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
