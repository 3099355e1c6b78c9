"""Errors name the right cause: files that cannot be written, missing permissions, text that cannot be decoded."""

from __future__ import annotations

import hmac
import os
import resource
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlalchemy as sa
from support.databases import Database, Server

import kanon_sql as ks

NOBODY = 65534


def policy(**publish: Any) -> dict[str, Any]:
    return {
        "table": "t",
        "publish": publish or {"into": "t_anon", "replace": True},
        "privacy": {"k": 2},
        "columns": {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}},
    }


@contextmanager
def without_privileges() -> Iterator[None]:
    """Act as another user, because root ignores file permissions."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


@pytest.fixture
def shared(backend: Database) -> Iterator[Path]:
    """Return the database file in a folder that every user may enter."""
    backend.create("t", {"a": "integer"}, [(1,), (1,), (2,)])
    folder = Path(tempfile.mkdtemp())
    path = folder / "shared.db"
    shutil.copy(backend.url.split(":///")[1], path)
    ks.anonymize(f"{backend.name}:///{path}", policy(), dry_run=True)  # what is loaded late is loaded now
    yield path
    folder.chmod(0o700)
    shutil.rmtree(folder)


@pytest.mark.engines("duckdb", "sqlite")
@pytest.mark.parametrize(
    ("file", "folder", "message"),
    [
        (0o444, 0o777, r"database file .* is read-only for this user; make .* writable"),
        (0o666, 0o555, r"folder .* is read-only for this user; make .* writable"),
        (0o000, 0o777, r"cannot be read by this user; grant it the right"),
        (0o666, 0o000, r"cannot be reached: this user may not enter the folder"),
    ],
)
def test_a_file_without_write_permission(backend: Database, shared: Path, file: int, folder: int, message: str) -> None:
    """The error precedes the search; commands that only read work with read access."""
    url, readable = f"{backend.name}:///{shared}", file and folder
    shared.chmod(file)
    shared.parent.chmod(folder)
    with without_privileges():
        for publish in ({"into": "t_anon", "replace": True}, {"in_place": True}):
            with pytest.raises(ks.BackendError, match=message):
                ks.anonymize(url, policy(**publish), yes=True)
            if readable:
                assert ks.anonymize(url, policy(**publish), dry_run=True).k == 3
        if readable:
            assert not ks.check(url, "t", quasi_identifiers=["a"], k=2).holds
            assert ks.solve(url, policy()).levels == {"a": 1}


@pytest.mark.engines("duckdb")
def test_a_commit_on_a_full_disk_names_the_disk(backend: Database) -> None:
    """A limit on the size of files simulates a full disk."""
    backend.execute("create table t as select i % 2 as a, md5(i::varchar) as b from range(30000) r(i)")
    request = policy(into="t_anon")
    request["columns"]["b"] = {"role": "insensitive", "accept_unique": True}
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        size = Path(backend.url.split(":///")[1]).stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100_000, before[1]))
        with pytest.raises(ks.BackendError, match="the disk is full") as raised:
            ks.anonymize(backend.url, request)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert "another transaction" not in str(raised.value)
    assert backend.tables() == {"t"}


def test_a_conflict_is_still_a_conflict(tmp_path: Path) -> None:
    path = str(tmp_path / "x.duckdb")
    with duckdb.connect(path) as connection, duckdb.connect(path) as other:
        connection.execute("create table t as select i % 2 as a from range(10) r(i)")

        def interfere(name: str, stage: object) -> None:
            if name == "swap" and stage is None:
                other.execute("create table t_anon (a integer)")

        with pytest.raises(ks.BackendError, match="another transaction changed the same table"):
            ks.anonymize(connection, policy(into="t_anon"), listener=interfere)


@pytest.fixture
def guest(backend: Database) -> Iterator[str]:
    """Return the URL of a user of the server without permissions on the table."""
    assert isinstance(backend, Server)
    backend.create("t", {"a": "integer"}, [(1,), (1,), (2,)])
    name, made = f"guest_{backend.database}", ["create role {} login password 'x'"]
    if backend.name == "mariadb":
        made = ["create user {} identified by 'x'", f"grant create temporary tables on {backend.database}.* to {{}}"]
    users = [name] if backend.name == "postgresql" else [f"{name}@'%'", f"{name}@localhost"]
    for user in users:
        for statement in made:
            backend.at_home(statement.format(user))
    yield sa.make_url(backend.url).set(username=name, password="x").render_as_string(hide_password=False)
    for user in users:
        if backend.name == "postgresql":
            backend.execute(f"drop owned by {user}")
        backend.at_home(f"drop user {user}")


def grant(backend: Server, url: str, right: str) -> None:
    name = sa.make_url(url).username
    for user in [name] if backend.name == "postgresql" else [f"{name}@'%'", f"{name}@localhost"]:
        backend.execute(f"{right} {'from' if right.startswith('revoke') else 'to'} {user}")


def refused(url: str, table: str, message: str) -> None:
    """Reading, counting and publishing are all refused with the cause."""
    request = {**policy(), "table": table}
    for attempt in (
        lambda: ks.profile(url, table),
        lambda: ks.anonymize(url, request, dry_run=True),
        lambda: ks.anonymize(url, request),
        lambda: ks.anonymize(url, {**request, "publish": {"in_place": True}}, yes=True),
    ):
        with pytest.raises(ks.KanonError, match=message) as raised:
            attempt()
        assert "create tables" not in str(raised.value)


@pytest.mark.engines("postgresql")
def test_missing_permissions_in_postgresql(backend: Server, guest: str) -> None:
    backend.execute("create schema s")
    backend.execute("create table s.t as select * from t")
    refused(guest, "t", "grant it SELECT on the source")
    refused(guest, "s.t", "grant it USAGE on the source's schema")
    grant(backend, guest, "grant select on t")
    with pytest.raises(ks.BackendError, match="USAGE and CREATE on the target's"):
        ks.anonymize(guest, policy())
    grant(backend, guest, "grant create on schema public")
    with pytest.raises(
        ks.BackendError, match=r"only the owner of a table|grant it SELECT on the source, which it must own to replace rows"
    ):
        ks.anonymize(guest, policy(in_place=True), yes=True)
    backend.execute(f"revoke temporary on database {backend.database} from public")
    refused(guest, "t", "grant it TEMPORARY on the database")


@pytest.mark.engines("mariadb")
def test_missing_permissions_in_mariadb(backend: Server, guest: str) -> None:
    refused(guest, "t", "does not exist, or this user has no permission on it")
    grant(backend, guest, "grant insert on t")
    refused(guest, "t", "grant it SELECT on the source")
    grant(backend, guest, "grant select on t")
    with pytest.raises(ks.BackendError, match="grant it CREATE, INSERT, ALTER and DROP"):
        ks.anonymize(guest, policy())
    grant(backend, guest, f"revoke create temporary tables on {backend.database}.*")
    refused(guest, "t", "grant it CREATE TEMPORARY TABLES")


@pytest.mark.engines("duckdb")
@pytest.mark.parametrize(
    "lines",
    ["x\tlow\ny\tlow\n", "x;low\ny;low\n", "x,low\ny,low\n", '"x"\t"[0,5)"\n"y"\t"[0,5)"\n', '"x";"a,b"\ny;"a,b"\n'],
)
def test_a_hierarchy_file_with_any_usual_delimiter(backend: Database, tmp_path: Path, lines: str) -> None:
    backend.create("t", {"a": "text"}, [("x",), ("y",)])
    (tmp_path / "h.csv").write_text(lines)
    request = policy()
    request["columns"]["a"]["hierarchy"] = {"csv": str(tmp_path / "h.csv")}
    assert ks.anonymize(backend.url, request).k == 2


def test_a_hierarchy_file_with_bars_is_refused(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("x|low\ny|low\n")
    request = policy()
    request["columns"]["a"]["hierarchy"] = {"csv": str(tmp_path / "h.csv")}
    with pytest.raises(ks.HierarchyError, match="a semicolon, a comma or a tab"):
        ks.anonymize("duckdb:///:memory:", request)


@pytest.mark.parametrize("algorithm", ["flash", "mondrian"])
def test_bounds_of_a_column_with_a_long_name(backend: Database, algorithm: str) -> None:
    """A server truncates long names, so two bounds would have the same name."""
    longest = {"postgresql": 63, "mariadb": 64}.get(backend.name)
    for length in (60, 61, 63):
        name = "a" * length
        backend.create(f"t{length}", {name: "integer"}, [(1,), (1,), (2,)])
        for publish in ({"into": f"o{length}"}, {"in_place": True}):
            request = {
                "table": f"t{length}",
                "publish": publish,
                "privacy": {"k": 2},
                "algorithm": algorithm,
                "columns": {name: {"role": "quasi_identifier", "hierarchy": {"intervals": [5]}, "output": "bounds"}},
            }
            if longest is None or length + 4 <= longest:
                assert ks.anonymize(backend.url, request, dry_run=True).k == 3
                continue
            with pytest.raises(ks.RequestError, match=rf"'{name}_min' is too long, since .* takes {longest}"):
                ks.anonymize(backend.url, request, yes=True)


@pytest.mark.engines("duckdb", "sqlite", "mariadb")
def test_bounds_that_differ_in_case_from_another_column(backend: Database) -> None:
    backend.create("t", {"a": "integer", "A_Min": "integer"}, [(1, 1), (1, 1), (2, 1)])
    request = policy()
    request["columns"] = {"a": {"role": "quasi_identifier", "hierarchy": {"intervals": [5]}, "output": "bounds"}, "A_Min": "insensitive"}
    with pytest.raises(ks.RequestError, match="the release already has a column 'A_Min'"):
        ks.anonymize(backend.url, request)


@pytest.mark.engines("sqlite")
@pytest.mark.parametrize("publish", [{"into": "t_anon"}, {"in_place": True}])
def test_text_that_is_not_utf_8(backend: Database, monkeypatch: pytest.MonkeyPatch, publish: dict[str, Any]) -> None:
    """Text of any bytes is counted, hashed and published unchanged; where it must be read, an error says so."""
    monkeypatch.setenv("KANON_TEST_KEY", "s3cret")
    backend.execute("create table t (card text, zip text, ill text)")
    cells = [(b"M\xfcller%d" % number, b"12\xff%d" % (number % 2), b"fl\xfc") for number in range(8)]
    backend.execute("insert into t values (cast(? as text), cast(? as text), cast(? as text))", cells)
    backend.execute("insert into t values (x'ff00', cast(x'3132ff30' as text), 'flu')")
    request: dict[str, Any] = {
        "table": "t",
        "publish": publish,
        "privacy": {"k": 2},
        "columns": {
            "card": {"role": "identifier", "action": "hash", "key": "env:KANON_TEST_KEY"},
            "zip": {"role": "quasi_identifier", "hierarchy": {"mask": {"hide": [1, 2]}}},
            "ill": "sensitive",
        },
    }
    with pytest.raises(ks.QueryError, match="a text that is not UTF-8 cannot be read; correct such values"):
        ks.solve(backend.url, {**request, "algorithm": "mondrian", "columns": {**request["columns"], "zip": "quasi_identifier"}})
    assert ks.anonymize(backend.url, request, yes=True).k == 4
    hashed: dict[str, str] = dict(backend.execute(f"select card, hex(ill) from {publish.get('into', 't')} where typeof(card) = 'text'"))
    expected = [hmac.new(b"s3cret", card, "sha256").hexdigest() for card, *_ in cells]
    assert sorted(hashed) == sorted([*expected, hmac.new(b"s3cret", b"\xff\x00", "sha256").hexdigest()])
    assert hashed[expected[0]] == "666CFC"
    if "in_place" in publish:
        assert ks.anonymize(backend.url, request, yes=True).k == 4  # the fingerprint says that it is done


@pytest.mark.engines("sqlite")
def test_a_hash_is_the_same_in_a_database_of_utf_16(backend: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KANON_TEST_KEY", "s3cret")
    path = tmp_path / "wide.db"
    with sqlite3.connect(path) as connection:
        connection.execute("pragma encoding = 'UTF-16le'")
        connection.execute("create table t (card text, a integer)")
        connection.executemany("insert into t values (?, 1)", [("Müller",), ("Ω",)])
    connection.close()
    request = policy()
    request["columns"]["card"] = {"role": "identifier", "action": "hash", "key": "env:KANON_TEST_KEY"}
    ks.anonymize(f"sqlite:///{path}", request)
    with sqlite3.connect(path) as connection:
        found = {row[0] for row in connection.execute("select card from t_anon")}
    connection.close()
    assert found == {hmac.new(b"s3cret", name.encode(), "sha256").hexdigest() for name in ("Müller", "Ω")}


@pytest.mark.engines("postgresql")
@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_of_another_encoding(backend: Server, monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    """Text is decoded in any encoding of the database; characters it cannot store and bytes that are not UTF-8 are reported."""
    monkeypatch.setenv("KANON_TEST_KEY", "s3cret")
    name = f"{backend.database}_old"
    backend.at_home(f"create database {name} encoding '{encoding}' locale 'C' template template0")
    url = sa.make_url(backend.url).set(database=name).render_as_string(hide_password=False)
    engine = sa.create_engine(url, poolclass=sa.NullPool, connect_args={"client_encoding": "utf8"})
    text = "convert_from(decode('4dfc','hex'),'SQL_ASCII')" if encoding == "SQL_ASCII" else "'M' || chr(252)"
    with engine.begin() as connection:
        connection.exec_driver_sql(f"create table t as select 'c' || i as card, {text} || (i %% 2) as zip from generate_series(1, 8) r(i)")
    request: dict[str, Any] = {
        "table": "t",
        "publish": {"into": "t_anon", "replace": True},
        "privacy": {"k": 2},
        "columns": {
            "card": {"role": "identifier", "action": "hash", "key": "env:KANON_TEST_KEY"},
            "zip": {"role": "quasi_identifier", "hierarchy": {"mask": {"hide": [1]}}},
        },
    }
    try:
        assert ks.anonymize(url, request).k == 4
        assert ks.anonymize(url, request).k == 4
        with engine.connect() as connection:
            before = connection.exec_driver_sql("show client_encoding").scalar()
            connection.rollback()
            assert ks.check(connection, "t", quasi_identifiers=["zip"], k=2).holds
            assert connection.exec_driver_sql("show client_encoding").scalar() == before
        request["columns"]["zip"]["hierarchy"] = {"mask": {"hide": [1], "char": "●"}}
        with pytest.raises(ks.BackendError, match="the database's encoding may not have it"):
            ks.anonymize(url, request)
        request["columns"]["zip"] = "quasi_identifier"
        if encoding == "SQL_ASCII":
            with pytest.raises(ks.BackendError, match="correct such values"):
                ks.solve(url, {**request, "algorithm": "mondrian"})
        else:
            request["columns"]["zip"] = {"role": "quasi_identifier", "hierarchy": {"tree": {"Ω": ["Mü0", "Mü1"]}}}
            with pytest.raises(ks.BackendError, match="does not exist in the database's encoding"):
                ks.anonymize(url, request)
    finally:
        backend.at_home(f"drop database {name} with (force)")


WIDTHS: list[tuple[dict[str, Any], str]] = [
    ({"intervals": [1e-320]}, "columns.a.hierarchy.intervals: must have fewer than 38 digits"),
    ({"intervals": [5e-324, 1]}, "columns.a.hierarchy.intervals: must have fewer than 38 digits"),
    ({"intervals": ["1e308"]}, "columns.a.hierarchy.intervals: must have fewer than 38 digits"),
    ({"intervals": ["1e400"]}, "columns.a.hierarchy.intervals: must have fewer than 38 digits"),
    ({"intervals": [1], "origin": "1e300"}, "columns.a.hierarchy.origin: must have fewer than 38 digits"),
    ({"intervals": [float("inf")]}, "must be a finite number"),
    ({"intervals": [float("nan")]}, "must be a finite number"),
    ({"edges": [["1e-320", 1]]}, "columns.a.hierarchy.edges: must have fewer than 38 digits"),
    ({"round": ["1e300"]}, "columns.a.hierarchy.round: must have fewer than 38 digits"),
    ({"top_bottom": {"low": "1e-320", "high": 9}}, "columns.a.hierarchy.top_bottom: must have fewer than 38 digits"),
    ({"intervals": ["1e-30", "1e30"]}, "its hierarchy has numbers of 61 digits from the last decimal place on, and .* calculates with"),
]


@pytest.mark.parametrize(("rule", "message"), WIDTHS)
@pytest.mark.parametrize("kind", ["double", "integer", "decimal"])
def test_numbers_that_no_database_computes_with(backend: Database, kind: str, rule: dict[str, Any], message: str) -> None:
    backend.create("t", {"a": kind}, [(1,), (1,), (2,)])
    request = policy()
    request["columns"]["a"]["hierarchy"] = rule
    with pytest.raises(ks.RequestError, match=message):
        ks.anonymize(backend.url, request)


@pytest.mark.engines("sqlite")
def test_numbers_beyond_64_bits(backend: Database) -> None:
    backend.create("t", {"a": "integer"}, [(1,), (1,), (2,)])
    request = policy()
    request["columns"]["a"]["hierarchy"] = {"intervals": ["1e20"]}
    with pytest.raises(ks.HierarchyError, match=r"numbers of 21 digits .* and SQLite calculates with 18 at most; use rounder numbers"):
        ks.anonymize(backend.url, request)


@pytest.mark.parametrize("scale", [1e-320, 1e-20, 1e17, 1e18, 1e36, 1e300])
def test_a_column_of_tiny_or_huge_numbers_has_a_hierarchy_by_default(backend: Database, scale: float) -> None:
    backend.create("t", {"a": "double"}, [(number // 2 * scale,) for number in range(-20, 20)])
    request = policy()
    request["columns"]["a"] = "quasi_identifier"
    assert (ks.anonymize(backend.url, request).k or 0) >= 2
