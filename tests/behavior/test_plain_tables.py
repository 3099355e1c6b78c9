"""An engine without temporary tables, rename and transactions publishes into a new table and leaves nothing else behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from support.databases import Database
from support.people import make_people, policy, write_education

import kanon_sql as ks
from kanon_sql.backends import Purpose
from kanon_sql.backends.duckdb import DuckDBBackend
from kanon_sql.backends.run_tables import RunTables, copy_and_drop
from kanon_sql.commands.debug import debug

pytestmark = pytest.mark.engines("duckdb")
UNSUPPORTED = ("create temporary", "rename to", "begin", "commit", "rollback")


class PlainDuckDB(DuckDBBackend):
    """DuckDB as if it had ordinary tables only."""

    has_transactions: ClassVar[bool] = False
    rolls_back_tables: ClassVar[bool] = False
    searches_in_transaction: ClassVar[bool] = False
    run_tables = RunTables(are_temporary=False, schema=("scratch",), naming=copy_and_drop)
    statements: ClassVar[list[str]] = []
    fails_at: ClassVar[str | None] = None

    def begin(self, purpose: Purpose) -> None:
        self._session.prepare()

    def _execute(self, sql: str, parameters: Sequence[object]) -> Any:
        lines = [line for line in sql.lower().splitlines() if not line.startswith("/*")]
        assert not any(word in line for word in UNSUPPORTED for line in lines[:1]), sql
        self.statements.append(sql)
        if self.fails_at is not None and f"/* kanon_sql {self.fails_at} */" in sql:
            type(self).fails_at = None
            sql = "select no_such_function()"
        return super()._execute(sql, parameters)


@pytest.fixture
def plain(backend: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    backend.execute("create schema scratch")
    make_people(backend)
    monkeypatch.setattr("kanon_sql.backends.duckdb.DuckDBBackend", PlainDuckDB)
    monkeypatch.setattr(PlainDuckDB, "statements", [])
    monkeypatch.setattr(PlainDuckDB, "fails_at", None)
    return backend


def run(backend: Database, folder: Path, **changes: Any) -> ks.AnonymizeReport:
    return ks.anonymize(backend.url, ks.load_policy(policy(**changes), folder=write_education(folder)))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"algorithm": "mondrian"},
        {"where": "age > 20"},
        {"table": {"query": "select * from people where age > 20"}},
        {"privacy": {"k": 3, "l_diversity": [{"column": "diagnosis", "l": 2}]}},
    ],
    ids=["flash", "mondrian", "where", "query", "l-diversity"],
)
def test_a_release_is_published_from_ordinary_tables(
    plain: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any]
) -> None:
    report = run(plain, tmp_path, **changes)
    released = plain.rows("people_anon")
    assert plain.tables() == {"people", "people_anon"}
    assert any('create table "scratch"."__kanon_' in sql for sql in PlainDuckDB.statements)
    plain.execute("drop table people_anon")
    monkeypatch.setattr("kanon_sql.backends.duckdb.DuckDBBackend", DuckDBBackend)
    usual = run(plain, tmp_path, **changes)
    assert (report.levels, report.classes, report.published_rows) == (usual.levels, usual.classes, usual.published_rows)
    assert Counter(released) == Counter(plain.rows("people_anon"))


STATEMENTS = ["count/combinations", "recode/full_domain", "verify/k_anonymity", "workspace/ddl/copy_table", "workspace/ddl/insert_select"]


@pytest.mark.parametrize("template", STATEMENTS)
def test_a_run_that_fails_leaves_nothing(plain: Database, tmp_path: Path, template: str) -> None:
    PlainDuckDB.fails_at = template
    with pytest.raises(ks.KanonError):
        run(plain, tmp_path)
    assert PlainDuckDB.fails_at is None
    assert plain.tables() == {"people"}


def test_debug_tries_the_way_of_the_engine(plain: Database) -> None:
    report = debug(plain.url)
    assert report.works
    assert any("/* kanon_sql workspace/ddl/copy_table */" in sql for sql in PlainDuckDB.statements)
    assert plain.tables() == {"people"}
