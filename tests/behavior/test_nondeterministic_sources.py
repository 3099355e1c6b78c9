"""A source that returns different rows each time is refused; one that is not recognized fails verification."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import create_engine
from support.databases import Database

import kanon_sql as ks

QUASI = "quasi_identifier"

# Expressions that give another value each time, and what must exist for them.
VARYING = {
    "postgresql": (
        "cast(random() * 100 as integer)", "gen_random_uuid()", "clock_timestamp()", "nextval('s')", "drawn(id)", "timeofday()", "id + id",
        "cast(id as drawn)",
    ),
    "duckdb": ("cast(random() * 100 as integer)", "gen_random_uuid()", "uuid()", "nextval('s')", "drawn(id)", "dice()", "uuidv7()"),
    "sqlite": ("abs(random()) % 100", "hex(randomblob(4))", '"random"()'),
    "mariadb": (
        "rand()", "cast(rand() * 100 as integer)", "uuid()", "uuid_short()", "sysdate(6)", "nextval(s)", "drawn(id)",
        "next value for s",
    ),
}  # fmt: skip

STEADY = {
    "postgresql": ("now()", "current_date", "current_timestamp", "same_as(id)", "extract(year from age(current_date))", "upper('a')"),
    "duckdb": ("now()", "current_date", "today()", "same_as(id)", "upper('a')"),
    "sqlite": ("date('now')", "current_timestamp", "datetime('now', '-1 day')", "upper('a')"),
    "mariadb": ("now()", "curdate()", "current_timestamp()", "same_as(id)", "upper('a')"),
}

PREPARED = {
    "postgresql": (
        "create sequence s", "create domain number as bigint",
        "create function drawn(bigint) returns bigint language plpgsql as $$begin return $1; end$$",
        "create function same_as(bigint) returns bigint language plpgsql stable as $$begin return $1; end$$",
        "create function sum_of(number, number) returns bigint language plpgsql as $$begin return 1; end$$",
        "create operator + (leftarg = number, rightarg = number, function = sum_of)",
        "create type drawn as (a bigint)",
        "create function to_drawn(bigint) returns drawn language plpgsql as $$begin return row(1::bigint); end$$",
        "create cast (bigint as drawn) with function to_drawn(bigint)",
    ),
    "duckdb": (
        "create sequence s", "create macro dice() as random() * 6", "create macro drawn(x) as x + dice()",
        "create macro same_as(x) as x + 1",
    ),
    "sqlite": (),
    "mariadb": (
        "create sequence s", "create function drawn(x bigint) returns bigint return x + rand()",
        "create function same_as(x bigint) returns bigint deterministic return x + 1",
    ),
}  # fmt: skip

SAMPLES = {"postgresql": ("tablesample bernoulli (50)", "tablesample system (50)"), "duckdb": ("tablesample 50%", "using sample 3 rows")}


@pytest.fixture
def people(backend: Database) -> Database:
    backend.create("people", {"id": "integer", "age": "integer"}, [(n, 20 + n % 3) for n in range(30)])
    for sql in PREPARED[backend.name]:
        backend.execute(sql)
    return backend


def policy(table: Any, **more: Any) -> dict[str, Any]:
    columns = {"age": {"role": QUASI, "hierarchy": {"intervals": [10]}}}
    return {"table": table, "publish": {"into": "gone"}, "privacy": {"k": 2}, "columns": columns, "others": "drop", **more}


def varying(database: Database) -> list[str]:
    """Return queries whose rows differ each time."""
    name = database.name
    typed = "(select id, age from people) as people" if name != "postgresql" else "(select id::number as id, age from people) as people"
    found = [f"select age, {text} as x from {typed if text == 'id + id' else 'people'}" for text in VARYING[name]]
    return [*found, *(f"select age from people {sample}" for sample in SAMPLES.get(name, ()))]


def refusal(database: Database, given: dict[str, Any]) -> str:
    """Return the error of a refused run, or that it published."""
    try:
        ks.anonymize(database.url, given, replace=True)
    except ks.RequestError as error:
        return str(error)
    return "published"


def test_a_nondeterministic_view_is_refused(people: Database) -> None:
    wrong: list[tuple[str, str]] = []
    for number, query in enumerate(varying(people)):
        people.execute(f"create view v_{number} as {query}")
        people.execute(f"create view w_{number} as select age from v_{number} where age > 0")
        for source, more in (
            (f"v_{number}", {}), (f"w_{number}", {}), (f"w_{number}", {"where": "age > 1"}),
            ({"query": f"select age from w_{number}"}, {}), ({"query": f"with x as (select * from v_{number}) select age from x"}, {}),
        ):  # fmt: skip
            said = refusal(people, policy(source, **more))
            wrong += [] if re.match(rf"view v_{number}: .* the source is read more than once.*opy the rows into", said) else [(query, said)]
    assert not wrong
    assert "gone" not in people.tables()


def test_a_nondeterministic_query_is_refused(people: Database) -> None:
    for query in varying(people):
        assert refusal(people, policy({"query": query})).startswith("table.query: "), query


def test_a_source_that_is_stable_within_a_run_is_published(people: Database) -> None:
    for number, text in enumerate(STEADY[people.name]):
        people.execute(f"create view v_{number} as select age, {text} as x from people")
        people.execute(f"create view w_{number} as select * from v_{number}")
        for source, more in ((f"v_{number}", {}), (f"w_{number}", {"where": "age > 0"}), ({"query": f"select age from w_{number}"}, {})):
            assert ks.anonymize(people.url, policy(source, **more), replace=True).published_rows == 30, text


@pytest.mark.engines("postgresql")
def test_a_materialized_view_has_its_rows(people: Database) -> None:
    people.execute("create materialized view m as select age, random() as x from people")
    people.execute("create view v as select age from m")
    people.execute("create view sampled as select age from people tablesample bernoulli (90) repeatable (7)")
    assert ks.anonymize(people.url, policy("m")).published_rows == 30
    assert ks.anonymize(people.url, policy("v"), replace=True).published_rows == 30
    assert ks.anonymize(people.url, policy("sampled"), replace=True).published_rows > 0


@pytest.mark.engines("postgresql", "mariadb")
def test_the_error_explains_how_to_use_a_user_defined_function(people: Database) -> None:
    people.execute("create view v as select age, drawn(id) as x from people")
    with pytest.raises(ks.RequestError, match=r"the function drawn may .* Declare it"):
        ks.anonymize(people.url, policy("v"))
    people.execute(
        "alter function drawn(bigint) stable" if people.name == "postgresql" else "create or replace function drawn(x bigint) "
        "returns bigint deterministic return x"
    )  # fmt: skip
    assert ks.anonymize(people.url, policy("v")).published_rows == 30
    with pytest.raises(ks.RequestError, match=r"the function drawn is not known to only read.* create a view that uses it"):
        ks.anonymize(people.url, policy({"query": "select age, drawn(id) as x from people"}))


@pytest.mark.engines("sqlite")
def test_rows_that_change_undetected_fail_verification(people: Database) -> None:
    people.execute("create view v as select age + drawn(id) as age from people")
    stages: list[str] = []
    with create_engine(people.url).connect() as connection:
        driver: Any = connection.connection.driver_connection
        driver.create_function("drawn", 1, lambda _: 100 if "publish" in stages else 0)
        given = policy("v", columns={"age": {"role": QUASI, "hierarchy": "suppress"}})
        with pytest.raises(ks.VerificationError, match="the source changed during the run"):
            ks.anonymize(connection, given, listener=lambda name, _: stages.append(name))
    assert "gone" not in people.tables()


def asked_about(report: Any) -> list[str]:
    """Return the statements that ask which functions a source calls, without those that lock it."""
    asked = [s.template for s in report.statements if s.template.startswith(("profile/volatility/", "profile/source_queries/"))]
    return [template for template in asked if not template.startswith("profile/source_queries/lock")]


def test_a_plain_table_is_not_inspected(people: Database) -> None:
    assert asked_about(ks.anonymize(people.url, policy("people"))) == []
    people.execute("create view v as select age from people")
    assert len(asked_about(ks.anonymize(people.url, policy("v"), replace=True))) == 1
