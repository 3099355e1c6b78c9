"""Tables with many columns: work grows linearly with the columns, and no statement joins too many tables."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import duckdb
import pytest
from support.databases import Database

import kanon_sql as ks
from kanon_sql.commands.solution import _seconds_before
from kanon_sql.workspace import Stage, Workspace

ROWS = 12


def wide(backend: Database, table: str, columns: int) -> list[str]:
    """Create a table of many columns, in each of which two values alternate."""
    names = [f"c{number}" for number in range(columns)]
    backend.create(table, dict.fromkeys(names, "integer"), [(row % 2,) * columns for row in range(ROWS)])
    return names


def policy(table: str, quasi: list[str], **others: Any) -> dict[str, Any]:
    columns = {name: {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 10]}} for name in quasi}
    return {"table": table, "publish": {"into": f"{table}_anon"}, "privacy": {"k": 2}, "columns": columns, **others}


def written(report: Any) -> tuple[int, int]:
    """Return the number of statements of a run and of their characters."""
    return len(report.statements), sum(len(statement.sql) for statement in report.statements)


def test_work_grows_with_the_quasi_identifiers(backend: Database) -> None:
    found = []
    for count in (40, 80):
        names = wide(backend, f"t{count}", count)
        levels = dict.fromkeys(names, 3)
        report = ks.anonymize(backend.url, policy(f"t{count}", names), levels=levels)
        joins = [statement.sql.lower().count(" join ") for statement in report.statements if statement.template.startswith("count/")]
        assert max(joins) <= 20
        found.append(written(report))
    (few, short), (many, long) = found
    assert many <= 2.2 * few
    assert long <= 2.4 * short


def test_work_grows_with_the_columns_that_are_kept(backend: Database) -> None:
    found = []
    for count in (200, 400):
        names = wide(backend, f"t{count}", count)
        report = ks.anonymize(backend.url, policy(f"t{count}", names[:2], others="keep"))
        distinct = [statement.sql.lower().count("count(distinct") for statement in report.statements]
        assert max(distinct) <= 50
        found.append(written(report))
        assert len(backend.execute(f"select * from {backend.quote(f't{count}_anon')}")[0]) == count
    (few, short), (many, long) = found
    assert many <= 2.2 * few
    assert long <= 2.2 * short


def test_duckdb_plans_wide_statements_simply_and_restores_its_optimizer() -> None:
    """Without this setting, DuckDB takes minutes to plan the storage of a sort of 200 columns."""
    question = "select current_setting('disabled_optimizers')"
    for before in ("", "late_materialization"):
        with duckdb.connect() as connection:
            connection.execute(
                "create table t as select " + ", ".join(f"i % 2 as c{number}" for number in range(60)) + " from range(12) r(i)"
            )
            connection.execute("set disabled_optimizers = $1", [before])
            during: list[Any] = []

            def look(name: str, stage: object, connection: duckdb.DuckDBPyConnection = connection, during: list[Any] = during) -> None:
                if name == "publish" and stage is None:
                    during.extend(connection.execute(question).fetchone() or ())

            ks.anonymize(connection, policy("t", ["c0"], others="keep"), listener=look)
            assert set(during[0].split(",")) == {"compressed_materialization", *filter(None, [before])}
            assert connection.execute(question).fetchone() == (before,)


@pytest.mark.engines("sqlite", "mariadb")
def test_a_release_that_needs_too_many_joins(backend: Database) -> None:
    """Counting works for any number of quasi-identifiers; a release that one statement cannot join is refused with the numbers."""
    names = wide(backend, "t", 70)
    most = {"sqlite": 64, "mariadb": 61}[backend.name]
    with pytest.raises(ks.RequestError, match=rf"a join of 7[12] tables, .* joins at most {most}; set min_level"):
        ks.anonymize(backend.url, policy("t", names), levels=dict.fromkeys(names, 0))
    assert backend.tables() == {"t"}
    assert ks.anonymize(backend.url, policy("t", names), levels=dict.fromkeys(names, 3)).k == ROWS


def test_the_budget_covers_the_stages_before_the_search() -> None:
    """If a stage ran twice because the table changed, the second time counts."""
    stages = [Stage("recover", 9, 1), Stage("profile", 1, 1), Stage("count", 50, 1), Stage("search", 7, 1), Stage("count", 2, 1)]
    assert _seconds_before(cast("Workspace", SimpleNamespace(record=SimpleNamespace(stages=stages)))) == 3
