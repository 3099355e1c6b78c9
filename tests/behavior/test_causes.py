"""Errors say the right cause: files that cannot be written, rights that are missing, text that cannot be read."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
from databases import Database

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
    """Rights on files hold for root, too, while it acts as another user."""
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
    """The database's file in a folder that every user may enter."""
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
def test_a_file_that_may_not_be_written(backend: Database, shared: Path, file: int, folder: int, message: str) -> None:
    """Said before anything is searched for; what only reads works where it may read."""
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
def test_a_commit_without_room_names_the_disk(backend: Database) -> None:
    """A limit on the size of files stands for a full disk."""
    backend.execute("create table t as select i % 2 as a, md5(i::varchar) as b from range(30000) r(i)")
    request = policy(into="t_anon")
    request["columns"]["b"] = {"role": "insensitive", "accept_unique": True}
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        size = os.path.getsize(backend.url.split(":///")[1])
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
