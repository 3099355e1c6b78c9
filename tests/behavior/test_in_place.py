"""In place: after consent and under a lock, the same table contains the release, and nothing else has changed."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import NullPool, create_engine, make_url, text
from support.databases import Database, Row, Server, canonical
from support.inventory import DUCKDB_LOCKS
from support.people import make_people, write_education
from support.people import policy as people_policy

import kanon_sql as ks
from kanon_sql.cli import run

COLUMNS = {"name": "text", "age": "integer", "zip": "text", "diagnosis": "text"}
OURS = {"__kanon_journal", "kanon_runs"}


def rows(count: int = 60) -> list[Row]:
    return [(f"Secret Name {n}", 20 + n % 10, f"{n % 4}{n % 3}", "flu" if n % 2 else "cold") for n in range(count)]


def policy(columns: dict[str, Any] | None = None, table: str = "people", **publish: Any) -> dict[str, Any]:
    return {
        "table": table,
        "publish": {"in_place": True, **publish},
        "privacy": {"k": 3},
        "columns": {
            "name": "identifier",
            "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 10]}},
            "zip": {"role": "quasi_identifier", "hierarchy": {"mask": {"hide": [1, 2]}}},
            "diagnosis": "sensitive",
            **(columns or {}),
        },
    }


def bag(found: list[Row]) -> Counter[Row]:
    return Counter(found)


@pytest.fixture
def people(backend: Database) -> Database:
    backend.create("people", COLUMNS, rows())
    return backend


@pytest.fixture
def policy_file(tmp_path: Path) -> str:
    path = tmp_path / "people.yml"
    path.write_text(json.dumps(policy()))
    return str(path)


def is_as_before(people: Database) -> bool:
    """Return whether the table contains its original rows."""
    return bag(people.rows("people")) == bag(rows())


def test_in_place_and_new_table_contain_the_same_rows(people: Database) -> None:
    elsewhere = ks.anonymize(people.url, {**policy(), "publish": {"into": "people_anon"}})
    expected = bag(people.rows("people_anon"))
    people.drop("people_anon")
    report = ks.anonymize(people.url, policy(), yes=True)
    assert bag(people.rows("people")) == expected
    assert (report.levels, report.classes, report.k) == (elsewhere.levels, elsewhere.classes, elsewhere.k)
    assert (report.utility, report.suppressed_rows) == (elsewhere.utility, elsewhere.suppressed_rows)
    assert people.tables() == {"people"} | OURS
    assert report.status == "published"
    assert str(report.target).endswith("people")
    assert ks.check(people.url, "people", quasi_identifiers=["age", "zip"], k=3).holds


def test_every_type_of_column_and_many_suppressed_rows(backend: Database, tmp_path: Path) -> None:
    make_people(backend)
    given = ks.load_policy(people_policy(suppression=0.5), folder=write_education(tmp_path))
    elsewhere = ks.anonymize(backend.url, given)
    expected = bag(backend.rows("people_anon"))
    in_place = ks.load_policy(people_policy(suppression=0.5, publish={"in_place": True}), folder=tmp_path)
    report = ks.anonymize(backend.url, in_place, yes=True)
    assert (report.levels, report.suppressed_rows) == (elsewhere.levels, elsewhere.suppressed_rows)
    assert report.suppressed_rows > 0
    assert bag(backend.rows("people")) == expected
    assert sum(expected.values()) == 200 - report.suppressed_rows


def test_no_suppressed_row_where_no_column_changes(backend: Database) -> None:
    backend.create("t", {"a": "integer", "kept": "text"}, [(n % 2, "x") for n in range(10)])
    before = bag(backend.rows("t"))
    given = {**policy(table="t"), "columns": {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}, "kept": "sensitive"}}
    report = ks.anonymize(backend.url, given, yes=True)
    assert (report.suppressed_rows, report.levels) == (0, {"a": 0})
    assert bag(backend.rows("t")) == before


def test_the_rows_come_in_a_new_order(backend: Database) -> None:
    backend.create("t", {"a": "integer", "nr": "integer"}, [(1, n // 2) for n in range(400)])
    columns = {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}, "nr": {"role": "insensitive", "accept_unique": True}}
    ks.anonymize(backend.url, {**policy(table="t"), "columns": columns}, yes=True)
    found = [nr for _, nr in backend.rows("t")]
    assert sorted(found) == sorted(n // 2 for n in range(400))
    assert found != sorted(found)


def test_the_command_line_with_consent(people: Database, policy_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["anonymize", people.url, "--policy", policy_file, "--yes"]) == 0
    captured = capsys.readouterr()
    assert "people holds 60 of 60 rows" in captured.out
    assert "In place, run" in captured.out
    assert "Outside this tool's control: " in captured.out
    assert "Secret" not in captured.out + captured.err
    assert set(map(len, people.rows("people"))) == {3}


def test_the_command_line_turns_a_policy_for_another_table_into_one_in_place(
    people: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "into.yml"
    path.write_text(json.dumps({**policy(), "publish": {"into": "people_anon", "replace": True}}))
    assert run(["anonymize", people.url, "--policy", str(path), "--in-place", "--yes", "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert reported["status"] == "published"
    assert reported["in_place"]["backup"] is None
    assert reported["policy"]["publish"] == {"in_place": True}
    assert people.tables() == {"people"} | OURS


@pytest.mark.parametrize(("words", "where"), [(["--in-place", "--yes"], {"in_place": True}), (["--into", "u"], {"into": "u"})])
def test_the_command_line_sets_the_target_if_the_policy_does_not(
    people: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], where: dict[str, Any]
) -> None:
    path = tmp_path / "nowhere.yml"
    path.write_text(json.dumps({key: value for key, value in policy().items() if key != "publish"}))
    assert run(["anonymize", people.url, "--policy", str(path)]) == 1
    assert "publish: is missing" in capsys.readouterr().err
    assert run(["anonymize", people.url, "--policy", str(path), *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["policy"]["publish"] == where


def test_without_consent_the_run_prints_what_it_would_do(people: Database, policy_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["anonymize", people.url, "--policy", policy_file]) == 1
    reported = capsys.readouterr().err
    assert "would replace the rows of" in reported
    assert "nothing was done" in reported
    for line in ("k = 3", "age, zip", "drop: name", "keep as they are: diagnosis", "keep no copy of the original rows", "--yes"):
        assert line in reported
    assert is_as_before(people)
    assert people.tables() == {"people"}
    with pytest.raises(ks.RequestError, match="keep a copy of the original rows in a backup table"):
        ks.anonymize(people.url, policy(keep_backup=True))


def test_without_a_policy_file_the_other_columns_must_be_decided(people: Database, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["anonymize", people.url, "people", "--qi", "age,zip", "--sensitive", "diagnosis", "--k", "3", "--in-place", "--yes"]
    assert run(arguments) == 1
    assert "--others" in capsys.readouterr().err
    assert is_as_before(people)
    assert run([*arguments, "--others", "drop"]) == 0
    assert set(map(len, people.rows("people"))) == {3}


def test_into_and_in_place_exclude_each_other(people: Database, policy_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["anonymize", people.url, "--policy", policy_file, "--in-place", "--into", "x", "--yes"]) == 1
    assert "cannot be combined" in capsys.readouterr().err
    with pytest.raises(ks.RequestError, match="either into"):
        ks.anonymize(people.url, policy(into="x"), yes=True)
    with pytest.raises(ks.RequestError, match="replace is only for into"):
        ks.anonymize(people.url, policy(replace=True), yes=True)
    assert is_as_before(people)


def test_a_view_is_refused(people: Database) -> None:
    people.execute("create view seen as select * from people")
    with pytest.raises(ks.RequestError, match="is a view; only the rows of a table can be replaced"):
        ks.anonymize(people.url, policy(table="seen"), yes=True)
    assert is_as_before(people)
    assert people.tables() == {"people", "seen"}


def test_a_column_with_a_unique_index_needs_permission(backend: Database) -> None:
    backend.create("t", {"a": "integer", "kept one": "integer"}, [(n % 2, n) for n in range(10)])
    backend.execute(f"create unique index one on t ({backend.quote('kept one')})")
    columns = {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}, "kept one": "sensitive"}
    with pytest.raises(ks.RequestError, match="column 'kept one' is a key and would be kept"):
        ks.anonymize(backend.url, {**policy(table="t"), "columns": columns}, yes=True)


def test_a_missing_table_is_named(people: Database) -> None:
    with pytest.raises(ks.RequestError, match=r"table peple does not exist.*people"):
        ks.anonymize(people.url, policy(table="peple"), yes=True)
    assert people.tables() == {"people"}


def test_an_empty_table_and_one_with_fewer_rows_than_k_are_unchanged(backend: Database) -> None:
    backend.create("people", COLUMNS)
    with pytest.raises(ks.KanonError, match=r"(?i)empty|no rows"):
        ks.anonymize(backend.url, policy(), yes=True)
    assert backend.rows("people") == []
    backend.drop("people")
    backend.create("people", COLUMNS, rows(2))
    with pytest.raises(ks.KanonError, match="2 rows"):
        ks.anonymize(backend.url, policy(), yes=True)
    assert bag(backend.rows("people")) == bag(rows(2))
    assert not any(name.startswith("__kanon_") for name in backend.tables() - OURS)


def test_a_dry_run_writes_nothing(people: Database) -> None:
    report = ks.anonymize(people.url, policy(), dry_run=True)
    assert report.status == "dry_run"
    assert report.published_rows == 60
    assert report.levels == ks.anonymize(people.url, policy(), yes=True).levels
    people.drop("people")
    people.drop("kanon_runs")
    people.drop("__kanon_journal")
    people.create("people", COLUMNS, rows())
    ks.anonymize(people.url, policy(), dry_run=True)
    assert is_as_before(people)
    assert people.tables() == {"people"}


def test_a_backup_holds_the_original_rows_until_it_is_dropped(people: Database, capsys: pytest.CaptureFixture[str]) -> None:
    report = ks.anonymize(people.url, policy(keep_backup=True), yes=True)
    assert report.in_place is not None
    backup = report.in_place.backup
    assert backup is not None
    assert people.tables() == {"people", backup} | OURS
    assert bag(people.rows(backup)) == bag(rows())
    assert any(backup in warning and "can be read by" in warning for warning in report.warnings)
    assert run(["recover", people.url]) == 0
    assert bag(people.rows(backup)) == bag(rows())
    capsys.readouterr()
    assert run(["recover", people.url, "--drop-backups"]) == 0
    assert f"backup {backup} dropped" in capsys.readouterr().out
    assert people.tables() == {"people"} | OURS
    assert run(["recover", people.url, "--drop-backups"]) == 0
    assert "No unfinished runs." in capsys.readouterr().out


@pytest.mark.engines("postgresql")
def test_only_the_owner_can_read_a_backup_and_the_journal(people: Database) -> None:
    role = f"curious_{people.url[-6:]}"
    assert isinstance(people, Server)
    people.at_home(f"create role {role} login")
    people.execute(f"alter default privileges grant all on tables to {role}, public")
    report = ks.anonymize(people.url, policy(keep_backup=True), yes=True)
    assert report.in_place is not None
    url = make_url(people.url).set(username=role)
    with create_engine(url, poolclass=NullPool).connect() as connection:
        for table in (report.in_place.backup, *OURS):
            with pytest.raises(Exception, match="permission denied"):
                connection.execute(text(f"select * from {table}"))
            connection.rollback()
    assert any("its owner alone" in warning for warning in report.warnings)
    people.execute(f"drop owned by {role}")
    people.at_home(f"drop role {role}")


def test_scrub_can_be_left_out(people: Database) -> None:
    report = ks.anonymize(people.url, policy(scrub="off"), yes=True)
    assert report.in_place is not None
    assert not report.in_place.scrubbed
    assert "scrub: off" in report.in_place.remaining[0]
    assert [row[0] for row in people.rows("__kanon_journal", ["state"])] == ["dropped"]
    if people.name == "duckdb":  # whose free blocks keep everything
        assert b"Secret Name" in files(people)
    assert ks.recover(people.url) == []


def files(database: Database) -> bytes:
    """Return the contents of the files of a database that consists of files."""
    path = Path(make_url(database.url).database or "")
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*") if file.is_file())


def test_the_original_rows_are_erased_and_the_journal_says_so(people: Database) -> None:
    if not isinstance(people, Server):
        assert b"Secret Name" in files(people)
    report = ks.anonymize(people.url, policy(), yes=True)
    assert report.in_place is not None
    assert report.in_place.scrubbed
    assert report.in_place.remaining == ()
    assert people.rows("__kanon_journal", ["run_id", "table_name", "state"]) == [(report.in_place.run_id, "people", "scrubbed")]
    if isinstance(people, Server):
        return
    assert b"Secret Name" not in files(people)
    assert b"diagnosis" in files(people)


def test_history_can_be_disabled(people: Database, capsys: pytest.CaptureFixture[str]) -> None:
    ks.anonymize(people.url, policy(history=False), yes=True)
    assert people.tables() == {"people", "__kanon_journal"}
    assert ks.history(people.url) == []
    assert run(["history", people.url]) == 0
    assert "No run is recorded here." in capsys.readouterr().out


def test_the_history_contains_successful_and_failed_runs(people: Database, capsys: pytest.CaptureFixture[str]) -> None:
    report = ks.anonymize(people.url, policy(), yes=True)
    people.drop("people")
    people.create("people", COLUMNS, rows())
    with pytest.raises(ks.RequestError, match="fewer than k"):
        ks.anonymize(people.url, {**policy(), "privacy": {"k": 61}}, yes=True)
    assert run(["history", people.url, "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert [entry["status"] for entry in reported] == ["published", "failed"]
    last, failed = reported
    assert (failed["k"], failed["utility"], failed["rows_published"]) == (None, None, None)
    assert (last["k"], last["rows_before"], last["rows_published"], last["rows_suppressed"]) == (report.k, 60, 60, 0)
    assert last["utility"] == report.utility
    assert last["solution"]["levels"] == report.levels
    assert last["table_name"] == "people"
    assert last["policy_hash"] == report.policy.content_hash
    assert last["seconds"] >= 0
    assert last["who"]
    assert run(["history", people.url]) == 0
    shown = capsys.readouterr().out
    heading, *lines, reason = shown.splitlines()
    assert reason == f"{failed['run_id']} failed: {failed['reason']}"
    assert reason.partition("failed: ")[2].startswith("RequestError: ")
    assert heading.split()[3:8] == ["status", "k", "rows", "suppressed", "GenILoss"]
    assert [line.split()[3:8] for line in lines] == [
        ["published", str(report.k), "60", "0", f"{report.utility['geniloss']:.4f}"],
        ["failed", "–", "–", "–", "–"],
    ]
    assert last["run_id"] in shown


def test_the_journal_and_the_history_contain_no_value(people: Database) -> None:
    ks.anonymize(people.url, policy(keep_backup=True), yes=True)
    reported = repr(people.rows("__kanon_journal")) + repr(people.rows("kanon_runs"))
    for value in ("Secret", "flu", "cold", "'29'", "[20,", "3*"):
        assert value not in reported


def test_a_table_that_no_longer_meets_the_solution_is_unchanged(backend: Database) -> None:
    backend.create("t", {"a": "integer"}, [(n % 2,) for n in range(10)])
    given = {**policy(table="t"), "columns": {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}}}
    with opened(backend) as (connection, foreign):
        times: list[Any] = []

        def interfere(name: str, done: Any) -> None:
            if name == "search" and done is not None and not times:
                times.append(foreign("insert into t values (77)"))

        with pytest.raises(ks.KanonError, match="changed while the solution was searched"):
            ks.anonymize(connection, given, yes=True, listener=interfere)
        assert bag(foreign("select a from t")) == bag([(n % 2,) for n in range(10)] + [(77,)])


def test_a_table_that_no_longer_meets_the_solution_is_searched_again(backend: Database) -> None:
    backend.create("t", {"a": "integer"}, [(n % 2,) for n in range(10)])
    given = {**policy(table="t", on_change="search"), "columns": {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}}}
    with opened(backend) as (connection, foreign):
        times: list[Any] = []

        def interfere(name: str, done: Any) -> None:
            if name == "search" and done is not None and not times:
                times.append(foreign("insert into t values (77)"))

        report = ks.anonymize(connection, given, yes=True, listener=interfere)
        assert report.levels == {"a": 1}
        assert report.rows == 11
        assert bag(foreign("select a from t")) == {("*",): 11}


def test_a_row_that_does_not_break_the_solution_is_published_with_the_others(backend: Database) -> None:
    backend.create("t", {"a": "integer"}, [(n % 2,) for n in range(10)])
    given = {**policy(table="t"), "columns": {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}}}
    with opened(backend) as (connection, foreign):
        times: list[Any] = []

        def interfere(name: str, done: Any) -> None:
            if name == "search" and done is not None and not times:
                times.append(foreign("insert into t values (1)"))

        report = ks.anonymize(connection, given, yes=True, listener=interfere)
        assert report.rows == 11
        assert bag(foreign("select a from t")) == {(0,): 5, (1,): 6}


class opened:  # noqa: N801 (reads as a function)
    """A connection that does not lock others out, and how another one runs a statement."""

    def __init__(self, backend: Database) -> None:
        if backend.name == "duckdb" and not DUCKDB_LOCKS:
            pytest.skip("this DuckDB cannot lock a table, so a connection that is passed in is refused in place")
        self.backend = backend
        self.connection: Any = duckdb.connect(str(make_url(backend.url).database)) if backend.name == "duckdb" else None

    def __enter__(self) -> Any:
        if self.connection is None:
            return self.backend.url, self.backend.execute
        return self.connection, lambda sql: [tuple(row) for row in self.connection.cursor().execute(sql).fetchall()]

    def __exit__(self, *_: object) -> None:
        if self.connection is not None:
            self.connection.close()


def test_a_connection_that_was_passed_in_stays_usable(people: Database) -> None:
    if people.name == "duckdb" and not DUCKDB_LOCKS:
        pytest.skip("this DuckDB cannot lock a table, so a connection that is passed in is refused in place")
    if people.name == "duckdb":
        with duckdb.connect(str(make_url(people.url).database)) as connection:
            zone = connection.execute("select current_setting('TimeZone')").fetchall()
            report = ks.anonymize(connection, policy(), yes=True)
            assert report.in_place is not None
            assert not report.in_place.scrubbed
            assert "the caller owns the connection" in report.in_place.remaining[0]
            assert connection.execute("select current_setting('TimeZone')").fetchall() == zone
            assert connection.execute("select count(*) from people").fetchall() == [(60,)]
            assert connection.execute("select count(*) from duckdb_tables() where temporary").fetchall() == [(0,)]
        (found,) = ks.recover(people.url)
        assert found.complete
        assert "original rows erased" in found.done
        return
    engine = create_engine(people.url, poolclass=NullPool)
    with engine.connect() as opened_connection:
        before = session(people, opened_connection)
        opened_connection.rollback()
        report = ks.anonymize(opened_connection, policy(), yes=True)
        assert report.status == "published"
        assert not opened_connection.in_transaction()
        assert opened_connection.execute(text("select count(*) from people")).scalar() == 60
        opened_connection.rollback()
        assert session(people, opened_connection) == before


def session(database: Database, connection: Any) -> list[Any]:
    """Return the session settings that a run changes, and objects that a session may have."""
    asked = {
        "sqlite": ["pragma foreign_keys", "pragma legacy_alter_table", "pragma secure_delete", "select * from sqlite_temp_master"],
        "postgresql": [
            "show row_security", "show application_name", "show timezone", "show transaction_isolation",
            "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()",
            "select relname from pg_class where relpersistence = 't'",
        ],
        "mariadb": [
            "select @@foreign_key_checks, @@binlog_row_image, @@autocommit, @@sql_mode, @@time_zone, @@collation_connection",
            "select count(*) from information_schema.processlist where info like '%kanon%' and id <> connection_id()",
        ],
    }  # fmt: skip
    return [[tuple(row) for row in connection.execute(text(sql))] for sql in asked[database.name]]


@pytest.mark.engines("sqlite", "postgresql", "mariadb")
def test_a_connection_that_was_passed_in_stays_clean_after_a_failure(people: Database) -> None:
    def fail(name: str, done: Any) -> None:
        if name == "swap" and done is None:
            raise KeyboardInterrupt

    engine = create_engine(people.url, poolclass=NullPool)
    with engine.connect() as connection:
        before = session(people, connection)
        connection.rollback()
        with pytest.raises(KeyboardInterrupt):
            ks.anonymize(connection, policy(), yes=True, listener=fail)
        assert not connection.in_transaction()
        assert session(people, connection) == before
        connection.rollback()
    assert is_as_before(people)
    assert people.tables() == {"people"} | OURS
    assert [run.status for run in ks.history(people.url)] == ["failed"]
    assert ks.recover(people.url) == []
    assert ks.anonymize(engine, policy(), yes=True).status == "published"


@pytest.mark.engines("sqlite", "postgresql", "mariadb")
def test_an_engine_that_was_passed_in_returns_clean_connections(people: Database) -> None:
    engine = create_engine(people.url, pool_size=1, max_overflow=0)
    try:
        with engine.connect() as connection:
            before = session(people, connection)
        assert ks.anonymize(engine, policy(), yes=True).status == "published"
        with engine.connect() as connection:
            assert session(people, connection) == before
    finally:
        engine.dispose()


@pytest.mark.engines("duckdb", "postgresql", "mariadb")
def test_a_table_in_another_schema(backend: Database) -> None:
    schema = f"{backend.database}_b" if isinstance(backend, Server) else "b"
    backend.execute(f"create schema {schema}")
    try:
        backend.create("people", COLUMNS, rows())
        backend.execute(f"create table {schema}.people as select * from people")
        backend.execute(f"create index by_diagnosis on {schema}.people (diagnosis)")
        report = ks.anonymize(backend.url, policy(table=f"{schema}.people", keep_backup=True), yes=True)
        assert is_as_before(backend)
        assert backend.tables() - {"people"} <= OURS | {str(report.in_place and report.in_place.backup)}
        found = backend.execute(f"select * from {schema}.people")
        assert len(found) == 60
        assert set(map(len, found)) == {3}
        assert backend.execute(f"select state from {schema}.__kanon_journal") == [("scrubbed",)]
        assert [run.table_name for run in ks.history(backend.url)] == ["people"]
        assert ks.anonymize(backend.url, policy(table=f"{schema}.people"), yes=True).status == "unchanged"
        (dropped,) = ks.recover(backend.url, drop_backups=True)
        assert "backup" in dropped.done
        assert ks.anonymize(backend.url, policy(), yes=True).status == "published"
    finally:
        backend.execute(f"drop schema {schema}" + (" cascade" if backend.name != "mariadb" else ""))


HOSTILE = ["select", "a b", 'x"y', "x`y", "x'y", "Ünïcödé 数", "100%", "x;--", "(", "t(", "a,b", "key", "period", "check", "primary", "%s"]


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_a_database_allows(backend: Database, name: str) -> None:
    columns = {name: "integer", "zip": "text", f"{name} kept": "text"}
    backend.create(name, columns, [(20 + n % 10, f"{n % 4}", "v") for n in range(60)])
    given = {
        "table": '"' + name.replace('"', '""') + '"',
        "publish": {"in_place": True},
        "privacy": {"k": 3},
        "columns": {
            name: {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 10]}},
            "zip": "identifier",
            f"{name} kept": "sensitive",
        },
    }
    report = ks.anonymize(backend.url, {**given, "privacy": {"k": 7}}, yes=True)
    assert report.levels == {name: 1}
    assert bag(backend.rows(name)) == {("[20,25)", "v"): 30, ("[25,30)", "v"): 30}
    assert backend.tables() == {name} | OURS
    assert ks.anonymize(backend.url, {**given, "privacy": {"k": 7}}, yes=True).status == "unchanged"


@pytest.mark.parametrize("written", ["key", "period", "spatial", "fulltext", "exclude"])
@pytest.mark.engines("duckdb", "sqlite")
def test_a_column_whose_name_begins_a_clause_elsewhere(backend: Database, written: str) -> None:
    backend.execute(f"create table t ({written} integer, kept integer default 7 not null)")
    backend.execute(f"insert into t ({written}) values (1), (1), (2), (2), (3)")
    columns = {written: {"role": "quasi_identifier", "hierarchy": "suppress"}, "kept": "sensitive"}
    ks.anonymize(backend.url, {**policy(table="t"), "privacy": {"k": 2}, "columns": columns}, yes=True)
    assert bag(backend.rows("t")) == {("*", 7): 5}


def test_columns_computed_from_kept_ones_stay_computed(backend: Database) -> None:
    kind = "generated always as (n * 2) " + ("stored" if backend.name == "postgresql" else "virtual")
    backend.execute(f"create table t (age integer, n integer, twice integer {kind}, note varchar(20))")
    backend.execute("insert into t (age, n, note) values " + ", ".join(f"({20 + i}, {i % 3}, 'x')" for i in range(12)))
    columns = {
        "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 20]}},
        "n": "sensitive", "twice": "sensitive", "note": "identifier",
    }  # fmt: skip
    ks.anonymize(backend.url, {**policy(table="t"), "columns": columns}, yes=True)
    assert bag(backend.rows("t", ["age", "n", "twice"])) == {("[20,40)", n, 2 * n): 4 for n in range(3)}
    backend.execute("insert into t (age, n) values ('[20,40)', 50)")
    assert ("[20,40)", 50, 100) in backend.rows("t", ["age", "n", "twice"])


def test_columns_computed_from_changed_ones_are_refused(backend: Database) -> None:
    kind = "stored" if backend.name == "postgresql" else "virtual"
    backend.execute(
        f"create table t (age integer, n integer, twice integer generated always as (age * 2) {kind}, "
        f"more integer generated always as (n + 1) {kind})"
    )
    backend.execute("insert into t (age, n) values " + ", ".join(f"({20 + i}, 1)" for i in range(12)))
    columns: dict[str, Any] = {"age": {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 20]}}, "twice": "sensitive"}
    with pytest.raises(ks.RequestError, match=r"column 'twice' is computed from 'age' \(quasi_identifier\)"):
        ks.anonymize(backend.url, {**policy(table="t", allow_loss=["twice"]), "columns": columns, "others": "drop"}, yes=True)
    columns = {**columns, "twice": "identifier", "more": "sensitive"}
    with pytest.raises(ks.RequestError, match="generated column more is computed from column n, which changes"):
        ks.anonymize(backend.url, {**policy(table="t"), "columns": columns, "others": "drop"}, yes=True)
    assert sorted(backend.rows("t")) == [(20 + i, 1, 40 + 2 * i, 2) for i in range(12)]
    columns["more"] = "identifier"
    ks.anonymize(backend.url, {**policy(table="t"), "columns": columns, "others": "drop"}, yes=True)
    assert bag(backend.rows("t")) == {("[20,40)",): 12}


def as_owner(server: Server, rights: str) -> tuple[str, str]:
    """Return the name and URL of an ordinary user: on PostgreSQL the owner of the table, on MariaDB a user with these permissions."""
    name = f"owner_{server.database[-6:]}"
    if server.name == "postgresql":
        server.at_home(f"create role {name} login password 'pw'")
        server.execute(f"grant all on schema public to {name}")
        server.execute(f"alter table people owner to {name}")
    else:
        server.at_home(f"create user {name}@localhost identified by 'pw'")
        server.at_home(f"grant {rights} on {server.database}.* to {name}@localhost")
    return name, make_url(server.url).set(username=name, password="pw").render_as_string(hide_password=False)


def forget_owner(server: Server, name: str) -> None:
    if server.name == "postgresql":
        server.execute(f"drop owned by {name} cascade")
        server.at_home(f"drop role {name}")
    else:
        server.at_home(f"drop user {name}@localhost")


@pytest.mark.engines("postgresql", "mariadb")
def test_an_ordinary_owner_is_enough(people: Database) -> None:
    assert isinstance(people, Server)
    needed = "select, insert, update, delete, create, drop, alter, index, create temporary tables, lock tables"
    name, url = as_owner(people, needed)
    try:
        report = ks.anonymize(url, policy(keep_backup=True), yes=True)
        assert report.in_place is not None
        assert report.in_place.scrubbed
        assert len(people.rows("people")) == 60
        (entry,) = ks.history(url)
        assert entry.who.startswith(name)
        (dropped,) = ks.recover(url, drop_backups=True)
        assert "backup" in dropped.done
    finally:
        forget_owner(people, name)


@pytest.mark.engines("mariadb")
@pytest.mark.parametrize("missing", ["alter", "lock tables", "delete", "insert", "create temporary tables", "drop"])
def test_a_missing_permission_leaves_the_table_unchanged(people: Database, missing: str) -> None:
    assert isinstance(people, Server)
    needed = ["select", "insert", "update", "delete", "create", "drop", "alter", "index", "create temporary tables", "lock tables"]
    name, url = as_owner(people, ", ".join(right for right in needed if right != missing))
    before = people.execute("show create table people")
    try:
        if missing == "drop":  # only what has to be dropped needs it
            ks.anonymize(url, policy(), yes=True)
            return
        with pytest.raises(ks.BackendError) as raised:
            ks.anonymize(url, policy(), yes=True)
        assert "; grant it " in str(raised.value)
        assert missing.upper() in str(raised.value)
        assert is_as_before(people)
        assert people.execute("show create table people") == before
        assert people.tables() <= {"people"} | OURS
        if "__kanon_journal" in people.tables() and missing != "delete":  # without which the entry stays until someone else recovers
            assert people.rows("__kanon_journal") == []
    finally:
        forget_owner(people, name)
    assert ks.anonymize(people.url, policy(), yes=True).status == "published"


@pytest.mark.engines("mariadb")
def test_a_dropped_computed_column_is_restored_after_a_failure(backend: Database) -> None:
    backend.execute("create table t (age integer, twice integer generated always as (age * 2) virtual, n integer)")
    backend.execute("insert into t (age, n) values " + ", ".join(f"({20 + i}, 1)" for i in range(12)))
    before = backend.execute("show create table t"), sorted(backend.rows("t"))

    def fail(name: str, done: Any) -> None:
        if name == "swap":
            raise KeyboardInterrupt

    quasi = {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 20]}}
    given = {**policy(table="t"), "columns": {"age": quasi, "twice": "identifier", "n": "sensitive"}}
    with pytest.raises(KeyboardInterrupt):
        ks.anonymize(backend.url, given, yes=True, listener=fail)
    assert (backend.execute("show create table t"), sorted(backend.rows("t"))) == before
    ks.anonymize(backend.url, given, yes=True)
    assert bag(backend.rows("t")) == {("[20,40)", 1): 12}


@pytest.mark.engines("sqlite", "postgresql", "mariadb")
def test_a_second_run_stops_while_the_first_is_running(people: Database) -> None:
    reported: list[str] = []

    def second(name: str, done: Any) -> None:
        if name == "recode" and done is None and not reported:
            with pytest.raises(ks.KanonError) as raised:
                ks.anonymize(people.url + ("?timeout=0.1" if people.name == "sqlite" else ""), policy(), yes=True)
            reported.append(str(raised.value))

    report = ks.anonymize(people.url, policy(), yes=True, listener=second)
    assert report.status == "published"
    assert "another run is using" in reported[0] or "locked by another connection" in reported[0]
    assert [run.status for run in ks.history(people.url)].count("published") == 1
    assert people.tables() == {"people"} | OURS


@pytest.mark.engines("duckdb")
def test_a_row_another_connection_committed_after_the_lock_is_never_lost(people: Database) -> None:
    if not DUCKDB_LOCKS:
        with duckdb.connect(str(make_url(people.url).database)) as connection:
            with pytest.raises(ks.RequestError, match="cannot lock a table"):
                ks.anonymize(connection, policy(), yes=True)
            assert connection.execute("select count(*) from people").fetchall() == [(60,)]
        return
    with duckdb.connect(str(make_url(people.url).database)) as connection:
        other = connection.cursor()
        refused: list[str] = []

        def write(name: str, done: Any) -> None:
            if name == "recode" and done is None:
                try:
                    other.execute("insert into people values ('Late', 20, '00', 'flu')")
                except duckdb.Error as error:
                    refused.append(str(error))

        try:
            ks.anonymize(connection, policy(), yes=True, listener=write)
            published = True
        except ks.BackendError:
            published = False
        found = connection.execute("select count(*) from people").fetchall()[0][0]
        assert found == (60 if refused or published else 61)
        assert published == bool(refused)


@pytest.mark.engines("sqlite")
def test_a_database_in_memory_is_reported_to_keep_the_rows(backend: Database) -> None:
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        connection.execute(text("create table people (name text, age integer, zip text, diagnosis text)"))
        connection.connection.driver_connection.executemany("insert into people values (?, ?, ?, ?)", rows())  # type: ignore[union-attr]
        connection.commit()
        report = ks.anonymize(connection, policy(), yes=True)
        assert report.in_place is not None
        assert report.in_place.remaining == ("original rows in memory, until the process ends",)
        assert connection.execute(text("select count(*) from people")).scalar() == 60
    engine.dispose()


@pytest.mark.engines("sqlite")
@pytest.mark.parametrize("mode", ["wal", "persist", "delete", "truncate"])
def test_no_journal_mode_keeps_a_row(backend: Database, mode: str) -> None:
    path = Path(make_url(backend.url).database or "")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"pragma journal_mode = {mode}")
    backend.create("people", COLUMNS, rows())
    assert b"Secret Name" in files(backend)
    report = ks.anonymize(backend.url, policy(), yes=True)
    assert report.in_place is not None
    assert report.in_place.scrubbed
    assert b"Secret Name" not in files(backend)
    with closing(sqlite3.connect(path)) as connection:
        kept = connection.execute("pragma journal_mode").fetchone()[0]
    assert kept == ("wal" if mode == "wal" else "delete")  # the others last for a connection only
    assert {canonical(row[0]) for row in backend.rows("people", ["diagnosis"])} == {"flu", "cold"}
