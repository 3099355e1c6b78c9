"""A table that another session alters during a run: the run stops and names the change, and nothing of the table is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import duckdb
import pytest
import sqlalchemy as sa
from support.databases import Database, Server
from support.inventory import DUCKDB_HAS_TRIGGERS, DUCKDB_LOCKS, as_user

import kanon_sql as ks
from kanon_sql.artifacts.structure import Part, Structure
from kanon_sql.workspace import Workspace

COLUMNS: dict[str, Any] = {
    "id": {"role": "insensitive", "accept_unique": True},
    "name": "identifier",
    "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 10]}},
    "ward": "insensitive",
}
OURS = {"__kanon_journal", "kanon_runs"}
FILL = ", ".join(f"({n}, 'Canary {n}', {20 + n % 10}, {n % 4})" for n in range(40))

# When another session can alter the table of a run in place: once it has been described, before the count, after the search.
# SQLite lets nobody write while it is described, and a run that has a DuckDB file alone counts under the lock.
MOMENTS = {
    "duckdb": ["profile/source/sample", "lock"],
    "sqlite": ["count/", "lock"],
    "postgresql": ["profile/source/sample", "count/", "lock"],
    "mariadb": ["profile/source/sample", "count/", "search", "lock"],
}
ADD = ("alter table t add column allergies varchar(20)", "update t set allergies = 'nuts'")
RETYPE = {
    "duckdb": "alter table {} alter column ward type decimal(10, 2)",
    "postgresql": "alter table {} alter column ward type numeric",
    "mariadb": "alter table {} modify ward decimal(10, 2)",
}
FRACTIONS = "update {} set ward = ward + 0.5"


def policy(others: str = "drop", **publish: Any) -> dict[str, Any]:
    return {"table": "t", "publish": publish or {"in_place": True}, "privacy": {"k": 5}, "columns": COLUMNS, "others": others}


def make(backend: Database) -> None:
    for table in ("t", "audit"):
        backend.drop(table)
    backend.execute("create table t (id integer not null, name varchar(40), age integer, ward integer)")
    backend.execute("create table audit (n integer)")
    backend.execute(f"insert into t values {FILL}")


@contextmanager
def altered(monkeypatch: pytest.MonkeyPatch, moment: str, alter: Callable[[], None], *, times: int = 1) -> Iterator[None]:
    """Run while another session alters a table: before the statement of a template, or each time a stage begins."""
    original = Workspace.perform
    done: list[str] = []
    stages = [""]

    def meddled(self: Workspace, template: str, sql: str, action: Any) -> Any:
        begins = self.record.current == moment != stages[-1]
        stages.append(self.record.current)
        if len(done) < times and (begins or template.startswith(moment)):
            done.append(template)
            alter()
        return original(self, template, sql, action)

    with monkeypatch.context() as patch:
        patch.setattr(Workspace, "perform", meddled)
        yield
    assert done, "nobody altered the table"


def executing(backend: Database, *statements: str) -> Callable[[], None]:
    """Run statements, each on its own connection."""

    def alter() -> None:
        for statement in statements:
            backend.execute(statement)

    return alter


@pytest.mark.parametrize("others", ["drop", "error", "keep"])
def test_a_column_added_during_a_run_in_place_keeps_its_values(backend: Database, monkeypatch: pytest.MonkeyPatch, others: str) -> None:
    for moment in MOMENTS[backend.name]:
        make(backend)
        added = pytest.raises(ks.KanonError, match=r"structure of table .* changed .*: column allergies was added")
        with altered(monkeypatch, moment, executing(backend, *ADD)), added as raised:
            ks.anonymize(backend.url, policy(others), yes=True)
        assert "nuts" not in str(raised.value)
        rows = backend.rows("t")
        assert (len(rows), {row[-1] for row in rows}) == (40, {"nuts"})
        assert {row[1] for row in rows} == {f"Canary {n}" for n in range(40)}
        assert backend.tables() <= {"t", "audit"} | OURS


@pytest.mark.engines("duckdb", "postgresql", "mariadb")  # SQLite cannot change a type
def test_a_kept_column_retyped_during_a_run_in_place_is_not_rounded(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    for moment in MOMENTS[backend.name]:
        make(backend)
        alter = executing(backend, RETYPE[backend.name].format("t"), FRACTIONS.format("t"))
        with altered(monkeypatch, moment, alter), pytest.raises(ks.KanonError, match="column ward was changed"):
            ks.anonymize(backend.url, policy(), yes=True)
        assert sorted({row[3] for row in backend.rows("t")}) == [0.5, 1.5, 2.5, 3.5]
        assert len(backend.rows("t")[0]) == 4


FIRE = "create function fire() returns trigger language plpgsql as 'begin return null; end'"
ANYWHERE = {
    "column name was dropped": ["alter table t drop column name"],
    "column station was added; column ward was dropped": ["alter table t rename column ward to station"],
    "view seen was added": ["create view seen as select id from t"],
    "index by_ward was added": ["create index by_ward on t (ward)"],
    "unique key by_id was added": ["create unique index by_id on t (id)"],
}
SERVERS = {
    **ANYWHERE,
    "column ward was changed": ["alter table t alter column ward set default 7"],
    "check young was added": ["alter table t add constraint young check (age < 100)"],
    "foreign key to_t was added": [
        "alter table t add constraint one unique (id)",
        "create table kid (id integer, constraint to_t foreign key (id) references t (id))",
    ],
    "foreign key from_t was added": [
        "create table ward (id integer primary key)",
        "insert into ward values (0), (1), (2), (3)",
        "alter table t add constraint from_t foreign key (ward) references ward (id)",
    ],
    "column double_ward was added": ["alter table t add column double_ward integer generated always as (ward * 2) stored"],
}
ALTERED: dict[str, dict[str, list[str]]] = {
    "duckdb": {
        **ANYWHERE,
        "column age was changed": ["alter table t alter column age set not null"],
        "column ward was changed": ["alter table t alter column ward set default 7"],
        **(
            {"trigger watch was added": ["create trigger watch after insert on t for each statement insert into audit values (1)"]}
            if DUCKDB_HAS_TRIGGERS
            else {}
        ),
    },
    "sqlite": {
        **ANYWHERE,
        "trigger watch was added": ["create trigger watch after delete on t begin insert into audit values (old.id); end"],
        "column double_ward was added": ["alter table t add column double_ward integer generated always as (ward * 2) virtual"],
        "column ward was changed": ["drop table t", "create table t (id integer not null, name varchar(40), age integer, ward text)"],
        "foreign key kid was added": ["create table kid (id integer references t (id))"],
    },
    "postgresql": {
        **SERVERS,
        "column age was changed": ["alter table t alter column age set not null"],
        "column name was changed": ['alter table t alter column name type varchar(40) collate "C"'],
        "column id was changed": ["alter table t alter column id add generated always as identity (start 100)"],
        "trigger watch was added": [FIRE, "create trigger watch after insert on t for each row execute function fire()"],
        "policy mine was added": ["create policy mine on t using (current_user = 'x')"],
        "table t was changed": ["alter table t enable row level security"],
        "rule watch was added": ["create rule watch as on insert to t do also insert into audit values (1)"],
        "child table heir was added": ["create table heir () inherits (t)"],
        "materialized view kept was added": ["create materialized view kept as select id from t"],
        "publication news was added": ["create publication news for table t (id)"],
    },
    "mariadb": {
        **SERVERS,
        "column age was changed": ["alter table t modify age integer not null"],
        "column name was changed": ["alter table t modify name varchar(40) collate utf8mb4_bin"],
        "trigger watch was added": ["create trigger watch after insert on t for each row insert into audit values (1)"],
        "table t was changed": ["alter table t partition by hash (id) partitions 2"],
        "the order of the columns was changed": ["alter table t modify ward integer first"],
    },
}


def test_every_alteration_is_named_and_kept(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    for expected, statements in ALTERED[backend.name].items():
        make(backend)
        with altered(monkeypatch, "lock", executing(backend, *statements)), pytest.raises(ks.KanonError) as raised:
            ks.anonymize(backend.url, policy(), yes=True)
        for words in expected.split("; "):
            assert words in str(raised.value)
        assert "Nothing was changed" in str(raised.value)
        rows = backend.rows("t")
        assert len(rows) == 40 or "drop table t" in statements
        remove(backend)


def remove(backend: Database) -> None:
    """Drop everything that an alteration created."""
    for table in ("kid", "heir", "t", "ward"):
        for kind in (
            "view if exists seen",
            "materialized view if exists kept",
            "publication if exists news",
            "function if exists fire cascade",
        ):
            if kind.startswith("view") or backend.name == "postgresql":
                backend.execute(f"drop {kind}")
        backend.drop(table)


@pytest.mark.engines("postgresql", "mariadb")
def test_a_partition_added_during_a_run_is_named(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    declared = "create table t (id integer not null, name varchar(40), age integer, ward integer) partition by list (ward)"
    if backend.name == "postgresql":
        backend.execute(declared)
        backend.execute("create table low partition of t for values in (0, 1, 2, 3)")
        alter, expected = "create table high partition of t for values in (4)", "partition high was added"
    else:
        backend.execute(f"{declared} (partition low values in (0, 1, 2, 3))")
        alter, expected = "alter table t add partition (partition high values in (4))", "table t was changed"
    backend.execute(f"insert into t values {FILL}")
    with altered(monkeypatch, "lock", executing(backend, alter)), pytest.raises(ks.KanonError, match=expected):
        ks.anonymize(backend.url, policy(), yes=True)
    assert len(backend.rows("t", ["name"])) == 40


@pytest.mark.engines("sqlite", "postgresql", "mariadb")
def test_rows_and_counters_that_change_are_no_change_of_the_structure(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = {
        "sqlite": "integer primary key autoincrement",
        "postgresql": "integer generated by default as identity primary key",
        "mariadb": "integer auto_increment primary key",
    }[backend.name]
    backend.execute(f"create table t (id {counted}, name varchar(40), age integer, ward integer)")
    backend.execute(f"insert into t (name, age, ward) values {FILL.replace('(0, ', '(').replace('), (', ')|(')}".split("|")[0])
    backend.execute("insert into t (name, age, ward) select 'Canary', 20 + n, n from (select 1 as n union select 2 union select 3) as r")
    more = "insert into t (name, age, ward) select name, age, ward from t"
    backend.execute(more)
    backend.execute(more)
    with altered(monkeypatch, "lock", executing(backend, more)):
        report = ks.anonymize(backend.url, policy(on_change="search", in_place=True), yes=True)
    assert report.rows == 32


def test_the_run_restarts_if_the_policy_allows_it(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    again = {"in_place": True, "on_change": "search", "keep_backup": True}
    for others in ("keep", "drop"):
        make(backend)
        with altered(monkeypatch, "lock", executing(backend, *ADD)):
            report = ks.anonymize(backend.url, policy(others, **again), yes=True)
        assert ("allergies" in report.kept, "allergies" in report.dropped) == (others == "keep", others == "drop")
        rows = backend.rows("t")
        assert (len(rows), {len(row) for row in rows}) == (40, {4 if others == "keep" else 3})
        if others == "keep":
            assert {row[-1] for row in rows} == {"nuts"}
        (backup,) = [table for table in backend.tables() if table.endswith("_backup")]
        assert {(len(row), row[-1]) for row in backend.rows(backup)} == {(5, "nuts")}
        backend.drop(backup)
        for table in OURS:
            backend.drop(table)


def test_a_restart_checks_the_policy_and_the_losses_again(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    again: dict[str, Any] = {"in_place": True, "on_change": "search"}
    make(backend)
    undecided = pytest.raises(ks.RequestError, match="does not list 1 column of table t: 'allergies'")
    with altered(monkeypatch, "lock", executing(backend, *ADD)), undecided:
        ks.anonymize(backend.url, policy("error", **again), yes=True)
    assert {row[-1] for row in backend.rows("t")} == {"nuts"}
    make(backend)
    lost = pytest.raises(ks.RequestError, match="view seen reads column name, which changes")
    with altered(monkeypatch, "lock", executing(backend, "create view seen as select name from t")), lost:
        ks.anonymize(backend.url, policy(**again), yes=True)
    assert len(backend.rows("seen")) == 40
    assert backend.tables() <= {"t", "audit", "seen"} | OURS


def test_a_table_altered_a_second_time_stops_the_run(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    make(backend)
    names = iter(["first", "second", "third"])

    def alter() -> None:
        backend.execute(f"alter table t add column {next(names)} integer")

    stopped = pytest.raises(ks.KanonError, match="changed while the solution was searched again: column second was added")
    with altered(monkeypatch, "lock", alter, times=3), stopped:
        ks.anonymize(backend.url, policy(in_place=True, on_change="search"), yes=True)
    assert len(backend.rows("t", ["name", "first", "second"])) == 40


@pytest.mark.engines("duckdb", "postgresql", "mariadb")  # SQLite lets nobody write from the beginning
def test_a_target_altered_during_its_replacement_is_kept(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    statements = {
        "column note was added": ["alter table t_anon add column note varchar(20)", "update t_anon set note = 'mine'"],
        "column ward was changed": [RETYPE[backend.name].format("t_anon"), FRACTIONS.format("t_anon")],
        "view seen was added": ["create view seen as select id from t_anon"],
    }
    # In DuckDB the transaction that writes has begun before the release is built.
    moments = ["profile/source/sample", "recode/"] if backend.name == "duckdb" else ["count/", "publish", "write"]
    for moment in moments:
        for expected, alterations in statements.items():
            make(backend)
            backend.execute("drop view if exists seen")
            backend.drop("t_anon")
            ks.anonymize(backend.url, policy(into="t_anon"))
            stopped = pytest.raises(ks.KanonError, match=f"the structure of the target t_anon changed during the run: .*{expected}")
            with altered(monkeypatch, moment, executing(backend, *alterations)), stopped:
                ks.anonymize(backend.url, policy(into="t_anon", replace=True))
            rows = backend.rows("t_anon")
            assert len(rows) == 40
            if "note" in expected:
                assert {row[-1] for row in rows} == {"mine"}
            if "ward" in expected:
                assert sorted({row[-1] for row in rows}) == [0.5, 1.5, 2.5, 3.5]
            assert backend.tables() - {"seen"} <= {"t", "audit", "t_anon"} | OURS


@pytest.mark.engines("postgresql")
def test_a_stopped_replacement_leaves_nothing_in_the_session(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    make(backend)
    ks.anonymize(backend.url, policy(into="t_anon"))
    left = "select count(*) from pg_class where relnamespace = pg_my_temp_schema() and relkind = 'r'"
    with sa.create_engine(backend.url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT").connect() as connection:

        def tables_left() -> int:
            found = connection.exec_driver_sql(left).scalar_one()
            connection.rollback()
            return int(found)

        def stop() -> None:
            raise ks.BackendError("stopped")

        for template in ("replace/fill", "commit"):
            with altered(monkeypatch, template, stop), pytest.raises(ks.BackendError, match="stopped"):
                ks.anonymize(connection, policy(into="t_anon", replace=True))
            assert tables_left() == 0
        ks.anonymize(connection, policy(into="t_anon", replace=True))
        assert tables_left() == 0
    assert len(backend.rows("t_anon")) == 40


QUERY = {"query": "select t.id, t.name, t.age, t.ward from t where t.id >= 0"}


@pytest.mark.engines("duckdb", "postgresql", "mariadb")
@pytest.mark.parametrize("source", ["table", "query", "condition", "view"])
def test_a_source_altered_during_a_run_into_a_new_table_is_detected_or_locked(
    backend: Database, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    """PostgreSQL makes other sessions wait before they alter the source; the other engines do not, and the run stops."""
    given: dict[str, Any] = {
        "table": policy(into="t_anon"),
        "query": {**policy(into="t_anon"), "table": QUERY},
        "condition": {**policy(into="t_anon"), "where": "id >= 0"},
        "view": {**policy(into="t_anon"), "table": "seen"},
    }[source]
    moments = {"duckdb": ["profile/source/sample", "recode/"]}.get(backend.name, ["profile/source/sample", "count/", "publish"])
    for moment in moments:
        backend.execute("drop view if exists seen")
        make(backend)
        if source == "view":
            backend.execute("create view seen as select id, name, age, ward from t")
        if backend.name == "postgresql":
            refused: list[bool] = []
            alter = waiting(backend, "alter table t add column allergies integer", refused)
            with altered(monkeypatch, moment, alter):
                assert ks.anonymize(backend.url, given).published_rows == 40
            assert refused == [True]
            backend.drop("t_anon")
            continue
        alter = executing(backend, RETYPE[backend.name].format("t"), FRACTIONS.format("t"))
        with altered(monkeypatch, moment, alter), pytest.raises(ks.KanonError) as raised:
            ks.anonymize(backend.url, given)
        if (backend.name, source) != ("duckdb", "view"):  # DuckDB itself refuses to read such a view
            assert "changed during the run: column ward of" in str(raised.value)
        assert backend.tables() - {"seen"} == {"t", "audit"}


def waiting(backend: Database, statement: str, refused: list[bool]) -> Callable[[], None]:
    """Run a statement on PostgreSQL with a short lock timeout, because the run that holds the lock is in the same thread."""

    def alter() -> None:
        try:
            backend.execute(f"set lock_timeout = '50ms'; {statement}")
            refused.append(False)
        except Exception as error:
            if "lock timeout" not in str(error):
                raise
            refused.append(True)

    return alter


@pytest.mark.engines("duckdb", "mariadb")
def test_a_view_redefined_during_a_run_is_detected(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    make(backend)
    backend.execute("create view inner_view as select id, name, age, ward from t")
    backend.execute("create view seen as select * from inner_view")
    alter = executing(backend, "create or replace view inner_view as select id, name, age, 3 - ward as ward from t")
    changed = pytest.raises(ks.KanonError, match="view inner_view was changed")
    with altered(monkeypatch, "recode/", alter), changed:
        ks.anonymize(backend.url, {**policy(into="t_anon"), "table": "seen"})
    assert "t_anon" not in backend.tables()


def test_a_duckdb_connection_that_is_passed_in() -> None:
    """A DuckDB transaction sees one state of the table; in place, the structure is compared after the table is locked."""
    for stage in ("profile", "count", "search", "publish", "verify"):
        with duckdb.connect() as ours, ours.cursor() as theirs:
            ours.execute("create table t (id integer, name varchar, age integer, ward integer)")
            ours.execute(f"insert into t values {FILL}")

            def alter(name: str, done: Any, stage: str = stage, theirs: duckdb.DuckDBPyConnection = theirs) -> None:
                if name == stage and (done is None) == (stage != "profile"):
                    theirs.execute(RETYPE["duckdb"].format("t"))
                    theirs.execute(FRACTIONS.format("t"))

            ks.anonymize(ours, policy(into="t_anon"), listener=alter)
            assert ours.execute("select count(*), sum(ward) from t_anon").fetchall() == [(40, 60)]
            assert ours.execute("select count(*), sum(ward) from t").fetchall() == [(40, 80)]
    if not DUCKDB_LOCKS:
        return
    for stage in ("count", "search", "lock"):
        with duckdb.connect() as ours, ours.cursor() as theirs:
            ours.execute("create table t (id integer, name varchar, age integer, ward integer)")
            ours.execute(f"insert into t values {FILL}")

            def add(name: str, done: Any, stage: str = stage, theirs: duckdb.DuckDBPyConnection = theirs) -> None:
                if name == stage and done is None:
                    for statement in ADD:
                        theirs.execute(statement)

            with pytest.raises(ks.KanonError, match="column allergies was added"):
                ks.anonymize(ours, policy(), yes=True, listener=add)
            assert ours.execute("select count(*), count(name), count(allergies) from t").fetchall() == [(40, 40, 40)]


@pytest.mark.engines("postgresql")
def test_an_alteration_that_waits_for_the_search_comes_before_the_lock(backend: Database) -> None:
    """The transaction of the search delays a session that alters the table, so that session gets the lock first when it ends."""
    make(backend)
    waits = "select count(*) from pg_locks where not granted and relation = 't'::regclass"
    alterations: list[threading.Thread] = []

    def alter(name: str, done: Any) -> None:
        if name == "search" and done is None and not alterations:
            alterations.append(threading.Thread(target=backend.execute, args=["; ".join(ADD)]))
            alterations[0].start()
            while backend.execute(waits) != [(1,)]:
                assert alterations[0].is_alive()

    with pytest.raises(ks.KanonError, match="column allergies was added"):
        ks.anonymize(backend.url, policy(), yes=True, listener=alter)
    alterations[0].join()
    assert {row[-1] for row in backend.rows("t")} == {"nuts"}


@pytest.mark.engines("postgresql")
def test_a_source_with_partial_read_access_is_read_without_a_lock(backend: Database) -> None:
    assert isinstance(backend, Server)
    make(backend)
    name = f"partly_{backend.database[-8:]}"
    backend.at_home(f"create role {name} login password 'pw'")
    try:
        for statement in (
            f"grant all on schema public to {name}",
            f"grant select (id, name, age, ward) on t to {name}",
            f"create view seen as select id, name, age, ward from t; alter view seen owner to {name}",
        ):
            backend.execute(statement)
        for table in ("t", "seen"):
            given = {**policy(into=f"{table}_anon"), "table": table}
            assert ks.anonymize(as_user(backend, name), given).published_rows == 40
    finally:
        backend.execute(f"drop owned by {name} cascade")
        backend.at_home(f"drop role {name}")


def test_differences_are_listed_without_definitions() -> None:
    before = Structure((Part("column", "a", "integer default 7"), Part("column", "b", "text"), Part("index", "i", "(a)")))
    assert before.differences(before) == []
    later = Structure((Part("column", "b", "text"), Part("column", "a", "integer default 8"), Part("view", "v", "select a")))
    assert before.differences(later) == ["view v was added", "index i was dropped", "column a was changed"]
    swapped = Structure((before.parts[1], before.parts[0], before.parts[2]))
    assert before.differences(swapped) == ["the order of the columns was changed"]
