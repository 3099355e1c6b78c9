"""A full disk: nothing changes, or the release is complete and the report says that original rows remain."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from faults.injection import Trap, trapped
from faults.outcome_checks import run_without_faults
from faults.sample_database import SECRET, SampleDatabase, policy
from faults.test_leftovers import found_in_files, state_of_run
from support.databases import DuckDB, SQLite
from support.full_disk import files_limited, fill_up, small_disk
from support.inventory import DUCKDB_LOCKS
from support.projects import ProjectFolder

import kanon_sql as ks
from kanon_sql.cli import run

Capture = pytest.CaptureFixture[str]
pytestmark = pytest.mark.engines("duckdb", "sqlite")

BULK = {
    "duckdb": "create table bulk as select i, hash(i)::varchar || hash(-i)::varchar as t from range(200000) as r(i)",
    "sqlite": "create table bulk as with recursive r(i) as (select 1 union all select i + 1 from r where i < 100000)"
    " select i, hex(randomblob(18)) as t from r",
}


class Disk:
    """The sample database on a disk that can be filled and freed."""

    def __init__(self, sample: SampleDatabase, fill: Callable[[], object], free: Callable[[], object], *, can_be_opened: bool) -> None:
        self.sample, self.fill, self.free, self.can_be_opened = sample, fill, free, can_be_opened
        sample.set_up()
        sample.ask(BULK[sample.database.name])

    @contextmanager
    def filled_at_the_scrub(self) -> Iterator[None]:
        """Fill the disk before the first statement after the commit."""

        def fill(backend: object, what: str) -> None:
            if trap.stage == "scrub" and not filled:
                filled.append(what)
                self.fill()

        filled: list[str] = []
        with trapped(Trap(1, "before", fill, persistent=True)) as trap:
            yield
        assert filled, "the run did not come to its scrub"


@pytest.fixture(params=["limited files", "small disk", "full disk"])
def disk(request: pytest.FixtureRequest, sample: SampleDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    """Return a disk that is full because files may not grow, or because it is small."""
    with ExitStack() as ends:
        if request.param == "limited files":
            limit = ExitStack()
            ends.callback(limit.close)
            yield Disk(sample, lambda: limit.enter_context(files_limited(2**20)), limit.close, can_be_opened=False)
            return
        folder = ends.enter_context(small_disk(tmp_path / "disk", 128))
        monkeypatch.setenv("SQLITE_TMPDIR", str(folder))
        database = DuckDB(folder) if isinstance(sample.database, DuckDB) else SQLite(folder)
        leave = 0 if request.param == "full disk" else 4 * 2**20  # enough for the journal, not for all tables once more
        yield Disk(SampleDatabase(database), lambda: fill_up(folder, leave=leave), (folder / "filler").unlink, can_be_opened=leave > 0)


def policy_file(tmp_path: Path, **publish: Any) -> str:
    file = tmp_path / "policy.yml"
    file.write_text(yaml.safe_dump(policy(**publish)))
    return str(file)


def test_a_scrub_on_a_full_disk_fails_after_the_release(disk: Disk, tmp_path: Path, capfd: Capture) -> None:
    url, file = disk.sample.url, policy_file(tmp_path)
    with disk.filled_at_the_scrub():
        assert run(["anonymize", url, "--policy", file, "--yes", "--json"]) == 1
    said = capfd.readouterr()
    reported = json.loads(said.out)
    assert reported["status"] == "published"
    assert reported["in_place"]["scrubbed"] is False
    (remaining,) = reported["in_place"]["remaining"]
    assert f"the release is published, but this remains: {remaining}. Remove the cause, then run: kanon recover {url}\n" in said.err
    assert "original rows" in remaining
    assert "another transaction" not in remaining
    assert "disk" in remaining

    assert run(["recover", url, "--json"]) == 1, "the disk is still full"
    said = capfd.readouterr()
    assert "damaged" not in said.err
    if disk.can_be_opened:
        (reported,) = json.loads(said.out)
        assert reported["complete"] is False
        assert f"published, but this remains: {reported['remaining'][0]}. Remove the cause, then run: kanon recover {url}\n" in said.err

    assert run(["anonymize", url, "--policy", file, "--yes", "--json"]) == 1, "unchanged, but the original rows are still there"
    said = capfd.readouterr()
    if disk.can_be_opened:
        reported = json.loads(said.out)
        assert (reported["status"], reported["in_place"]["scrubbed"]) == ("unchanged", False)

    disk.free()
    assert state_of_run(disk.sample) != "scrubbed"
    assert run(["recover", url]) == 0
    assert "published; original rows erased" in capfd.readouterr().out
    assert found_in_files(disk.sample) == []
    assert run(["anonymize", url, "--policy", file, "--yes", "--json"]) == 0
    reported = json.loads(capfd.readouterr().out)
    assert (reported["status"], reported["in_place"]["scrubbed"], reported["in_place"]["remaining"]) == ("unchanged", True, [])


def test_the_next_run_erases_the_leftovers_of_the_last(disk: Disk) -> None:
    with disk.filled_at_the_scrub(), pytest.raises(ks.AfterReleaseError, match="this remains: original rows") as raised:
        disk.sample.run()
    report: ks.AnonymizeReport = raised.value.report
    assert report.status == "published"
    assert report.in_place is not None
    assert not report.in_place.scrubbed
    disk.free()
    report = disk.sample.run()
    assert report.status == "unchanged"
    assert report.in_place is not None
    assert report.in_place.scrubbed
    assert found_in_files(disk.sample) == []


def test_a_project_counts_it_as_failed_after_the_release(disk: Disk, tmp_path: Path, capfd: Capture) -> None:
    sample = disk.sample
    project = ProjectFolder(tmp_path / "project", {"patients": {**policy(), "tags": ["nightly"]}}, url=sample.url)
    with disk.filled_at_the_scrub():
        assert project.run("run", "--auto-plan", "--yes") == 1
    said = capfd.readouterr()
    assert said.out.splitlines()[-1] == "Done. PASS=0 WARN=0 ERROR=1 SKIP=0 TOTAL=1"
    assert f"Remove the cause, then run: kanon recover {sample.url}" in said.err
    (result,) = project.artifact()["results"]
    assert result["status"] == "error_after_release"
    assert result["adapter_response"]["scrubbed"] is False
    assert result["privacy"]["k"] >= 3
    assert project.run("list", "--select", "result:error_after_release", "--json") == 0
    assert [job["name"] for job in json.loads(capfd.readouterr().out)] == ["patients"]
    assert project.run("retry") == 1
    assert project.statuses()["patients"] in ("error_after_release", *([] if disk.can_be_opened else ["error"]))
    disk.free()
    assert project.run("retry") == 0
    (result,) = project.artifact()["results"]
    assert (result["status"], result["adapter_response"]["scrubbed"]) == ("success", True)
    assert found_in_files(sample) == []
    assert project.run("retry") == 0


def test_rows_that_were_not_to_be_erased_are_not_a_failure(disk: Disk, tmp_path: Path, capfd: Capture) -> None:
    assert run(["anonymize", disk.sample.url, "--policy", policy_file(tmp_path, scrub="off"), "--yes", "--json"]) == 0
    reported = json.loads(capfd.readouterr().out)
    assert reported["in_place"]["scrubbed"] is False
    assert reported["in_place"]["remaining"] == ["original rows wherever the engine left them (scrub: off)"]
    assert reported["warnings"] == []
    assert run(["anonymize", disk.sample.url, "--policy", policy_file(tmp_path, scrub="off"), "--yes", "--json"]) == 0
    reported = json.loads(capfd.readouterr().out)
    assert (reported["status"], reported["in_place"]["scrubbed"]) == ("unchanged", False)
    assert run(["recover", disk.sample.url]) == 0


@pytest.mark.parametrize("dry", [True, False])
def test_too_little_free_space_is_refused_before_any_change(sample: SampleDatabase, monkeypatch: pytest.MonkeyPatch, dry: bool) -> None:
    sample.set_up()
    before = sample.state()
    usage = shutil.disk_usage(os.curdir)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage._replace(free=1000))
    with pytest.raises(ks.BackendError, match=r"about [\d,]+ bytes are needed, 1,000 are free; nothing was changed"):
        ks.anonymize(sample.url, policy(), yes=True, dry_run=dry)
    assert sample.state() == before
    assert ks.anonymize(sample.url, policy(scrub="off"), yes=True).status == "published"


def test_space_that_is_used_up_during_the_run_is_detected_before_the_commit(
    sample: SampleDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run_without_faults(sample)
    sample.set_up()
    usage = shutil.disk_usage(os.curdir)

    def take(name: str, stage: object) -> None:
        if name == "write" and stage is None:
            monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage._replace(free=1000))

    with pytest.raises(ks.BackendError, match="1,000 are free; nothing was changed"):
        ks.anonymize(sample.url, policy(), yes=True, listener=take)
    assert sample.content() == whole.contents[0]
    monkeypatch.undo()
    assert sample.run().status == "published"


def test_a_small_disk_is_measured(sample: SampleDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with small_disk(tmp_path / "disk", 128) as folder:
        monkeypatch.setenv("SQLITE_TMPDIR", str(folder))
        small = SampleDatabase(DuckDB(folder) if isinstance(sample.database, DuckDB) else SQLite(folder))
        small.set_up()
        small.ask(BULK[sample.database.name])
        fill_up(folder, leave=4 * 2**20)
        with pytest.raises(ks.BackendError, match=r"bytes are needed, [\d,]+ are free; nothing was changed"):
            small.run()
        (folder / "filler").unlink()
        assert len(small.content()) > 0
        assert SECRET in str(small.ask("select name from patients"))
        assert small.run().status == "published"
        assert found_in_files(small) == []


@pytest.mark.engines("duckdb")
def test_a_connection_that_was_passed_in_gets_a_warning(sample: SampleDatabase) -> None:
    if not DUCKDB_LOCKS:
        pytest.skip("this DuckDB cannot lock a table, so a connection that is passed in is refused in place")
    sample.set_up()
    assert isinstance(sample.database, DuckDB)
    with duckdb.connect(str(sample.database.path)) as connection:
        report = ks.anonymize(connection, policy(), yes=True)
        assert report.in_place is not None
        assert not report.in_place.scrubbed
        assert [warning for warning in report.warnings if "because the caller owns the connection" in warning]
        again = ks.anonymize(connection, policy(), yes=True)
        assert again.status == "unchanged"
        assert [warning for warning in again.warnings if "because the caller owns the connection" in warning]
        assert [found.complete for found in ks.recover(connection)] == [False]
    assert found_in_files(sample)
    assert [found.complete for found in ks.recover(sample.url)] == [True]
    assert found_in_files(sample) == []


def crash(path: Path, *statements: str) -> None:
    """Run statements, ignoring errors, in a process that ends without closing the database."""
    program = """
import os, sys, duckdb
connection = duckdb.connect(sys.argv[1])
for statement in sys.argv[2:]:
    try:
        connection.execute(statement)
    except duckdb.Error:
        pass
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", program, str(path), *statements], check=True)


@pytest.mark.engines("duckdb")
def test_a_file_that_needs_space_to_open(sample: SampleDatabase, tmp_path: Path, capfd: Capture) -> None:
    sample.set_up()
    assert isinstance(sample.database, DuckDB)
    path, copy = sample.database.path, tmp_path / "copy"
    shutil.copyfile(path, copy)
    crash(path, "insert into wards select i, 'x' from range(1000) as r(i)", "set debug_checkpoint_abort = 'before_header'", "checkpoint")
    crash(copy, "insert into wards values (3, 'committed while the checkpoint ran')")
    Path(f"{copy}.wal").rename(f"{path}.wal.checkpoint")
    with files_limited(2000):
        assert run(["recover", sample.url]) == 1
    said = capfd.readouterr().err
    assert "cannot be opened: the disk is full" in said
    assert "free some space" in said
    assert "damaged" not in said
    assert run(["recover", sample.url]) == 0
    assert sample.ask("select count(*) from wards") == [[(1003,)]]
