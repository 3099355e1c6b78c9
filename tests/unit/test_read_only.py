"""SQL of users is proven to be read-only, and messages repeat none of it."""

from __future__ import annotations

from itertools import product

import pytest

from kanon_sql.errors import RequestError
from kanon_sql.sql.read_only import read_only_condition, read_only_query

DIALECTS = ("duckdb", "sqlite", "postgres", "mysql")
SECRET = "Robert"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "text",
    [
        "select a, b from t",
        "with c as (select * from t) select * from c join u on u.id = c.id where a = 'x;y'",
        "select a from t union all select a from u",
        "select a from t -- the end\n;",
        "(select a from t)",
        "select count(*) as n, max(a) as a from s.t group by b having count(*) > 1 order by n limit 5",
    ],
)
def test_queries_that_read(dialect: str, text: str) -> None:
    query = read_only_query(text, dialect, "table.query")
    assert not query.text.rstrip().endswith(";")
    assert "t" in {name.table for name in query.tables}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"delete from t where a = '{SECRET}'", "must be one SELECT|changes something"),
        (f"insert into t values ('{SECRET}')", "must be one SELECT|changes something"),
        ("create table x as select * from t", "must be one SELECT"),
        ("drop table t", "must be one SELECT"),
        ("vacuum", "must be one SELECT"),
        (f"call cure('{SECRET}')", "must be one SELECT"),
        (f"select a from t; call cure('{SECRET}')", "must be one statement, and 2 were found"),
        (f"select a from t; delete from t where a = '{SECRET}'", "must be one statement, and 2 were found"),
        (f"select a from t where a = '{SECRET}", "cannot be read as SQL"),
        (f"select a from t) as x, (select '{SECRET}'", "cannot be read as SQL"),
        (f"select a from t where a ==== '{SECRET}'", "cannot be read as SQL"),
        ("", "and 0 were found"),
        (";", "and 0 were found"),
        ("select nextval('s') from t", "the function nextval (is not known to only read|gives another value every time)"),
        ("select pg_sleep(1)", "the function pg_sleep is not known to only read"),
        ("select a from t where load_extension('x') is null", "the function load_extension is not known to only read"),
        ("select a /*! , sleep(9) */ from t", "comment that begins with !"),
        ("select a from t where a = ?", "parameter or a variable|cannot be read"),
    ],
)
def test_queries_that_are_refused(dialect: str, text: str, message: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(RequestError, match=message) as refused:
        read_only_query(text, dialect, "table.query")
    assert not caplog.records
    assert str(refused.value).startswith("table.query: ")
    assert SECRET not in str(refused.value)
    assert refused.value.__cause__ is None


def test_syntax_of_only_some_databases_is_refused() -> None:
    for text, message in (
        ("with gone as (delete from t returning *) select * from gone", "changes something"),
        ("select * into x from t", "do more than read"),
        ("select * from t for update", "do more than read"),
        ("select set_config('a', 'b', false)", "set_config"),
        ("select pg_catalog.setval('s', 1)", "setval"),
    ):
        with pytest.raises(RequestError, match=message):
            read_only_query(text, "postgres", "table.query")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_conditions(dialect: str) -> None:
    assert read_only_condition("age > 3 and zip in ('1', '2') -- why", dialect, "where").text.startswith("age > 3")
    assert [name.table for name in read_only_condition("id in (select id from consent)", dialect, "where").tables] == ["consent"]
    for text in (
        "1 = 1) group by (a", "1 = 1) or (1 = 1", "age > 3; drop table t", "age > 3) union select (1", "select 1", "age >", "",
        "nextval('s') > 1", f"name = '{SECRET}",
    ):  # fmt: skip
        with pytest.raises(RequestError, match=r"^where: ") as refused:
            read_only_condition(text, dialect, "where")
        assert SECRET not in str(refused.value)


PLACES = (
    "select {} as a", "select a from t where {} > 0", "select a from t order by {}", "select a from t group by a having max({}) > 0",
    "select case when {} > 0 then 1 end as a", "select max(a) over (order by {}) as a from t", "with x as (select {} as a) select a from x",
    "select a from t join u on {} = 1", "select a from t where a in (select {})", "select coalesce(1, {}) as a", "select 1 + {} as a",
    "select a from t union all select {}", "select a from t limit {}", "select * from {} as x", "select (({})) as a", "select - {} as a",
)  # fmt: skip
GAPS = ("", " ", "\n", "/**/", " /* ( */ ", "-- (\n", "\t", "\u00a0", "\u200b", "\u3000", "\x00", "\\")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("place", PLACES)
def test_no_spelling_hides_a_call(dialect: str, place: str) -> None:
    mark = "`" if dialect == "mysql" else '"'
    for name, gap in product(("evil", "EviL", f"{mark}evil{mark}", "main.evil", f"pg_catalog.{mark}evil{mark}", "pg_catalog . evil"), GAPS):
        for arguments in ("('s')", "(1, a)", "()"):
            with pytest.raises(RequestError, match=r"^table.query: "):
                read_only_query(place.format(name + gap + arguments), dialect, "table.query")
