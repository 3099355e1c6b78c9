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
from faults.child_processes import Nursery, nursery
from faults.injection import Moment, Step, Trap, die, interrupt, trapped
from faults.outcome_checks import Uninjured, run_trapped, run_uninjured
from faults.sample_database import POLICY, SECRET, Clinic
from sqlalchemy import make_url
from support.canaries import files_showing, files_under
from support.databases import DuckDB, SQLite
from support.inventory import DUCKDB_LOCKS

import kanon_sql as ks


def found_in_files(clinic: Clinic) -> list[str]:
    """Return the files of the database, and those next to it, that contain a name."""
    assert isinstance(clinic.database, DuckDB | SQLite)
    return [Path(path).name for path in files_showing(files_under(clinic.database.path.parent), {SECRET: SECRET.encode()})]


def state_of_run(clinic: Clinic) -> str:
    """Return the journal's state of its only run."""
    (entry,) = clinic.state().journal
    return str(entry[2])


@pytest.mark.engines("duckdb", "sqlite")
def test_files_contain_no_name_after_a_run(clinic: Clinic) -> None:
    clinic.set_up()
    assert found_in_files(clinic), "else the search would prove nothing"
    report = clinic.run()
    assert report.in_place is not None
    assert report.in_place.scrubbed
    assert found_in_files(clinic) == []
    assert state_of_run(clinic) == "scrubbed"


@pytest.mark.engines("sqlite")
@pytest.mark.parametrize("mode", ["wal", "persist", "truncate"])
def test_logs_of_sqlite_contain_no_name(clinic: Clinic, mode: str) -> None:
    clinic.set_up()
    assert isinstance(clinic.database, SQLite)
    with closing(sqlite3.connect(clinic.database.path, isolation_level=None)) as owner:
        assert owner.execute(f"pragma journal_mode = {mode}").fetchone() == (mode,)
        owner.execute("update patients set note = note")
        owner.execute("select count(*) from wards").fetchall()
        assert found_in_files(clinic)
        report = clinic.run()
        assert report.in_place is not None
        assert report.in_place.scrubbed
        assert found_in_files(clinic) == []
        assert owner.execute("pragma journal_mode").fetchone() == (mode,)
    assert found_in_files(clinic) == []


@pytest.mark.engines("sqlite")
def test_a_reader_of_the_log_is_reported_and_recover_erases_later(clinic: Clinic) -> None:
    clinic.set_up()
    assert isinstance(clinic.database, SQLite)
    with closing(sqlite3.connect(clinic.database.path, isolation_level=None)) as reader:
        reader.execute("pragma journal_mode = wal")
        reader.execute("begin")
        assert len(reader.execute("select * from patients").fetchall()) == 40
        with pytest.raises(ks.AfterReleaseError, match="write-ahead log, which another connection is reading") as raised:
            clinic.run()
        report: ks.AnonymizeReport = raised.value.report
        assert report.in_place is not None
        assert not report.in_place.scrubbed
        assert report.in_place.remaining
        assert found_in_files(clinic)
        assert [r.complete for r in ks.recover(clinic.url)] == [False]
        reader.execute("rollback")
    assert [r.complete for r in ks.recover(clinic.url)] == [True]
    assert found_in_files(clinic) == []
    assert state_of_run(clinic) == "scrubbed"


@pytest.mark.engines("duckdb", "sqlite")
def test_without_a_scrub_nothing_is_erased_and_recover_reports_it(clinic: Clinic) -> None:
    clinic.set_up()
    if isinstance(clinic.database, SQLite):
        clinic.ask("pragma secure_delete = off")
    report = clinic.run(scrub="off")
    assert report.in_place is not None
    assert not report.in_place.scrubbed
    assert report.in_place.remaining
    assert state_of_run(clinic) == "dropped"
    size = clinic.database.path.stat().st_size if isinstance(clinic.database, DuckDB | SQLite) else 0
    assert ks.recover(clinic.url) == []
    assert state_of_run(clinic) == "dropped"
    assert isinstance(clinic.database, DuckDB | SQLite)
    assert clinic.database.path.stat().st_size == size
    if isinstance(clinic.database, DuckDB):
        assert found_in_files(clinic), "the free blocks were left alone"


@pytest.mark.engines("duckdb", "sqlite")
def test_a_scrub_that_was_killed_is_resumed(clinic: Clinic) -> None:
    uninjured = run_uninjured(clinic)
    decisive = {"replace/vacuum", "copy from database", "replace file"}
    chosen = [step for step in uninjured.steps if step.stage == "scrub" and step.what in decisive]
    assert chosen
    clinic.set_up()
    with nursery(clinic.run) as children:
        for step in chosen:
            kill_in_the_scrub(clinic, children, step, uninjured)


def kill_in_the_scrub(clinic: Clinic, children: Nursery, step: Step, uninjured: Uninjured) -> None:
    clinic.set_up()
    assert children.perform(partial(run_trapped, clinic, Trap(step.number, "before", die))) == signal.SIGKILL
    assert clinic.content() == uninjured.contents[1]
    assert state_of_run(clinic) == "dropped"
    assert isinstance(clinic.database, DuckDB | SQLite)
    if isinstance(clinic.database, DuckDB):
        assert found_in_files(clinic)
    (done,) = ks.recover(clinic.url)
    assert done.complete
    assert state_of_run(clinic) == "scrubbed"
    assert found_in_files(clinic) == []
    assert {path.name for path in clinic.database.path.parent.iterdir()} == {clinic.database.path.name}


@pytest.mark.engines("duckdb")
def test_spilled_values_of_a_killed_run_are_removed(clinic: Clinic) -> None:
    clinic.set_up()
    assert isinstance(clinic.database, DuckDB)
    left = clinic.database.path.with_name(clinic.database.path.name + ".kanon_spill_1")
    left.mkdir()
    (left / "duckdb_temp_storage.tmp").write_text(SECRET)
    copy = Path(f"{clinic.database.path}.kanon_copy")
    copy.write_text(SECRET)
    ks.recover(clinic.url)
    assert not left.exists()
    assert not copy.exists()


@pytest.mark.engines("postgresql", "mariadb")
def test_statistics_show_no_value(clinic: Clinic) -> None:
    clinic.set_up()
    shown = {
        "postgresql": "select * from pg_stats where schemaname = 'public'",
        "mariadb": "select * from mysql.column_stats where db_name = database()",
    }[clinic.database.name]
    assert SECRET in str(clinic.ask(shown)), "else the search would prove nothing"
    clinic.run()
    assert SECRET not in str(clinic.ask(shown))


def test_a_requested_backup_is_kept_until_dropped(clinic: Clinic) -> None:
    uninjured = run_uninjured(clinic)
    clinic.set_up()
    report = ks.anonymize(clinic.url, {**POLICY, "publish": {"in_place": True, "keep_backup": True}}, yes=True)
    assert report.in_place is not None
    assert report.in_place.backup is not None
    assert ks.recover(clinic.url) == []
    (rows,) = clinic.ask(f"select * from {report.in_place.backup}")
    assert sorted(rows) == sorted(uninjured.before.rows.elements())
    (told,) = ks.recover(clinic.url, drop_backups=True)
    assert told.complete
    assert told.done == f"backup {report.in_place.backup} dropped; original rows erased"
    assert report.in_place.backup not in clinic.state().tables
    assert state_of_run(clinic) == "scrubbed"
    if isinstance(clinic.database, DuckDB | SQLite):
        assert found_in_files(clinic) == []
    assert ks.recover(clinic.url, drop_backups=True) == []


@pytest.mark.engines("duckdb", "sqlite")
def test_a_backup_whose_dropping_was_stopped_is_erased_with_the_next(clinic: Clinic) -> None:
    clinic.set_up()
    clinic.run(keep_backup=True)
    with trapped(Trap()) as whole:
        ks.recover(clinic.url, drop_backups=True)
    for step in whole.steps:
        clinic.set_up()
        clinic.run(keep_backup=True)
        with trapped(Trap(step.number, "before", interrupt)), pytest.raises(KeyboardInterrupt):
            ks.recover(clinic.url, drop_backups=True)
        ks.recover(clinic.url, drop_backups=True)
        assert state_of_run(clinic) == "scrubbed", step
        assert not [name for name in clinic.state().tables if name.endswith("_backup")], step
        assert found_in_files(clinic) == [], step


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_backup_is_kept_only_if_the_run_was_committed(clinic: Clinic, moment: Moment) -> None:
    clinic.set_up()
    with trapped(Trap()) as whole:
        clinic.run(keep_backup=True)
    commit = [step for step in whole.steps if step.stage == "swap"][-1]
    clinic.set_up()
    before = clinic.state()
    with trapped(Trap(commit.number, moment, interrupt)), pytest.raises(KeyboardInterrupt):
        clinic.run(keep_backup=True)
    ks.recover(clinic.url)
    state = clinic.state()
    backups = [name for name in state.tables if name.endswith("_backup")]
    assert [entry[2] for entry in state.journal] == (["scrubbed"] if moment == "after" else [])
    assert len(backups) == (moment == "after")
    for backup in backups:
        (rows,) = clinic.ask(f"select * from {backup}")
        assert sorted(rows) == sorted(before.rows.elements())


@pytest.mark.engines("sqlite")
@pytest.mark.parametrize("earlier_name", ["patients", "people"])
def test_samples_of_sqlite_are_removed_also_under_an_earlier_name(clinic: Clinic, earlier_name: str) -> None:
    clinic.set_up()
    assert isinstance(clinic.database, SQLite)
    with closing(sqlite3.connect(clinic.database.path, isolation_level=None)) as owner:  # as builds with ENABLE_STAT4 write it
        owner.execute("create table samples (tbl, idx, neq, nlt, ndlt, sample)")
        for table, index in ((earlier_name, "by_age"), (earlier_name, f"sqlite_autoindex_{earlier_name}_1"), ("wards", "by_title")):
            owner.execute("insert into samples values (?, ?, '1', '1', '1', ?)", (table, index, SECRET if table != "wards" else "north"))
        owner.execute("pragma writable_schema = on")
        owner.execute(
            "update sqlite_master set name = 'sqlite_stat4', tbl_name = 'sqlite_stat4',"
            " sql = 'CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)' where name = 'samples'"
        )
    report = clinic.run()
    assert report.in_place is not None
    assert report.in_place.scrubbed
    (kept,) = clinic.ask("select tbl, sample from sqlite_stat4")
    assert kept == [("wards", "north")]
    assert found_in_files(clinic) == []


@pytest.mark.engines("mariadb")
def test_a_scrub_that_mariadb_refuses_in_its_result_is_reported(clinic: Clinic) -> None:
    clinic.set_up()
    clinic.run()
    clinic.ask("update __kanon_journal set state = 'dropped'")
    impatient = make_url(clinic.url).update_query_dict({"init_command": "set session lock_wait_timeout = 1"})
    with sa.create_engine(clinic.url, poolclass=sa.NullPool).connect() as reader:
        reader.exec_driver_sql("select * from patients").fetchall()
        (told,) = ks.recover(impatient.render_as_string(hide_password=False))
        assert not told.complete
        assert "free pages of the table's file" in told.done
        assert state_of_run(clinic) == "dropped"
    assert [r.complete for r in ks.recover(clinic.url)] == [True]
    assert state_of_run(clinic) == "scrubbed"


@pytest.mark.engines("mariadb")
@pytest.mark.parametrize("limit", [0.1, 1.0])
def test_histograms_of_mariadb_show_no_value(clinic: Clinic, limit: float) -> None:
    clinic.set_up()
    clinic.ask(
        f"update patients set diagnosis = '{SECRET}', zip = concat('{SECRET}', zip) where age > 90",
        "set histogram_type = 'JSON_HB'",
        "analyze table patients persistent for all",
    )
    shown = "select column_name, min_value, max_value, cast(histogram as char) from mysql.column_stats where db_name = database()"
    assert SECRET in str([row[3] for row in clinic.ask(shown)[0]]), "else the search would prove nothing"
    report = ks.anonymize(clinic.url, {**POLICY, "suppression": limit, "privacy": {"k": 3 if limit < 1 else 40}}, yes=True)
    assert report.in_place is not None
    assert report.in_place.scrubbed
    assert (report.published_rows == 0) == (limit == 1)
    assert SECRET not in str(clinic.ask(shown))


@pytest.mark.engines("duckdb")
@pytest.mark.parametrize("handed_in", [False, True])
def test_statistics_of_row_groups_show_no_value(clinic: Clinic, handed_in: bool) -> None:
    clinic.set_up()
    assert isinstance(clinic.database, DuckDB)
    if handed_in and not DUCKDB_LOCKS:
        pytest.skip("DuckDB 1.x takes no connection for a run in place")
    with duckdb.connect(str(clinic.database.path)) as owner:
        owner.execute(f"update patients set diagnosis = '{SECRET}', zip = '{SECRET}' where age > 90")
        owner.execute("checkpoint")
        assert SECRET in _row_group_statistics(owner), "else the search would prove nothing"
        if handed_in:
            ks.anonymize(owner, POLICY, yes=True)
            assert SECRET not in _row_group_statistics(owner)
            return
    clinic.run()
    with duckdb.connect(str(clinic.database.path)) as owner:
        assert SECRET not in _row_group_statistics(owner)


def _row_group_statistics(owner: duckdb.DuckDBPyConnection) -> str:
    """Return the minima and maxima that DuckDB shows for the patients' columns."""
    shown = owner.execute("select stats from pragma_storage_info('patients')").fetchall()
    names = [row[0] for row in owner.execute("select column_name from duckdb_columns() where table_name = 'patients'").fetchall()]
    return str([shown, *(owner.execute(f"select stats({name}) from patients limit 1").fetchall() for name in names)])
