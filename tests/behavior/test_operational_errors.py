"""Lost connections, timeouts, missing permissions, read-only servers: a clear error and no leftovers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import pytest
from sqlalchemy import create_engine, make_url
from support.databases import Database, Server

import kanon_sql as ks

POLICY: dict[str, Any] = {
    "table": "t",
    "publish": {"into": "t_anon"},
    "privacy": {"k": 3},
    "columns": {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}},
}
pytestmark = pytest.mark.engines("postgresql", "mariadb")
STAGES = ["profile", "count", "search", "recode", "measure", "publish", "verify", "swap"]


@pytest.fixture
def server(backend: Database) -> Server:
    """Return a database on a server, with a table in it."""
    assert isinstance(backend, Server)
    backend.create("t", {"a": "integer"}, [(number % 2,) for number in range(10)])
    return backend


def untouched(server: Server) -> bool:
    return server.tables() == {"t"} and len(server.rows("t")) == 10


def kill_others(server: Server) -> None:
    """End every other connection to the test's database, as an administrator would."""
    if server.name == "postgresql":
        server.at_home(f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{server.database}'")
    else:
        others = f"select id from information_schema.processlist where db = '{server.database}' and id <> connection_id()"
        for (number,) in server.execute(others):
            server.at_home(f"kill {number}")


@pytest.mark.parametrize("stage", STAGES)
def test_a_connection_lost_in_any_stage(server: Server, stage: str) -> None:
    def cut(name: str, done: Any) -> None:
        if name == stage and done is None:
            kill_others(server)

    with pytest.raises(ks.BackendError, match=r"connection to the server was lost|server is shutting down"):
        ks.anonymize(server.url, POLICY, listener=cut)
    assert untouched(server)


def test_a_statement_timeout(server: Server) -> None:
    """The statement waits for a lock that is never released, so the timeout ends it at any speed of the machine."""
    lock, timeout = {
        "postgresql": ("lock table t in access exclusive mode", "set statement_timeout = '1s'"),
        "mariadb": ("lock tables t write", "set max_statement_time = 1"),
    }[server.name]
    engine = create_engine(server.url)
    with engine.connect() as other, engine.connect() as connection:
        other.exec_driver_sql(lock)
        connection.exec_driver_sql(timeout)
        connection.commit()
        with pytest.raises(ks.BackendError, match="statement timeout"):
            ks.anonymize(connection, POLICY)
        other.invalidate()
        connection.invalidate()
    engine.dispose()
    assert untouched(server)


def as_reader(server: Server) -> str:
    """Return the URL of a user who may only read the table and create temporary tables."""
    name = f"reader_{server.database[-6:]}"
    if server.name == "postgresql":
        server.at_home(f"create role {name} login password 'pw'")
        server.execute(f"grant select on t to {name}")
    else:
        server.at_home(f"create user {name}@localhost identified by 'pw'")
        server.at_home(f"grant select, create temporary tables on {server.database}.* to {name}@localhost")
    return make_url(server.url).set(username=name, password="pw").render_as_string(hide_password=False)


def test_no_permission_to_create_tables(server: Server) -> None:
    url = as_reader(server)
    with pytest.raises(ks.BackendError, match=r"grant it .*CREATE") as raised:
        ks.anonymize(url, POLICY)
    assert "pw" not in str(raised.value)
    assert untouched(server)
    assert ks.anonymize(url, POLICY, dry_run=True).k == 5
    assert ks.check(url, "t", quasi_identifiers=["a"], k=5).holds


def test_a_read_only_server(server: Server) -> None:
    if server.name == "postgresql":
        server.at_home(f"alter database {server.database} set default_transaction_read_only = on")
        refused: Callable[[], Any] = lambda: ks.anonymize(server.url, POLICY)  # noqa: E731
    else:
        server.at_home("set global read_only = 1")
        url = as_reader(server)
        server.at_home(f"grant create, insert, drop, alter on {server.database}.* to reader_{server.database[-6:]}@localhost")
        refused = lambda: ks.anonymize(url, POLICY)  # noqa: E731
    try:
        with pytest.raises(ks.BackendError, match="read-only"):
            refused()
    finally:
        if server.name == "mariadb":
            server.at_home("set global read_only = 0")
    if server.name == "postgresql":
        server.at_home(f"alter database {server.database} reset default_transaction_read_only")
    assert untouched(server)


def test_connection_errors_do_not_contain_the_password(server: Server) -> None:
    secret = "c4nary-s3cret"
    good = make_url(server.url)
    name = f"locked_{server.database[-6:]}"
    server.at_home(
        f"create role {name} login password 'other' in role kanon_locked"
        if server.name == "postgresql"
        else f"create user {name}@localhost identified by 'other'"
    )
    attempts = {
        "or the password is not accepted": good.set(username=name, password=secret),
        "no such database": good.set(database="no_such_database"),
        "no server answers at this address": make_url(f"{good.drivername}://user:{secret}@127.0.0.1:9/db"),
    }
    for message, url in attempts.items():
        with pytest.raises(ks.BackendError, match=message) as raised:
            ks.check(url, "t", quasi_identifiers=["a"], k=2)
        assert secret not in str(raised.value)


def test_a_missing_driver_names_the_extra(server: Server) -> None:
    url = make_url(server.url)
    other = "postgresql+psycopg2" if server.name == "postgresql" else "mysql+mysqldb"
    extra = "postgres" if server.name == "postgresql" else "mysql"
    with pytest.raises(ks.BackendError, match=rf"driver for .* is missing: .*kanon_sql\[{extra}\]"):
        ks.check(url.set(drivername=other).render_as_string(hide_password=False), "t", quasi_identifiers=["a"], k=2)


@pytest.mark.engines("postgresql")
def test_no_space_for_temporary_files(server: Server) -> None:
    server.execute("insert into t select i from generate_series(100, 200000) as r(i)")
    server.at_home(f"alter database {server.database} set temp_file_limit = '64kB'")
    server.at_home(f"alter database {server.database} set work_mem = '64kB'")
    with pytest.raises(ks.BackendError, match="temporary"):
        ks.anonymize(server.url, POLICY)
    assert server.tables() == {"t"}


@pytest.mark.engines("sqlite")
def test_a_full_disk(backend: Database) -> None:
    backend.create("t", {"a": "integer", "b": "text"}, [(number % 2, "x" * 1000) for number in range(500)])
    policy = {**POLICY, "columns": {**POLICY["columns"], "b": "insensitive"}}
    engine = create_engine(backend.url)
    with engine.connect() as connection:
        ((pages,),) = connection.connection.driver_connection.execute("pragma page_count").fetchall()  # type: ignore[union-attr]
        connection.connection.driver_connection.execute(f"pragma max_page_count = {pages + 5}")  # type: ignore[union-attr]
        with pytest.raises(ks.BackendError, match="the disk is full"):
            ks.anonymize(connection, policy)
    engine.dispose()
    assert backend.tables() == {"t"}
    assert len(backend.rows("t")) == 500


def test_duckdb_without_disk_space() -> None:
    with duckdb.connect(config={"memory_limit": "60MB", "max_temp_directory_size": "1MB"}) as connection:
        connection.execute("create table t as select i as a, i * 7 as b from range(2000000) r(i)")
        policy = {**POLICY, "columns": {"a": {"role": "quasi_identifier", "hierarchy": {"intervals": [10]}}, "b": "sensitive"}}
        with pytest.raises(ks.BackendError, match="out of memory or of space"):
            ks.anonymize(connection, policy)
        assert connection.execute("select table_name from duckdb_tables()").fetchall() == [("t",)]
