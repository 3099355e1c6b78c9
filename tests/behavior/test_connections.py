"""The connections a user can pass in, and their state afterwards."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlalchemy as sa
from support.databases import Database

import kanon_sql as ks
from kanon_sql.backends import connect

POLICY = {
    "table": "t",
    "publish": {"into": "t_anon", "replace": True},
    "privacy": {"k": 2},
    "columns": {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}},
}


def fill(execute: object) -> None:
    for statement in ("create table t (a integer)", "insert into t values (1), (1), (2)"):
        execute(statement)  # type: ignore[operator]


def test_duckdb_connection_stays_open_and_clean() -> None:
    with duckdb.connect() as connection:
        fill(connection.execute)
        assert ks.anonymize(connection, POLICY).published_rows == 3
        assert ks.check(connection, "t_anon", quasi_identifiers=["a"], k=2).holds
        names = {row[0] for row in connection.execute("select table_name from information_schema.tables").fetchall()}
        assert names == {"t", "t_anon", "kanon_runs"}


def test_settings_in_the_url_of_a_duckdb_file(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        fill(connection.execute)
    found: list[object] = []

    def look(name: str, stage: object) -> None:
        if name == "count" and stage is None:
            with duckdb.connect(str(tmp_path / "x.duckdb"), config={"threads": "1", "memory_limit": "200MB"}) as other:
                found.extend(other.execute("select current_setting('threads'), current_setting('memory_limit')").fetchall())

    url = f"duckdb:///{tmp_path / 'x.duckdb'}"
    assert ks.anonymize(f"{url}?threads=1&memory_limit=200MB", POLICY, listener=look).published_rows == 3
    assert found == [(1, "190.7 MiB")]
    with pytest.raises(ks.RequestError, match=r"'thread' \(did you mean 'threads'\?\)"):
        ks.anonymize(f"{url}?thread=1", POLICY)
    with pytest.raises(ks.RequestError, match="does not accept the value of memory_limit"):
        ks.anonymize(f"{url}?memory_limit=much", POLICY)


def test_duckdb_draws_no_bar_where_json_is_expected(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        fill(connection.execute)
    backend = connect(f"duckdb:///{tmp_path / 'x.duckdb'}", read_only=True)
    try:
        assert backend.fetch("select current_setting('enable_progress_bar')") == [(False,)]
    finally:
        backend.close()


def test_a_duckdb_file_that_the_run_opens_frees_dropped_tables(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        connection.execute("create table t as select i // 3 as a from range(600000) as r(i)")
    policy = {**POLICY, "algorithm": "mondrian", "columns": {"a": {"role": "quasi_identifier", "hierarchy": {"intervals": [10]}}}}

    def in_memory(given: Any) -> int:
        """Return the size of the run's tables when publishing starts."""
        found: list[int] = []

        def look(name: str, stage: object) -> None:
            if name == "publish" and stage is None:
                with duckdb.connect(str(tmp_path / "x.duckdb")) as other:
                    sql = "select sum(memory_usage_bytes) from duckdb_memory() where tag = 'IN_MEMORY_TABLE'"
                    found.extend(row[0] for row in other.execute(sql).fetchall())

        ks.anonymize(given, policy, listener=look)
        return found[0]

    alone = in_memory(f"duckdb:///{tmp_path / 'x.duckdb'}")
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        assert alone < in_memory(connection) / 2  # passed in, all is one transaction, in which dropped tables keep their memory
        assert connection.execute("select count(*) from t_anon").fetchall() == [(600000,)]


def test_duckdb_open_transaction_is_refused_and_kept() -> None:
    with duckdb.connect() as connection:
        fill(connection.execute)
        connection.execute("begin")
        connection.execute("insert into t values (9)")
        with pytest.raises(ks.RequestError, match="open transaction"):
            ks.anonymize(connection, POLICY)
        connection.execute("commit")
        assert connection.execute("select count(*) from t").fetchall() == [(4,)]


def test_sqlalchemy_engine_and_connection(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'x.db'}")
    with engine.begin() as connection:
        fill(connection.exec_driver_sql)
    assert ks.anonymize(engine, POLICY).published_rows == 3
    with engine.connect() as connection:
        assert ks.anonymize(connection, POLICY).published_rows == 3
        assert connection.execute(sa.text("select count(*) from t_anon")).scalar() == 3
        with pytest.raises(ks.RequestError, match="open transaction"):
            ks.anonymize(connection, POLICY)
    engine.dispose()


@pytest.mark.parametrize(
    ("connection", "message"),
    [
        ("nonsense", "cannot be read"),
        ("oracle://host/db", "'oracle' are not supported"),
        ("postgres://host/db", r"'postgres' \(did you mean 'postgresql'\?\) are not supported"),
        ("sqlite:///x.db?password=hunter2", "password in its query"),
        ("postgresql://me:p@hunter2@host/db", "second @: write @ as %40"),
        ("mysql+pymysql://me:p@h/hunter2@host/db", "second @: write @ as %40"),
        (42, "int is not a connection"),
    ],
)
def test_invalid_connections(connection: object, message: str) -> None:
    with pytest.raises(ks.RequestError, match=message) as raised:
        ks.anonymize(connection, POLICY)  # type: ignore[call-overload]
    assert "hunter2" not in str(raised.value)


@pytest.mark.parametrize("url", ["duckdb:///{}/none.duckdb", "sqlite:///{}/none.db"])
def test_a_missing_file_is_not_created(tmp_path: Path, url: str) -> None:
    with pytest.raises(ks.BackendError, match="does not exist"):
        ks.anonymize(url.format(tmp_path), POLICY)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["notes.txt", "notes.csv"])
@pytest.mark.parametrize("scheme", ["duckdb", "sqlite"])
def test_a_file_that_is_not_a_database(tmp_path: Path, scheme: str, name: str) -> None:
    path = tmp_path / name
    path.write_text("not,a,database\n" * 100)
    with pytest.raises(ks.BackendError, match="not a"):
        ks.anonymize(f"{scheme}:///{path}", POLICY)


@pytest.mark.engines("duckdb", "sqlite")
def test_a_locked_database(backend: Database) -> None:
    """Another process holds the database: a clear error, at once or after the driver's timeout."""
    backend.create("t", {"a": "integer"}, [(1,), (1,)])
    holders = {
        "duckdb": "import duckdb, sys; c = duckdb.connect(sys.argv[1])",
        "sqlite": "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('begin exclusive')",
    }
    program = holders[backend.name] + "; print('held', flush=True); input()"
    path = backend.url.split(":///")[1]
    holder = subprocess.Popen([sys.executable, "-c", program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == "held"
        with pytest.raises(ks.BackendError, match=r"in use by another process|locked by another connection"):
            ks.anonymize(backend.url + ("?timeout=0.1" if backend.name == "sqlite" else ""), POLICY)
    finally:
        holder.communicate("\n")
    assert backend.tables() == {"t"}


@pytest.mark.engines("sqlite")
def test_a_read_only_file(backend: Database) -> None:
    backend.create("t", {"a": "integer"}, [(1,), (1,)])
    url = f"sqlite:///file:{backend.url.split(':///')[1]}?mode=ro&uri=true"
    with pytest.raises(ks.BackendError, match="read-only"):
        ks.anonymize(url, POLICY)
    assert ks.check(url, "t", quasi_identifiers=["a"], k=2).holds
    assert ks.anonymize(url, POLICY, dry_run=True).k == 2


def test_an_engine_is_unchanged() -> None:
    """Disposing of an in-memory engine would delete its only database."""
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        fill(connection.exec_driver_sql)
    assert ks.anonymize(engine, POLICY).published_rows == 3
    with engine.connect() as connection:
        assert {row[0] for row in connection.exec_driver_sql("select name from sqlite_master")} == {"t", "t_anon", "kanon_runs"}
    engine.dispose()


@pytest.mark.engines("sqlite", "postgresql", "mariadb")
def test_a_transaction_on_the_driver_itself_is_refused_and_kept(backend: Database) -> None:
    backend.create("t", {"a": "integer"}, [(1,), (1,)])
    engine = sa.create_engine(backend.url)
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert driver is not None
        cursor = driver.cursor()
        cursor.execute("begin")
        cursor.execute("insert into t values (9)")
        with pytest.raises(ks.RequestError, match="open transaction"):
            ks.anonymize(connection, POLICY)
        driver.rollback()
        cursor.close()
    engine.dispose()
    assert len(backend.rows("t")) == 2


@pytest.mark.engines("postgresql", "mariadb")
def test_settings_of_a_passed_in_connection_are_restored(backend: Database) -> None:
    backend.create("t", {"a": "integer"}, [(1,), (1,)])
    asked = {
        "postgresql": "select current_setting('TimeZone'), current_setting('transaction_isolation')",
        "mariadb": "select @@sql_mode, @@collation_connection, @@time_zone, @@optimizer_search_depth, @@autocommit",
    }[backend.name]
    engine = sa.create_engine(backend.url)
    with engine.connect() as connection:
        before = connection.exec_driver_sql(asked).fetchall()
        connection.rollback()
        ks.anonymize(connection, POLICY)
        assert connection.exec_driver_sql(asked).fetchall() == before
        connection.rollback()
        assert connection.exec_driver_sql("select count(*) from t_anon").scalar() == 2
    engine.dispose()


@pytest.mark.engines("duckdb", "postgresql")  # the others cast anything to a number
def test_errors_contain_no_driver_text(backend: Database) -> None:
    """The driver's message contains the text that is not a number; ours must not, not even in a chained exception."""
    backend.create("t", {"a": "text"}, [("s3cret-cell",)] * 2)
    backend.execute("create view broken as select cast(a as integer) as b from t")
    with pytest.raises(ks.QueryError) as raised:
        ks.check(backend.url, "broken", quasi_identifiers=["b"], k=2)
    assert "s3cret-cell" not in str(raised.value) + raised.value.sql
    assert raised.value.__cause__ is None
    assert raised.value.__context__ is None
