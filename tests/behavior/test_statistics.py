"""No statistics of PostgreSQL contain an original value after a run in place, or the report names those that do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import NullPool, create_engine, make_url
from support.databases import OlderPostgreSQL, PostgreSQL, Row
from support.servers import REQUIRED, Unavailable

import kanon_sql as ks

CANARY = "kanarie"  # part of every original value that no release may show
COLUMNS = "id integer not null, name text, age integer, zip text, diagnosis text, ward text not null"
OUTLIERS = 3
POLICY: dict[str, Any] = {
    "algorithm": "datafly",
    "table": "t",
    "publish": {"in_place": True},
    "privacy": {"k": 5},
    "suppression": 0.1,
    "columns": {
        "id": {"role": "insensitive", "accept_unique": True},
        "name": "identifier",
        "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [10, 40]}},
        "zip": {"role": "quasi_identifier", "hierarchy": "suppress"},
        "diagnosis": "sensitive",
        "ward": "insensitive",
    },
}
EVERYTHING_SUPPRESSED = {**POLICY, "privacy": {"k": 40}, "suppression": 1.0}

PARTITIONED = (
    f"create table t ({COLUMNS}) partition by list (ward)",
    "create table t_north partition of t for values in ('north') partition by range (id)",
    "create table t_north_all partition of t_north for values from (minvalue) to (maxvalue)",
    "create table t_south partition of t for values in ('south')",
    "create index on t ((diagnosis || ward))",
)
PLAIN = (f"create table t ({COLUMNS})",)
VIEW = "create materialized view v as select id, diagnosis, ward from t"

# What is made before the rows are analyzed, and what is done afterwards.
CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "plain": (PLAIN, ()),
    "a partition without rows": (PARTITIONED, ()),
    "columns without a target": (
        PLAIN,
        ("alter table t alter column zip set statistics 0", "alter table t alter column diagnosis set statistics 0"),
    ),
    "partitions without a target": (
        PARTITIONED,
        ("alter table t alter column zip set statistics 0", "alter table t alter column diagnosis set statistics 0"),
    ),
    "an index without a target": (
        (*PLAIN, "create index by_both on t ((diagnosis || ward), id)"),
        ("alter index by_both alter column 1 set statistics 0",),
    ),
    "an index without rows": ((*PLAIN, "create index southern on t ((diagnosis || 'x')) where ward = 'south'"), ()),
    "extended": ((*PLAIN, "create statistics pairs (mcv, ndistinct, dependencies) on zip, diagnosis from t"), ()),
    "extended on a column that becomes text": (
        (*PLAIN, "create statistics pairs on age, zip, diagnosis from t"),
        ("alter statistics pairs set statistics 90", "comment on statistics pairs is 'by age'"),
    ),
    "extended on expressions": ((*PLAIN, "create statistics pairs on (diagnosis || ward), (lower(zip)) from t"), ()),
    "extended without a target": (
        (*PLAIN, "create statistics pairs on zip, diagnosis, (diagnosis || ward) from t"),
        ("alter statistics pairs set statistics 0", "comment on statistics pairs is 'it''s 100 %'"),
    ),
    "extended on a column without a target": (
        (*PLAIN, "create statistics pairs on zip, diagnosis from t"),
        ("alter table t alter column zip set statistics 0",),
    ),
    "extended on a partition without rows": ((*PARTITIONED, "create statistics pairs on zip, diagnosis from t_south"), ()),
    "extended on a parent": ((*PARTITIONED, "create statistics pairs on zip, diagnosis from t"), ()),
    "a materialized view": ((*PLAIN, VIEW), ()),
    "a materialized view through a view": (
        (*PLAIN, "create view w as select diagnosis, ward from t", "create materialized view v as select diagnosis, ward from w"),
        (),
    ),
    "a materialized view without rows": (
        (*PLAIN, "create materialized view v as select id, diagnosis from t where ward = 'south'"),
        (),
    ),
    "a materialized view without a target": ((*PLAIN, VIEW), ("alter materialized view v alter column diagnosis set statistics 0",)),
    "an index on a materialized view": ((*PLAIN, VIEW, "create index on v ((diagnosis || ward))"), ()),
    "extended on a materialized view": ((*PLAIN, VIEW, "create statistics pairs on diagnosis, ward from v"), ()),
    "a child that is gone": ((*PLAIN, "create table child () inherits (t)"), ("drop table child",)),
}
# What only a superuser can remove before PostgreSQL 18: ANALYZE writes nothing for a relation without rows.
LEFT_BY_OLDER = {
    "an index without a target": "by_both",
    "a partition without rows": "t_south",
    "partitions without a target": "t_south",
    "an index without rows": "southern",
    "extended on a partition without rows": "t_south",
    "extended on a parent": "t_south",
    "a materialized view without rows": "v",
    "a child that is gone": "t",
}


@pytest.fixture(params=[PostgreSQL, OlderPostgreSQL], ids=["18", "16"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PostgreSQL]:
    """Return a database in which an ordinary user owns the schema."""
    try:
        database: PostgreSQL = request.param(tmp_path)
    except Unavailable as reason:
        if os.environ.get(REQUIRED):
            pytest.fail(f"PostgreSQL is required: {reason}")
        pytest.skip(str(reason))
    database.at_home(f"create role {database.database}_user login")
    database.at_home(f"grant create on database {database.database} to {database.database}_user")
    database.execute(f"alter schema public owner to {database.database}_user")
    yield database
    database.close()
    database.at_home(f"drop role {database.database}_user")


def user_of(server: PostgreSQL) -> str:
    """Return the URL of the user who owns the tables."""
    return make_url(server.url).set(username=f"{server.database}_user").render_as_string(hide_password=False)


def is_older(server: PostgreSQL) -> bool:
    """Return whether the server has no function that clears statistics."""
    return int(server.execute("show server_version_num")[0][0]) < 180000


def rows() -> list[Row]:
    """Return forty patients, the last of whom are far from all others and alone in their ward."""
    found: list[Row] = []
    for number in range(1, 41):
        age, ward, diagnosis = 20 + number * 7 % 20, "north", f"flu {number % 3}"
        if number > 40 - OUTLIERS:
            age, ward, diagnosis = 90 + number * 10, "south", f"{CANARY}-diagnosis-{number % 2}"
        found.append((number, f"{CANARY}-name-{number}", age, f"{CANARY}-zip-{number % 15}", diagnosis, ward))
    return found


def make(server: PostgreSQL, case: str) -> None:
    """Create the tables of a case with rows and statistics, owned by the user."""
    before, after = CASES[case]
    server.execute(f"set role {server.database}_user;" + ";".join(before))
    server.execute("insert into t values (%s, %s, %s, %s, %s, %s)", rows())
    for (view,) in server.execute("select matviewname from pg_matviews where schemaname = 'public'"):
        server.execute(f"refresh materialized view {view}")
    server.execute("analyze")
    server.execute(f"set role {server.database}_user;" + ";".join(after) + "; select 1")


def found(server: PostgreSQL) -> list[Row]:
    """Return where statistics contain an original value: in the public views and in the catalogs they read."""
    shown = [
        "select 'pg_stats', tablename, attname, s::text from pg_stats s where schemaname = 'public'",
        "select 'pg_stats_ext', statistics_name, '', s::text from pg_stats_ext s",
        "select 'pg_stats_ext_exprs', statistics_name, expr, s::text from pg_stats_ext_exprs s",
        "select 'pg_statistic', starelid::regclass::text, staattnum::text, s::text from pg_statistic s"
        " join pg_class c on c.oid = starelid where relnamespace = 'public'::regnamespace",
        "select 'pg_statistic_ext_data', stxoid::text, '', stxdexpr::text || coalesce((select string_agg(m::text, '')"
        " from pg_mcv_list_items(stxdmcv) m), '') from pg_statistic_ext_data",
        "select 'pg_statistic_ext_data', stxoid::text, 'mcv', (select string_agg(m::text, '') from pg_mcv_list_items(stxdmcv) m)"
        " from pg_statistic_ext_data",
    ]
    return [row[:3] for sql in shown for row in server.execute(sql) if CANARY in str(row[3])]


def definitions(server: PostgreSQL) -> list[list[Row]]:
    """Return the users' definitions of statistics, which a run must not change."""
    return [
        server.execute(
            "select stxname, pg_get_statisticsobjdef(oid), stxowner::regrole::text, obj_description(oid, 'pg_statistic_ext'),"
            " coalesce(stxstattarget, -1), stxnamespace::regnamespace::text from pg_statistic_ext order by 1"
        ),
        server.execute(
            "select attrelid::regclass::text, attname, coalesce(attstattarget, -1) from pg_attribute join pg_class c on c.oid = attrelid"
            " where relnamespace = 'public'::regnamespace and relname not like '%kanon%' and attnum > 0 and not attisdropped order by 1, 2"
        ),
    ]


def replace_rows(url: str, policy: dict[str, Any]) -> ks.AnonymizeReport:
    """Run in place; statistics that this user may not remove are a failure after the release, which is examined anyway."""
    try:
        return ks.anonymize(url, policy, yes=True)
    except ks.AfterReleaseError as error:
        report: ks.AnonymizeReport = error.report
        return report


@pytest.mark.parametrize("who", ["superuser", "user"])
@pytest.mark.parametrize("case", CASES)
def test_statistics_show_no_original_value(server: PostgreSQL, case: str, who: str) -> None:
    make(server, case)
    assert found(server), "else the search would prove nothing"
    before = definitions(server)
    report = replace_rows(server.url if who == "superuser" else user_of(server), POLICY)
    assert report.suppressed_rows == OUTLIERS
    assert report.in_place is not None
    after = definitions(server)
    assert after[0] == before[0]
    assert after[1] == [row for row in before[1] if row[:2] != ("t", "name") and row[1] != "name"]
    if who == "user" and is_older(server) and case in LEFT_BY_OLDER:
        assert not report.in_place.scrubbed
        assert LEFT_BY_OLDER[case] in str(report.in_place.remaining)
        assert [r.complete for r in ks.recover(user_of(server))] == [False]
        assert [r.complete for r in ks.recover(server.url)] == [True]
        assert definitions(server) == after
    else:
        assert (report.in_place.scrubbed, report.in_place.remaining) == (True, ())
    assert found(server) == []
    assert ks.recover(server.url) == []


@pytest.mark.parametrize("who", ["superuser", "user"])
def test_a_release_without_rows_leaves_no_statistics(server: PostgreSQL, who: str) -> None:
    make(server, "extended")
    report = replace_rows(server.url if who == "superuser" else user_of(server), EVERYTHING_SUPPRESSED)
    assert report.published_rows == 0
    assert report.in_place is not None
    if who == "user" and is_older(server):
        assert not report.in_place.scrubbed
        assert "diagnosis" in str(report.in_place.remaining)
        assert [r.complete for r in ks.recover(server.url)] == [True]
    else:
        assert report.in_place.scrubbed
    assert found(server) == []


@pytest.mark.parametrize(
    ("tables", "relation", "definition"),
    [
        (PLAIN, "t", "on name, zip"),
        (PARTITIONED, "t_south", "on name, zip"),
        (PLAIN, "t", "on (age / 10), zip"),
        (PLAIN, "t", "on (lower(name))"),
    ],
)
def test_a_statistics_object_that_would_be_dropped_is_named(
    server: PostgreSQL, tables: tuple[str, ...], relation: str, definition: str
) -> None:
    server.execute(f"set role {server.database}_user;" + ";".join(tables) + f"; create statistics pairs {definition} from {relation}")
    server.execute("insert into t values (%s, %s, %s, %s, %s, %s)", rows())
    server.execute("analyze")
    with pytest.raises(ks.RequestError, match=r"(?s)statistics pairs is .*--allow-loss pairs"):
        ks.anonymize(user_of(server), POLICY, yes=True)
    report = replace_rows(user_of(server), {**POLICY, "publish": {"in_place": True, "allow_loss": ["pairs"]}})
    assert report.in_place is not None
    assert report.in_place.lost == ("statistics pairs",)
    assert definitions(server)[0] == []


def test_a_statistics_object_of_another_owner_is_reported(server: PostgreSQL) -> None:
    make(server, "plain")
    server.execute("create statistics pairs on zip, diagnosis from t")
    server.execute("analyze")
    before = definitions(server)
    report = replace_rows(user_of(server), POLICY)
    assert report.in_place is not None
    assert not report.in_place.scrubbed
    assert "public.pairs" in str(report.in_place.remaining)
    assert [r.complete for r in ks.recover(user_of(server))] == [False]
    assert [r.complete for r in ks.recover(server.url)] == [True]
    assert definitions(server)[0] == before[0]
    assert found(server) == []


def test_statistics_that_another_session_writes_during_a_run_are_replaced(server: PostgreSQL) -> None:
    make(server, "a materialized view")
    engine = create_engine(server.url, poolclass=NullPool)
    with engine.connect() as other, ThreadPoolExecutor() as threads:
        other.exec_driver_sql("analyze t")  # in a transaction, as autovacuum does it
        run = threads.submit(ks.anonymize, user_of(server), POLICY, yes=True)
        while not server.execute("select 1 from pg_locks where not granted and relation = 't'::regclass") and not run.done():
            pass
        other.commit()
        report = run.result()
    assert report.in_place is not None
    assert report.in_place.scrubbed
    assert found(server) == []


def test_statistics_change_with_the_rows(server: PostgreSQL) -> None:
    make(server, "columns without a target")
    seen: set[Row] = set()
    shown = f"(select count(*) > 0 from pg_stats as s where s.schemaname = 'public' and s::text like '%{CANARY}%')"
    engine = create_engine(server.url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as reader, reader.connection.driver_connection.cursor() as cursor:  # type: ignore[union-attr]
        cursor.execute("set lock_timeout = '1ms'")

        def look(*_: object) -> None:
            """Read both in one statement; while the table is locked, nobody can read it."""
            with suppress(psycopg.errors.LockNotAvailable):
                cursor.execute(f"select count(*), {shown} from t")
                seen.update(cursor.fetchall())

        ks.anonymize(user_of(server), POLICY, yes=True, listener=look)
        look()
    assert seen == {(40, True), (40 - OUTLIERS, False)}


@pytest.mark.parametrize("who", ["superuser", "user"])
def test_no_file_of_a_table_contains_an_original_value(server: PostgreSQL, who: str) -> None:
    make(server, "an index on a materialized view")
    server.execute("alter table t add column page text")
    server.execute("alter table t alter column page set storage external")
    server.execute("create index on t using hash (diagnosis)")
    server.execute(f"update t set page = repeat(case when ward = 'south' then '{CANARY}' else 'page' end, 2000)")
    policy = {**POLICY, "columns": {**POLICY["columns"], "page": "insensitive"}}
    assert files_with_canaries(server)
    report = replace_rows(server.url if who == "superuser" else user_of(server), policy)
    assert report.suppressed_rows == OUTLIERS
    assert files_with_canaries(server) == []


def files_with_canaries(server: PostgreSQL) -> list[str]:
    """Return the files of the database that contain an original value, except those that the report lists as not erasable."""
    server.at_home("checkpoint")
    ((folder, database),) = server.execute(
        "select current_setting('data_directory'), oid::text from pg_database where datname = current_database()"
    )
    ((kept,),) = server.execute(
        "select array_agg(pg_relation_filenode(oid)::text) from pg_class where oid in ('pg_statistic'::regclass,"
        " 'pg_statistic_ext_data'::regclass) or oid in (select reltoastrelid from pg_class where oid in ('pg_statistic'::regclass,"
        " 'pg_statistic_ext_data'::regclass))"
    )
    files = [path for path in (Path(folder) / "base" / database).iterdir() if path.name.partition(".")[0] not in kept]
    return [path.name for path in files if CANARY.encode() in path.read_bytes()]
