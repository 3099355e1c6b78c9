"""One snapshot of the source: rows that others commit during a run are not published uncounted and not read partially."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pytest
from support.databases import Database

import kanon_sql as ks
from kanon_sql.cli.release_status import ReleaseStatus
from kanon_sql.workspace import Workspace

POLICY: dict[str, Any] = {
    "table": "t",
    "publish": {"into": "t_anon"},
    "privacy": {"k": 3},
    "columns": {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}, "b": "insensitive"},
}


def run_with(
    backend: Database, monkeypatch: pytest.MonkeyPatch, *, before: str, foreign: str, note: ReleaseStatus | None = None
) -> ks.AnonymizeReport:
    """Run while another connection commits a statement before one of the run's statements."""
    original = Workspace.perform

    def meddled(self: Workspace, template: str, sql: str, action: Any) -> Any:
        if template.startswith(before):
            monkeypatch.setattr(Workspace, "perform", original)
            backend.execute(foreign)
        return original(self, template, sql, action)

    monkeypatch.setattr(Workspace, "perform", meddled)
    return ks.anonymize(backend.url, POLICY, listener=note.watch(None) if note else None)


FOREIGN = {
    "a row of a counted class": "insert into t values (1, 9)",
    "a row nobody has counted": "insert into t values (7, 9)",
    "a row less": "delete from t where a = 2",
    "an update": "update t set a = 7 where a = 2",
}


@pytest.mark.engines("duckdb", "postgresql", "mariadb")  # SQLite locks its file against writers
@pytest.mark.parametrize("what", FOREIGN)
def test_changes_by_other_sessions_between_count_and_publish(backend: Database, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    backend.create("t", {"a": "integer", "b": "integer"}, [(1, 1)] * 4 + [(2, 2)] * 3)
    # No other process can write to the file that a run in DuckDB has opened, but this one can, until the release is begun.
    before = "recode/" if backend.name == "duckdb" else "publish/"
    if backend.name == "postgresql" or what == "a row nobody has counted":
        assert run_with(backend, monkeypatch, before=before, foreign=FOREIGN[what]).published_rows == 7
        assert sorted(backend.rows("t_anon")) == [(1, 1)] * 4 + [(2, 2)] * 3
    else:
        with pytest.raises(ks.VerificationError, match="the source changed during the run"):
            run_with(backend, monkeypatch, before=before, foreign=FOREIGN[what])
        assert backend.tables() == {"t"}


@pytest.mark.engines("postgresql", "mariadb")
def test_a_target_that_another_session_creates_is_not_replaced(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    backend.create("t", {"a": "integer", "b": "integer"}, [(1, 1)] * 4)
    note = ReleaseStatus()
    with pytest.raises(ks.KanonError):
        run_with(backend, monkeypatch, before="workspace/ddl/rename_table", foreign="create table t_anon (theirs integer)", note=note)
    assert str(note) == "Nothing was published."
    assert backend.tables() == {"t", "t_anon"}
    assert backend.rows("t_anon") == []


def test_a_duckdb_transaction_sees_one_state(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "x.duckdb")) as ours:
        ours.execute("create table t as select i % 2 as a, i as b from range(10) r(i)")
        theirs = ours.cursor()
        policy = {**POLICY, "columns": {**POLICY["columns"], "b": {"role": "insensitive", "accept_unique": True}}}

        def meddle(name: str, stage: Any) -> None:
            if name == "publish" and stage is None:
                theirs.execute("insert into t values (0, 100), (7, 101)")

        report = ks.anonymize(ours, policy, listener=meddle)
        assert report.published_rows == 10
        assert ours.execute("select count(*), max(b) from t_anon").fetchall() == [(10, 9)]
        assert ours.execute("select count(*) from t").fetchall() == [(12,)]
        theirs.close()


@pytest.mark.engines("sqlite")
def test_sqlite_writers_wait_until_the_run_ends(backend: Database) -> None:
    backend.create("t", {"a": "integer", "b": "integer"}, [(1, 1)] * 4)
    refused = []

    def meddle(name: str, stage: Any) -> None:
        connection = sqlite3.connect(backend.url.split(":///")[1], timeout=0)
        try:
            connection.execute("insert into t values (5, 5)")
        except sqlite3.OperationalError:
            refused.append(name)
        finally:
            connection.close()

    ks.anonymize(backend.url, POLICY, listener=meddle)
    assert {"count", "search", "publish", "verify", "swap"} <= set(refused)
    backend.execute("insert into t values (5, 5)")


@pytest.mark.engines("sqlite", "postgresql", "mariadb")  # a DuckDB file has one process
def test_two_runs_into_one_target(backend: Database) -> None:
    """The second run starts before the first one swaps: one of them publishes, the other reports why it did not."""
    backend.create("t", {"a": "integer", "b": "integer"}, [(1, 1)] * 4)
    url = backend.url + ("?timeout=0.1" if backend.name == "sqlite" else "")
    outcomes: list[str] = []

    def second_run(name: str, stage: Any) -> None:
        if name == "swap" and stage is None:
            try:
                ks.anonymize(url, POLICY)
                outcomes.append("published")
            except ks.BackendError as error:
                outcomes.append(str(error))

    try:
        ks.anonymize(url, POLICY, listener=second_run)
        first = "published"
    except ks.BackendError as error:
        first = str(error)
    assert sorted([first == "published", outcomes[0] == "published"]) == [False, True]
    refusal = first if first != "published" else outcomes[0]
    assert "another run is using" in refusal or "created during the run" in refusal or "locked" in refusal
    assert backend.tables() == {"t", "t_anon"}
    assert len(backend.rows("t_anon")) == 4
