"""Grants on the release, statements before and after a run, and timeouts, on every engine."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from support.databases import Database, Server

import kanon_sql as ks
from kanon_sql.cli import run

POLICY: dict[str, Any] = {
    "table": "t", "publish": {"into": "t_anon"}, "privacy": {"k": 2}, "columns": {"a": "quasi_identifier"},
}  # fmt: skip
LOG = "insert into log values ('{}')"


@pytest.fixture(autouse=True)
def table(backend: Database) -> None:
    backend.create("t", {"a": "integer"}, [(n % 3,) for n in range(12)])
    backend.create("log", {"what": "text"})


def logged(backend: Database) -> list[str]:
    return [row[0] for row in backend.rows("log")]


def hooks(**more: Any) -> dict[str, Any]:
    return {**POLICY, "pre_hook": LOG.format("before"), "post_hook": [LOG.format("after"), LOG.format("last")], **more}


def test_hooks_run_before_and_after(backend: Database) -> None:
    report = ks.anonymize(backend.url, hooks())
    assert logged(backend) == ["before", "after", "last"]
    names = [statement.template for statement in report.statements]
    assert (
        names.index("pre_hook[1]")
        < names.index("count/combinations")
        < names.index("workspace/ddl/rename_table")
        < names.index("post_hook[1]")
    )
    ks.anonymize(backend.url, hooks(), replace=True)
    assert len(logged(backend)) == 6
    ks.anonymize(backend.url, hooks(), replace=True, dry_run=True)
    ks.solve(backend.url, hooks())
    assert len(logged(backend)) == 6


def test_hooks_run_before_and_after_a_run_in_place(backend: Database) -> None:
    given = hooks(publish={"in_place": True})
    with pytest.raises(ks.RequestError, match="nothing was done"):
        ks.anonymize(backend.url, given)
    assert logged(backend) == []
    ks.anonymize(backend.url, given, yes=True)
    assert logged(backend) == ["before", "after", "last"]


def test_a_failing_first_hook_publishes_nothing(backend: Database) -> None:
    with pytest.raises(ks.QueryError, match=r"statement pre_hook\[2\] failed in stage pre_hook: .*; nothing was published") as failed:
        ks.anonymize(backend.url, hooks(pre_hook=[LOG.format("before"), "insert into nowhere values ('secret')"]))
    assert "secret" not in str(failed.value)
    assert "t_anon" not in backend.tables()
    for text in ("begin", "  -- now\ncommit", "/* so */ START  transaction"):
        with pytest.raises(ks.RequestError, match=r"post_hook\[1\]: a hook is one statement"):
            ks.anonymize(backend.url, hooks(post_hook=text))


def test_a_failing_last_hook_leaves_the_release(backend: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = hooks(post_hook=[LOG.format("after"), "insert into nowhere values ('secret')", LOG.format("last")])
    with pytest.raises(ks.AfterReleaseError, match=r"the release is published, but .* post_hook\[2\] failed") as failed:
        ks.anonymize(backend.url, given)
    assert failed.value.report.published_rows == len(backend.rows("t_anon")) == 12
    assert logged(backend) == ["before", "after"]
    file = tmp_path / "policy.yml"
    file.write_text(json.dumps(given))
    assert run(["anonymize", backend.url, "--policy", str(file), "--replace", "--json"]) == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out)["status"] == "published"
    assert "post_hook[2] failed" in shown.err
    assert "secret" not in shown.err.partition("Error:")[2]


@pytest.fixture
def reader(backend: Database) -> Iterator[sa.URL]:
    """Return the URL of an account that can only connect."""
    assert isinstance(backend, Server)
    name = f"reader_{backend.database}"
    if backend.name == "postgresql":
        backend.at_home(f"create role {name} login password 'reader'")
    else:
        backend.at_home(f"create user {name}@localhost identified by 'reader'")
    yield sa.make_url(backend.url).set(username=name, password="reader")
    if backend.name == "postgresql":
        backend.execute(f"drop owned by {name}")
    backend.at_home(f"drop user {name}{'' if backend.name == 'postgresql' else '@localhost'}")


def counted(url: sa.URL) -> int:
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.connect() as connection:
        return int(connection.exec_driver_sql("select count(*) from t_anon").scalar_one())


@pytest.mark.engines("postgresql", "mariadb")
def test_granted_roles_can_read_the_release(backend: Database, reader: sa.URL) -> None:
    given = {**POLICY, "grants": {"select": [f"{reader.username}{'' if backend.name == 'postgresql' else '@localhost'}"]}}
    ks.anonymize(backend.url, POLICY)
    with pytest.raises(sa.exc.DBAPIError):
        counted(reader)
    ks.anonymize(backend.url, given, replace=True)
    assert counted(reader) == 12
    backend.drop("t_anon")
    report = ks.anonymize(backend.url, given)
    assert counted(reader) == 12
    sql = [statement.template for statement in report.statements]
    if backend.name == "postgresql":
        assert sql.index("workspace/ddl/grant_select") < sql.index("commit")
    for table in ("t", "log"):
        with pytest.raises(sa.exc.DBAPIError):
            sa.create_engine(reader, poolclass=sa.NullPool).connect().exec_driver_sql(f"select count(*) from {table}")


@pytest.mark.engines("postgresql", "mariadb")
def test_a_missing_role_publishes_nothing(backend: Database) -> None:
    with pytest.raises(ks.QueryError, match="statement workspace/ddl/grant_select failed in stage swap"):
        ks.anonymize(backend.url, {**POLICY, "grants": {"select": "nobody_such"}})
    assert backend.tables() == {"t", "log"}


@pytest.mark.engines("duckdb", "sqlite")
def test_files_have_no_roles(backend: Database) -> None:
    with pytest.raises(ks.RequestError, match=r"grants: (DuckDB|SQLite) has no roles"):
        ks.anonymize(backend.url, {**POLICY, "grants": {"select": ["reader"]}})


@pytest.mark.engines("postgresql", "mariadb")
def test_timeouts_apply_to_the_run_only(backend: Database) -> None:
    asked = {
        "postgresql": "insert into log select current_setting('lock_timeout') || ' ' || current_setting('statement_timeout')",
        "mariadb": "insert into log select concat(@@lock_wait_timeout, ' ', @@innodb_lock_wait_timeout, ' ', @@max_statement_time)",
    }
    given = {**POLICY, "lock_timeout": "1500ms", "statement_timeout": "20s", "post_hook": asked[backend.name]}
    engine = sa.create_engine(backend.url)
    with engine.connect() as connection:
        ask = sa.text(re.sub("^insert into log ", "", asked[backend.name]))
        before = connection.execute(ask).scalar_one()
        connection.rollback()
        ks.anonymize(connection, given)
        assert connection.execute(ask).scalar_one() == before
        connection.rollback()
        with pytest.raises(ks.QueryError):
            ks.anonymize(connection, {**given, "pre_hook": "select 1 from nowhere"}, replace=True)
        assert connection.execute(ask).scalar_one() == before
    engine.dispose()
    assert logged(backend) == [{"postgresql": "1500ms 20s", "mariadb": "2 2 20.000000"}[backend.name]]


@pytest.mark.engines("postgresql", "mariadb")
def test_a_statement_that_takes_too_long_is_stopped(backend: Database) -> None:
    slow = {"postgresql": "select pg_sleep(5)", "mariadb": "select count(*) from t a, t b, t c, t d, t e, t f, t g, t h where sleep(0.01)"}
    with pytest.raises(ks.QueryError, match="cancelled"):
        ks.anonymize(backend.url, {**POLICY, "pre_hook": slow[backend.name], "statement_timeout": "50ms"})
    assert "t_anon" not in backend.tables()


@pytest.mark.engines("sqlite")
def test_sqlite_waits_for_a_lock_up_to_its_timeout(backend: Database) -> None:
    ks.anonymize(backend.url, {**POLICY, "lock_timeout": "70ms", "post_hook": "insert into log select timeout from pragma_busy_timeout"})
    assert logged(backend) == ["70"]


@pytest.mark.engines("duckdb", "sqlite")
def test_timeouts_that_an_engine_lacks_are_refused(backend: Database) -> None:
    supported = r" \(it supports lock_timeout\)" if backend.name == "sqlite" else ""
    with pytest.raises(ks.RequestError, match=f"statement_timeout: (DuckDB|SQLite) does not support it; leave it out{supported}$"):
        ks.anonymize(backend.url, {**POLICY, "statement_timeout": "5s"})
