"""No original value remains in a file, a log or a statistic, unless requested; a run that leaves some reports it."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import duckdb
import pytest
import sqlalchemy as sa
from faults.child_processes import ChildProcesses, child_processes
from faults.injection import Moment, Step, Trap, die, interrupt, trapped
from faults.outcome_checks import FaultlessRun, run_trapped, run_without_faults
from faults.sample_database import POLICY, SECRET, SampleDatabase
from sqlalchemy import make_url
from support.canaries import files_showing, files_under
from support.databases import DuckDB, SQLite
from support.inventory import DUCKDB_LOCKS

import kanon_sql as ks


def found_in_files(sample: SampleDatabase) -> list[str]:
    """Return the files of the database, and those next to it, that contain a name."""
    assert isinstance(sample.database, DuckDB | SQLite)
    return [Path(path).name for path in files_showing(files_under(sample.database.path.parent), {SECRET: SECRET.encode()})]


def state_of_run(sample: SampleDatabase) -> str:
    """Return the journal's state of its only run."""
    (entry,) = sample.state().journal
    return str(entry[2])


@pytest.mark.engines("duckdb", "sqlite")
def test_files_contain_no_name_after_a_run(sample: SampleDatabase) -> None:
    sample.set_up()
    assert found_in_files(sample), "else the search would prove nothing"
    report = sample.run()
    assert report.in_place is not None
    assert report.in_place.scrubbed
    assert found_in_files(sample) == []
    assert state_of_run(sample) == "scrubbed"


@pytest.mark.engines("sqlite")
@pytest.mark.parametrize("mode", ["wal", "persist", "truncate"])
def test_logs_of_sqlite_contain_no_name(sample: SampleDatabase, mode: str) -> None:
    sample.set_up()
    assert isinstance(sample.database, SQLite)
    with closing(sqlite3.connect(sample.database.path, isolation_level=None)) as owner:
        assert owner.execute(f"pragma journal_mode = {mode}").fetchone() == (mode,)
        owner.execute("update patients set note = note")
        owner.execute("select count(*) from wards").fetchall()
        assert found_in_files(sample)
        report = sample.run()
        assert report.in_place is not None
        assert report.in_place.scrubbed
        assert found_in_files(sample) == []
        assert owner.execute("pragma journal_mode").fetchone() == (mode,)
    assert found_in_files(sample) == []


@pytest.mark.engines("sqlite")
def test_a_reader_of_the_log_is_reported_and_recover_erases_later(sample: SampleDatabase) -> None:
    sample.set_up()
    assert isinstance(sample.database, SQLite)
    with closing(sqlite3.connect(sample.database.path, isolation_level=None)) as reader:
        reader.execute("pragma journal_mode = wal")
        reader.execute("begin")
        assert len(reader.execute("select * from patients").fetchall()) == 40
        with pytest.raises(ks.AfterReleaseError, match="write-ahead log, which another connection is reading") as raised:
            sample.run()
        report: ks.AnonymizeReport = raised.value.report
        assert report.in_place is not None
        assert not report.in_place.scrubbed
        assert report.in_place.remaining
        assert found_in_files(sample)
        assert [r.complete for r in ks.recover(sample.url)] == [False]
        reader.execute("rollback")
    assert [r.complete for r in ks.recover(sample.url)] == [True]
    assert found_in_files(sample) == []
    assert state_of_run(sample) == "scrubbed"


@pytest.mark.engines("duckdb", "sqlite")
def test_without_a_scrub_nothing_is_erased_and_recover_reports_it(sample: SampleDatabase) -> None:
    sample.set_up()
    if isinstance(sample.database, SQLite):
        sample.ask("pragma secure_delete = off")
    report = sample.run(scrub="off")
    assert report.in_place is not None
    assert not report.in_place.scrubbed
    assert report.in_place.remaining
    assert state_of_run(sample) == "dropped"
    size = sample.database.path.stat().st_size if isinstance(sample.database, DuckDB | SQLite) else 0
    assert ks.recover(sample.url) == []
    assert state_of_run(sample) == "dropped"
    assert isinstance(sample.database, DuckDB | SQLite)
    assert sample.database.path.stat().st_size == size
    if isinstance(sample.database, DuckDB):
        assert found_in_files(sample), "the free blocks were left alone"


@pytest.mark.engines("duckdb", "sqlite")
def test_a_scrub_that_was_killed_is_resumed(sample: SampleDatabase) -> None:
    faultless = run_without_faults(sample)
    decisive = {"replace/vacuum", "copy from database", "replace file"}
    chosen = [step for step in faultless.steps if step.stage == "scrub" and step.what in decisive]
    assert chosen
    sample.set_up()
    with child_processes(sample.run) as children:
        for step in chosen:
            kill_in_the_scrub(sample, children, step, faultless)


def kill_in_the_scrub(sample: SampleDatabase, children: ChildProcesses, step: Step, faultless: FaultlessRun) -> None:
    sample.set_up()
    assert children.perform(partial(run_trapped, sample, Trap(step.number, "before", die))) == signal.SIGKILL
    assert sample.content() == faultless.contents[1]
    assert state_of_run(sample) == "dropped"
    assert isinstance(sample.database, DuckDB | SQLite)
    if isinstance(sample.database, DuckDB):
        assert found_in_files(sample)
    (done,) = ks.recover(sample.url)
    assert done.complete
    assert state_of_run(sample) == "scrubbed"
    assert found_in_files(sample) == []
    assert {path.name for path in sample.database.path.parent.iterdir()} == {sample.database.path.name}


@pytest.mark.engines("duckdb")
def test_spilled_values_of_a_killed_run_are_removed(sample: SampleDatabase) -> None:
    sample.set_up()
    assert isinstance(sample.database, DuckDB)
    left = sample.database.path.with_name(sample.database.path.name + ".kanon_spill_1")
    left.mkdir()
    (left / "duckdb_temp_storage.tmp").write_text(SECRET)
    copy = Path(f"{sample.database.path}.kanon_copy")
    copy.write_text(SECRET)
    ks.recover(sample.url)
    assert not left.exists()
    assert not copy.exists()


@pytest.mark.engines("postgresql", "mariadb")
def test_statistics_show_no_value(sample: SampleDatabase) -> None:
    sample.set_up()
    shown = {
        "postgresql": "select * from pg_stats where schemaname = 'public'",
        "mariadb": "select * from mysql.column_stats where db_name = database()",
    }[sample.database.name]
    assert SECRET in str(sample.ask(shown)), "else the search would prove nothing"
    sample.run()
    assert SECRET not in str(sample.ask(shown))


def test_a_requested_backup_is_kept_until_dropped(sample: SampleDatabase) -> None:
    faultless = run_without_faults(sample)
    sample.set_up()
    report = ks.anonymize(sample.url, {**POLICY, "publish": {"in_place": True, "keep_backup": True}}, yes=True)
    assert report.in_place is not None
    assert report.in_place.backup is not None
    assert ks.recover(sample.url) == []
    (rows,) = sample.ask(f"select * from {report.in_place.backup}")
    assert sorted(rows) == sorted(faultless.before.rows.elements())
    (reported,) = ks.recover(sample.url, drop_backups=True)
    assert reported.complete
    assert reported.done == f"backup {report.in_place.backup} dropped; original rows erased"
    assert report.in_place.backup not in sample.state().tables
    assert state_of_run(sample) == "scrubbed"
    if isinstance(sample.database, DuckDB | SQLite):
        assert found_in_files(sample) == []
    assert ks.recover(sample.url, drop_backups=True) == []


@pytest.mark.engines("duckdb", "sqlite")
def test_a_backup_whose_dropping_was_stopped_is_erased_with_the_next(sample: SampleDatabase) -> None:
    sample.set_up()
    sample.run(keep_backup=True)
    with trapped(Trap()) as whole:
        ks.recover(sample.url, drop_backups=True)
    for step in whole.steps:
        sample.set_up()
        sample.run(keep_backup=True)
        with trapped(Trap(step.number, "before", interrupt)), pytest.raises(KeyboardInterrupt):
            ks.recover(sample.url, drop_backups=True)
        ks.recover(sample.url, drop_backups=True)
        assert state_of_run(sample) == "scrubbed", step
        assert not [name for name in sample.state().tables if name.endswith("_backup")], step
        assert found_in_files(sample) == [], step


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_backup_is_kept_only_if_the_run_was_committed(sample: SampleDatabase, moment: Moment) -> None:
    sample.set_up()
    with trapped(Trap()) as whole:
        sample.run(keep_backup=True)
    commit = [step for step in whole.steps if step.stage == "swap"][-1]
    sample.set_up()
    before = sample.state()
    with trapped(Trap(commit.number, moment, interrupt)), pytest.raises(KeyboardInterrupt):
        sample.run(keep_backup=True)
    ks.recover(sample.url)
    state = sample.state()
    backups = [name for name in state.tables if name.endswith("_backup")]
    assert [entry[2] for entry in state.journal] == (["scrubbed"] if moment == "after" else [])
    assert len(backups) == (moment == "after")
    for backup in backups:
        (rows,) = sample.ask(f"select * from {backup}")
        assert sorted(rows) == sorted(before.rows.elements())


@pytest.mark.engines("sqlite")
@pytest.mark.parametrize("earlier_name", ["patients", "people"])
def test_samples_of_sqlite_are_removed_also_under_an_earlier_name(sample: SampleDatabase, earlier_name: str) -> None:
    sample.set_up()
    assert isinstance(sample.database, SQLite)
    with closing(sqlite3.connect(sample.database.path, isolation_level=None)) as owner:  # as builds with ENABLE_STAT4 write it
        owner.execute("create table samples (tbl, idx, neq, nlt, ndlt, sample)")
        for table, index in ((earlier_name, "by_age"), (earlier_name, f"sqlite_autoindex_{earlier_name}_1"), ("wards", "by_title")):
            owner.execute("insert into samples values (?, ?, '1', '1', '1', ?)", (table, index, SECRET if table != "wards" else "north"))
        owner.execute("pragma writable_schema = on")
        owner.execute(
            "update sqlite_master set name = 'sqlite_stat4', tbl_name = 'sqlite_stat4',"
            " sql = 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)' where name = 'samples'"
        )
    report = sample.run()
    assert report.in_place is not None
    assert report.in_place.scrubbed
    (kept,) = sample.ask("select tbl, sample from sqlite_stat4")
    assert kept == [("wards", "north")]
    assert found_in_files(sample) == []


@pytest.mark.engines("mariadb")
def test_a_scrub_that_mariadb_refuses_in_its_result_is_reported(sample: SampleDatabase) -> None:
    sample.set_up()
    sample.run()
    sample.ask("update __kanon_journal set state = 'dropped'")
    impatient = make_url(sample.url).update_query_dict({"init_command": "set session lock_wait_timeout = 1"})
    with sa.create_engine(sample.url, poolclass=sa.NullPool).connect() as reader:
        reader.exec_driver_sql("select * from patients").fetchall()
        (reported,) = ks.recover(impatient.render_as_string(hide_password=False))
        assert not reported.complete
        assert "free pages of the table's file" in reported.done
        assert state_of_run(sample) == "dropped"
    assert [r.complete for r in ks.recover(sample.url)] == [True]
    assert state_of_run(sample) == "scrubbed"


@pytest.mark.engines("mariadb")
@pytest.mark.parametrize("limit", [0.1, 1.0])
def test_histograms_of_mariadb_show_no_value(sample: SampleDatabase, limit: float) -> None:
    sample.set_up()
    sample.ask(
        f"update patients set diagnosis = '{SECRET}', zip = concat('{SECRET}', zip) where age > 90",
        "set histogram_type = 'JSON_HB'",
        "analyze table patients persistent for all",
    )
    shown = "select column_name, min_value, max_value, cast(histogram as char) from mysql.column_stats where db_name = database()"
    assert SECRET in str([row[3] for row in sample.ask(shown)[0]]), "else the search would prove nothing"
    report = ks.anonymize(sample.url, {**POLICY, "suppression": limit, "privacy": {"k": 3 if limit < 1 else 40}}, yes=True)
    assert report.in_place is not None
    assert report.in_place.scrubbed
    assert (report.published_rows == 0) == (limit == 1)
    assert SECRET not in str(sample.ask(shown))


@pytest.mark.engines("duckdb")
@pytest.mark.parametrize("passed_in", [False, True])
def test_statistics_of_row_groups_show_no_value(sample: SampleDatabase, passed_in: bool) -> None:
    sample.set_up()
    assert isinstance(sample.database, DuckDB)
    if passed_in and not DUCKDB_LOCKS:
        pytest.skip("DuckDB 1.x takes no connection for a run in place")
    with duckdb.connect(str(sample.database.path)) as owner:
        owner.execute(f"update patients set diagnosis = '{SECRET}', zip = '{SECRET}' where age > 90")
        owner.execute("checkpoint")
        assert SECRET in _row_group_statistics(owner), "else the search would prove nothing"
        if passed_in:
            ks.anonymize(owner, POLICY, yes=True)
            assert SECRET not in _row_group_statistics(owner)
            return
    sample.run()
    with duckdb.connect(str(sample.database.path)) as owner:
        assert SECRET not in _row_group_statistics(owner)


def _row_group_statistics(owner: duckdb.DuckDBPyConnection) -> str:
    """Return the minima and maxima that DuckDB shows for the patients' columns."""
    shown = owner.execute("select stats from pragma_storage_info('patients')").fetchall()
    names = [row[0] for row in owner.execute("select column_name from duckdb_columns() where table_name = 'patients'").fetchall()]
    return str([shown, *(owner.execute(f"select stats({name}) from patients limit 1").fetchall() for name in names)])
