"""Translation of templates: cached for all runs of a process, and never a change in a user's names or query."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from kanon_sql.sql import translation
from kanon_sql.sql.dialects import DIALECTS
from kanon_sql.sql.templates import quote, render
from kanon_sql.sql.translation import TemplateError, translate, translate_shape
from kanon_sql.sql.user_queries import render_comparison
from kanon_sql.tables import RowSource, SourceQuery, TableName

RUN, OTHER_RUN, COMMON = "__kanon_1a2b3c4d_", "__kanon_9f8e7d6c_", "__kanon_00000000_"
HOSTILE = [
    f"{COMMON}a",
    f"{RUN}a",
    f"{OTHER_RUN}a",
    f"{RUN}{COMMON}",
    f"{COMMON}{RUN}",
    f"{RUN}{RUN[1:]}",
    f"{RUN}{COMMON[1:]}x",
    f"{COMMON[:-1]}{RUN}",
    f"_{COMMON}",
    COMMON.upper(),
    '__kanon_0000"0000_x',
    "__kanon_0000`0000_x",
    "__kanon_query_1",
    "__kanon_query_1_",
    "__kanon_table",
    "n0_1",
    "q0_1",
    "7" * 15 + "1",
]
dialects = pytest.mark.parametrize("dialect", DIALECTS)


def home(name: str) -> str:
    return quote(name, "duckdb")


@dialects
def test_a_run_translates_nothing_that_another_run_translated(dialect: str) -> None:
    text = 'select count(*) as row_count from "{}frequencies" as f where f."only here" > 1'
    first = translate(text.format(RUN), dialect)
    misses = translation._translate.cache_info().misses
    second = translate(text.format(OTHER_RUN), dialect)
    assert translation._translate.cache_info().misses == misses
    assert quote(f"{RUN}frequencies", dialect) in first
    assert second == first.replace(RUN, OTHER_RUN)


@dialects
@pytest.mark.parametrize("translated", [translate, translate_shape])
def test_names_that_look_like_those_of_a_run_stay(dialect: str, translated: Callable[[str, str], str]) -> None:
    for one, other in itertools.product(HOSTILE, HOSTILE):
        text = f"select {home(one)}, {home(other)} as {home(one)} from {home(RUN + 'combined')} where {home(other)} > 7"
        sql = translated(text, dialect)
        for name in (one, other, RUN + "combined"):
            assert quote(name, dialect) in sql, (one, other)
        assert [sql.count(name) for name in (COMMON, RUN, OTHER_RUN)] == [text.count(name) for name in (COMMON, RUN, OTHER_RUN)]


@dialects
def test_a_source_query_is_not_translated(dialect: str) -> None:
    marks = " ".join(HOSTILE).replace('"', "").replace("`", "")
    text = f"select   A,'{marks}; drop' AS b from {quote('__kanon_query_1', dialect)}"
    sql = render("profile/source_queries/shape", dialect, {"source": SourceQuery(text)})
    assert sql.count(f"(\n{text}\n)") == 1
    assert (
        sql.replace(text, "").lower().split()
        == "/* kanon_sql profile/source_queries/shape */ select * from ( ) as {} limit 0".format(
            "source_row" if dialect == "duckdb" else quote("source_row", dialect)
        ).split()
    )


@dialects
def test_a_table_called_like_a_source_query_is_not_replaced(dialect: str) -> None:
    tables: dict[str, RowSource] = {"source_result": SourceQuery("select 1 as a"), "release_result": TableName(("__kanon_query_1",))}
    sql = render_comparison("measure/queries/errors", dialect, "select count(*) from {table}", tables)
    assert quote("__kanon_query_1", dialect) in sql
    assert sql.count("(\nselect 1 as a\n)") == 1


def test_a_source_query_in_a_list_is_refused() -> None:
    with pytest.raises(TemplateError, match="must be an argument, not part of a list"):
        render("profile/source_queries/shape", "sqlite", {"source": TableName(("t",)), "tables": [SourceQuery("select 1 as a")]})


def test_postgresql_sums_rows_without_numeric_numbers() -> None:
    """A sum of bigint is numeric there; floating-point numbers are exact for any number of rows that a table can have."""
    text = "select sum(row_count) as a, sum(case when x > 1 then c.class_size else 0 end) as b, sum(suppressed * class_size) as d from c"
    assert translate(text, "postgres").count("AS DOUBLE PRECISION)) AS BIGINT)") == 3
    assert "sum(row_count)" in translate(text, "sqlite").lower().replace('"', "")
    for other in ("sum(row_count) over (order by x)", "sum(class_size * loss)", "sum(case when x > 1 then 1 else 0 end)", "sum(x)"):
        assert "CAST" not in translate(f"select {other} as y from c", "postgres"), other
