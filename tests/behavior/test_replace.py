"""Replacing a target: only the target is dropped, and objects that read it keep reading it."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from support.databases import Database

import kanon_sql as ks
from kanon_sql.cli import run

POLICY: dict[str, Any] = {
    "table": "t",
    "publish": {"into": "t_anon", "replace": True},
    "privacy": {"k": 3},
    "columns": {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}},
}


def make(backend: Database, table: str = "t") -> None:
    backend.create(table, {"a": "integer"}, [(number % 2,) for number in range(10)])


def test_a_target_is_replaced_repeatedly(backend: Database) -> None:
    make(backend)
    for _ in range(3):
        assert ks.anonymize(backend.url, POLICY).published_rows == 10
    assert backend.tables() == {"t", "t_anon", "__kanon_journal", "kanon_runs"}
    assert [entry.status for entry in ks.history(backend.url)] == ["published", "published", "published"]


def test_a_view_on_the_target_keeps_reading_it(backend: Database) -> None:
    make(backend)
    ks.anonymize(backend.url, POLICY)
    backend.execute("create view v as select count(*) as n from t_anon")
    for rows in (11, 12):
        backend.execute("insert into t values (1)")
        ks.anonymize(backend.url, POLICY)
        assert backend.rows("v") == [(rows,)]


def test_a_view_on_a_column_that_changes_is_named_first(backend: Database) -> None:
    make(backend)
    ks.anonymize(backend.url, POLICY)  # column a is an integer still
    backend.execute("create view v as select a from t_anon")
    backend.execute("insert into t values (7)")  # now it has to become text
    with pytest.raises(ks.RequestError, match="view v reads column a, which changes"):
        ks.anonymize(backend.url, POLICY)
    assert len(backend.rows("v")) == 10
    ks.anonymize(backend.url, {**POLICY, "publish": {**POLICY["publish"], "allow_loss": ["v"]}})
    assert len(backend.rows("t_anon")) == 11


def test_a_replacement_requested_at_run_time_is_recorded(backend: Database) -> None:
    make(backend)
    policy = {**POLICY, "publish": {"into": "t_anon"}}
    ks.anonymize(backend.url, policy)
    assert ks.history(backend.url) == []
    ks.anonymize(backend.url, policy, replace=True)
    assert [entry.table_name for entry in ks.history(backend.url)] == ["t_anon"]


def test_a_replacement_reports_dropped_and_kept_objects(backend: Database) -> None:
    make(backend)
    ks.anonymize(backend.url, POLICY)
    backend.execute("create view v as select a from t_anon")
    backend.execute("insert into t values (7)")
    report = ks.anonymize(backend.url, {**POLICY, "publish": {**POLICY["publish"], "allow_loss": ["v"], "keep_backup": True}})
    said = "\n".join(report.warnings)
    assert "dropped with permission: view v" in said
    (backup,) = [table for table in backend.tables() if table.endswith("_backup")]
    assert f"the backup {backup} holds the original rows" in said
    assert len(backend.rows(backup)) == 10


def test_objects_of_the_target_are_kept(backend: Database) -> None:
    make(backend)
    ks.anonymize(backend.url, POLICY)
    backend.execute("create index by_a on t_anon (a)")
    ks.anonymize(backend.url, POLICY)
    with pytest.raises(Exception, match=r"(?i)exist|duplicate"):
        backend.execute("create index by_a on t_anon (a)")


def test_tables_that_the_source_reads_are_not_replaced(backend: Database) -> None:
    make(backend, "raw")
    backend.execute("create view middle as select * from raw")
    backend.execute("create view t as select a from middle")
    with pytest.raises(ks.RequestError, match="seems to read the target"):
        ks.anonymize(backend.url, {**POLICY, "publish": {"into": "raw", "replace": True}})
    assert len(backend.rows("raw")) == 10


def test_a_target_with_the_same_prefix_is_replaced(backend: Database) -> None:
    make(backend, "raw_rows")
    backend.execute("create view t as select a from raw_rows")
    for _ in range(2):
        assert ks.anonymize(backend.url, {**POLICY, "publish": {"into": "raw", "replace": True}}).published_rows == 10


@pytest.mark.engines("postgresql")
def test_a_partition_of_the_source_is_not_replaced(backend: Database) -> None:
    backend.execute("create table t (a integer) partition by list (a)")
    backend.execute("create table part partition of t for values in (1)")
    backend.execute("insert into t values (1), (1), (1)")
    with pytest.raises(ks.RequestError, match="seems to read the target"):
        ks.anonymize(backend.url, {**POLICY, "publish": {"into": "part", "replace": True}})
    assert len(backend.rows("t")) == 3


@pytest.mark.engines("mariadb")
def test_a_target_that_foreign_keys_point_to_is_not_replaced(backend: Database) -> None:
    make(backend)
    backend.execute("create table t_anon (a bigint primary key)")
    backend.execute("create table kid (a bigint references t_anon (a))")
    with pytest.raises(ks.RequestError, match="references the table"):
        ks.anonymize(backend.url, POLICY)
    assert backend.tables() == {"t", "t_anon", "kid"}


def test_a_dry_run_accepts_an_existing_target(backend: Database) -> None:
    make(backend)
    policy = {**POLICY, "publish": {"into": "t_anon"}}
    ks.anonymize(backend.url, policy)
    assert ks.anonymize(backend.url, policy, dry_run=True).k == 5


def test_a_missing_schema_is_named(backend: Database) -> None:
    make(backend)
    with pytest.raises(ks.RequestError, match="schema nowhere does not exist"):
        ks.anonymize(backend.url, {**POLICY, "publish": {"into": "nowhere.t_anon"}})


def test_duckdb_leaves_other_attached_databases_alone(tmp_path: Any) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"attach '{tmp_path / 'prod.duckdb'}' as prod")
        connection.execute("create table prod.main.t_anon as select 7 as mine")
        connection.execute("create table t as select i % 2 as a from range(10) r(i)")
        ks.anonymize(connection, {**POLICY, "publish": {"into": "main.t_anon", "replace": True}})
        assert connection.execute("select * from prod.main.t_anon").fetchall() == [(7,)]
        assert connection.execute("select count(*) from memory.main.t_anon").fetchall() == [(10,)]
        with pytest.raises(ks.RequestError, match="does not exist"):
            ks.check(connection, "only_there", quasi_identifiers=["a"], k=2)


def test_the_history_contains_first_releases_and_reasons_of_failures(backend: Database, capsys: pytest.CaptureFixture[str]) -> None:
    make(backend)
    ks.anonymize(backend.url, POLICY, dry_run=True)
    assert backend.tables() == {"t"}, "a dry run records nothing"
    first = ks.anonymize(backend.url, POLICY)
    assert backend.tables() == {"t", "t_anon", "kanon_runs"}
    backend.execute("delete from t where a = 1")
    backend.execute("update t set a = 42")
    with pytest.raises(ks.KanonError) as refused:
        ks.anonymize(backend.url, {**POLICY, "privacy": {"k": 50}})
    published, failed = ks.history(backend.url)
    assert (published.status, published.table_name, published.reason) == ("published", "t_anon", None)
    assert published.to_dict()["utility"] == first.utility
    assert (failed.status, failed.to_dict()["solution"]) == ("failed", None)
    assert failed.reason == f"{type(refused.value).__name__}: {refused.value}"
    assert "42" not in failed.reason
    assert run(["history", backend.url]) == 0
    assert f"{failed.run_id} failed: {failed.reason}" in capsys.readouterr().out


@pytest.mark.parametrize("publish", [{"history": False, "replace": True}, {}])
def test_history_of_a_new_table_can_be_disabled(backend: Database, publish: dict[str, Any]) -> None:
    make(backend)
    ks.anonymize(backend.url, {**POLICY, "publish": {"into": "t_anon", **publish}})
    assert backend.tables() == {"t", "t_anon"}


def test_a_schema_with_a_history_records_every_new_release(backend: Database) -> None:
    make(backend)
    ks.anonymize(backend.url, POLICY)
    ks.anonymize(backend.url, {**POLICY, "publish": {"into": "t_once"}})
    ks.anonymize(backend.url, {**POLICY, "publish": {"into": "t_unrecorded", "history": False}})
    with pytest.raises(ks.KanonError):
        ks.anonymize(backend.url, {**POLICY, "publish": {"into": "t_none"}, "privacy": {"k": 50}})
    recorded = [(entry.table_name, entry.status) for entry in ks.history(backend.url)]
    assert recorded == [("t_anon", "published"), ("t_once", "published"), ("t_none", "failed")]


def test_a_release_that_cannot_be_recorded_is_published_with_a_warning(backend: Database) -> None:
    make(backend)
    backend.execute("create table kanon_runs (something_else integer)")
    report = ks.anonymize(backend.url, POLICY)
    assert report.published_rows == 10
    assert any("is published, but could not be recorded in" in warning for warning in report.warnings)
    assert len(backend.rows("t_anon")) == 10
