"""Other sessions during a run: their rows are never lost and never published raw; readers see the old table or the new one."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

import duckdb
import psycopg
import pymysql
import pytest
import sqlalchemy as sa
from faults.child_processes import child_processes
from faults.injection import Step, Trap, trapped
from faults.outcome_checks import FaultlessRun, check_outcome, run_without_faults
from faults.sample_database import SECRET, STAYING, SampleDatabase, as_text, policy
from faults.selection import ALL_FAULTS, COUNTS
from support.databases import DuckDB, Row, SQLite
from support.inventory import DUCKDB_LOCKS

import kanon_sql as ks

pytestmark = pytest.mark.timeout(7200 if ALL_FAULTS else 1800)
READ = f"select {', '.join(STAYING)} from patients"
LOCKED = (duckdb.TransactionException, sqlite3.OperationalError, psycopg.errors.LockNotAvailable, pymysql.err.OperationalError)
STOPPED = ("another run is using", "locked by another connection", "another transaction holds a lock")
ADDED = "alter table patients add column allergies integer default 7"
CHANGES = {
    "insert": (
        f"insert into patients (id, name, age, zip, diagnosis, note) values (100, '{SECRET}-100', 25, '101', 'flu', 'note 1')",
        "insert into patients (id, age, zip, diagnosis, note) values (100, '25', '101', 'flu', 'note 1')",
    ),
    "update": ("update patients set age = 35 where id = 1", "update patients set age = '35' where id = 1"),
    "delete": ("delete from patients where id = 2", "delete from patients where id = 2"),
}


def impatient(sample: SampleDatabase) -> str:
    """Return a URL of connections without lock waits, because the run that holds the lock is in the same thread."""
    url = sa.make_url(sample.url)
    query = {
        "sqlite": {"timeout": "0"},
        "postgresql": {"options": "-c lock_timeout=100ms"},
        "mariadb": {"init_command": "set lock_wait_timeout = 0"},
    }[sample.database.name]
    return url.update_query_dict(query).render_as_string(hide_password=False)


def decisive(sample: SampleDatabase) -> list[Step]:
    """Return every step of a run, or the first of each stage and the last of stages that end with a lock, a commit or the run."""
    sample.set_up()
    with open_for_the_run(sample) as given, trapped(Trap()) as trap:
        ks.anonymize(given, policy(), yes=True)
    stages = [step.stage for step in trap.steps]
    ends = {stages.index(stage) for stage in stages} | {len(stages) - 1 - stages[::-1].index(stage) for stage in ("lock", "swap", "scrub")}
    return [step for number, step in enumerate(trap.steps) if (ALL_FAULTS or number in ends) and step.on_backend]


@contextmanager
def other(sample: SampleDatabase, run: duckdb.DuckDBPyConnection | None) -> Iterator[Callable[[str], list[Row]]]:
    """Return another connection that does not wait for locks; in DuckDB one to the same open database."""
    if run is not None:
        with run.cursor() as connection:
            yield lambda sql: connection.execute(sql).fetchall()
    elif isinstance(sample.database, SQLite):
        with closing(sqlite3.connect(sample.database.path, timeout=0, isolation_level=None, check_same_thread=False)) as file:
            yield lambda sql: file.execute(sql).fetchall()
    else:
        with sa.create_engine(sample.url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT").connect() as server:
            postgres = sample.database.name == "postgresql"
            server.exec_driver_sql("set lock_timeout = '50ms'" if postgres else "set lock_wait_timeout = 0, innodb_lock_wait_timeout = 0")

            def ask(sql: str) -> list[Row]:
                try:
                    found = server.exec_driver_sql(sql)
                    return [tuple(row) for row in found] if found.returns_rows else []
                except sa.exc.DBAPIError as error:
                    raise error.orig or error from None

            yield ask


@contextmanager
def open_for_the_run(sample: SampleDatabase) -> Iterator[Any]:
    """Return what the run connects to: the URL, or in DuckDB, where others must be in the same process, a connection."""
    if isinstance(sample.database, DuckDB):
        if not DUCKDB_LOCKS:
            pytest.skip("this DuckDB cannot lock a table, so a connection that is passed in is refused in place")
        with duckdb.connect(str(sample.database.path)) as connection:
            yield connection
    else:
        yield sample.url


def attempt(ask: Callable[[str], list[Row]], change: tuple[str, str], new: bool) -> bool:
    """Return whether a change of the table's rows was possible."""
    try:
        ask(change[new])
    except LOCKED:
        return False
    return True


@pytest.mark.parametrize("kind", CHANGES)
def test_a_writer_at_any_moment(sample: SampleDatabase, kind: str) -> None:
    faultless = run_without_faults(sample)
    raw, published = expected(sample, kind, faultless)
    outcomes: Counter[str] = Counter()
    for step in decisive(sample):
        sample.set_up()
        done: list[tuple[bool, bool]] = []
        with open_for_the_run(sample) as given, other(sample, given if isinstance(sample.database, DuckDB) else None) as ask:

            def write(backend: object, what: str) -> None:
                new = any("[" in str(age) for (age,) in ask_old_or_new(ask))
                done.append((attempt(ask, CHANGES[kind], new), new))  # noqa: B023

            failed = False
            with trapped(Trap(step.number, "before", write)):
                try:
                    ks.anonymize(given, policy(), yes=True)
                except ks.KanonError:
                    failed = True
        ((let_through, after_commit),) = done
        content = sample.content()
        if not let_through:
            assert (content, failed) == (faultless.contents[1], False), f"{step}: refused, and the release is not as without it"
            outcomes["refused"] += 1
        elif after_commit:
            assert (content, failed) == (published[1], False), f"{step}: a change after the commit is not as its owner made it"
            outcomes["afterwards"] += 1
        else:
            assert content == (raw if failed else published[0]), f"{step}: a change before the lock was lost or published raw"
            outcomes["counted" if not failed else "failed"] += 1
        COUNTS[sample.database.name, f"foreign {kind}"] += 1
    assert {"refused", "afterwards", "counted"} <= outcomes.keys(), outcomes


def test_an_alteration_at_any_moment(sample: SampleDatabase) -> None:
    """A column that another connection adds keeps its values: it is refused, stops the run, is published, or is added afterwards."""
    outcomes: Counter[str] = Counter()
    for step in decisive(sample):
        sample.set_up()
        let_through: list[bool] = []
        with open_for_the_run(sample) as given, other(sample, given if isinstance(sample.database, DuckDB) else None) as ask:

            def alter(backend: object, what: str) -> None:
                let_through.append(attempt(ask, (ADDED, ADDED), new=False))  # noqa: B023

            failed = ""
            with trapped(Trap(step.number, "before", alter)):
                try:
                    ks.anonymize(given, {**policy(), "others": "keep"}, yes=True)
                except ks.KanonError as error:
                    failed = str(error)
        ages = [str(age) for (age,) in sample.ask("select age from patients")[0]]
        assert any("[" in age for age in ages) != bool(failed), f"{step}: {failed or 'published'}, and the rows say otherwise"
        if let_through == [True]:
            values = sample.ask("select allergies from patients")[0]
            assert values == [(7,)] * len(ages), f"{step}: values of the new column were lost"
            outcomes["stopped" if failed else "published or afterwards"] += 1
        else:
            assert not failed, f"{step}: {failed}"
            outcomes["refused"] += 1
        COUNTS[sample.database.name, "foreign alteration"] += 1
    assert outcomes.keys() == {"refused", "stopped", "published or afterwards"}, outcomes


def ask_old_or_new(ask: Callable[[str], list[Row]]) -> list[Row]:
    """Return an age of the table as other sessions see it, or None if they must wait."""
    try:
        return ask("select age from patients where id = 3")
    except LOCKED:
        return []


def expected(sample: SampleDatabase, kind: str, faultless: FaultlessRun) -> tuple[Counter[Row], tuple[Counter[Row], Counter[Row]]]:
    """Return the three valid tables: the changed one; its release; and the release, changed afterwards."""
    sample.set_up()
    sample.ask(CHANGES[kind][0])
    raw = sample.content()
    sample.run()
    counted = sample.content()
    sample.set_up()
    sample.run()
    sample.ask(CHANGES[kind][1])
    afterwards = sample.content()
    different = {tuple(sorted(content.elements())) for content in (raw, counted, afterwards, *faultless.contents)}
    assert len(different) == (4 if kind == "delete" else 5), "the cases differ"
    return raw, (counted, afterwards)


class Reader(threading.Thread):
    """Reads the table repeatedly until it is stopped and has seen a last state."""

    def __init__(self, ask: Callable[[str], list[Row]]) -> None:
        super().__init__()
        self._ask, self._stop_now = ask, threading.Event()
        self.seen: set[tuple[Row, ...]] = set()
        self.refused: set[str] = set()
        self.has_read = threading.Event()

    def run(self) -> None:
        while not self._stop_now.is_set():
            self._read()
        self._read()

    def _read(self) -> None:
        try:
            self.seen.add(tuple(sorted(as_text(self._ask(READ)).elements())))
            self.has_read.set()
        except (duckdb.Error, sqlite3.Error, sa.exc.DBAPIError) as error:
            self.refused.add(f"{type(error).__name__}: {error}")

    def stop(self) -> None:
        self._stop_now.set()
        self.join(60)
        assert not self.is_alive()


@pytest.mark.parametrize("mode", ["plain", "wal"])
def test_readers_see_the_old_table_or_the_new_one(sample: SampleDatabase, mode: str) -> None:
    if mode == "wal" and not isinstance(sample.database, SQLite):
        return
    faultless = run_without_faults(sample)
    whole = {tuple(sorted(content.elements())) for content in faultless.contents}
    for _ in range(10 if ALL_FAULTS else 3):
        sample.set_up()
        if mode == "wal":
            sample.ask("pragma journal_mode = wal")
        with open_for_the_run(sample) as given, waiting_reader(sample, given) as ask:
            reader = Reader(ask)
            reader.start()
            assert reader.has_read.wait(30)
            ks.anonymize(given, policy(), yes=True)
            reader.stop()
        assert reader.seen == whole
        if isinstance(sample.database, SQLite) and mode == "plain":
            assert reader.refused <= {"OperationalError: database is locked"}
        else:
            assert reader.refused == set()
        COUNTS[sample.database.name, "reader during a run"] += 1


@contextmanager
def waiting_reader(sample: SampleDatabase, given: Any) -> Iterator[Callable[[str], list[Row]]]:
    """Return another connection that waits as readers do; those of SQLite do not."""
    if isinstance(sample.database, DuckDB | SQLite):
        with other(sample, given if isinstance(sample.database, DuckDB) else None) as ask:
            yield ask
    else:
        # A prepared statement of PostgreSQL does not survive the new type of a column it reads.
        unprepared = {"prepare_threshold": None} if sample.database.name == "postgresql" else {}
        engine = sa.create_engine(sample.url, poolclass=sa.NullPool, isolation_level="AUTOCOMMIT", connect_args=unprepared)
        with engine.connect() as server:
            yield lambda sql: [tuple(row) for row in server.exec_driver_sql(sql)]


@pytest.mark.engines("postgresql")
def test_an_older_repeatable_read_transaction_sees_no_rows(sample: SampleDatabase) -> None:
    faultless = run_without_faults(sample)
    sample.set_up()
    with sa.create_engine(sample.url, poolclass=sa.NullPool, isolation_level="REPEATABLE READ").connect() as older:
        older.exec_driver_sql("select count(*) from wards").fetchall()
        sample.run()
        assert older.exec_driver_sql("select count(*) from patients").scalar() == 0
        older.rollback()
        assert older.exec_driver_sql("select count(*) from patients").scalar() == len(faultless.after.rows)


@pytest.mark.engines("duckdb")
def test_no_other_process_can_open_the_file(sample: SampleDatabase) -> None:
    faultless = run_without_faults(sample)
    sample.set_up()
    (step,) = [step for step in faultless.steps if step.what == "workspace/ddl/rename_table"]
    tried = []

    def come_in(backend: object, what: str) -> None:
        tried.append(children.perform(partial(must_not_open, sample)))

    with child_processes(list) as children, trapped(Trap(step.number, "before", come_in)):
        sample.run()
    assert tried == [0]
    check_outcome(sample, faultless)


def must_not_open(sample: SampleDatabase) -> None:
    """Another process can open the file neither to read nor to recover."""
    assert isinstance(sample.database, DuckDB)
    with pytest.raises(duckdb.IOException, match="lock"):
        duckdb.connect(str(sample.database.path), read_only=True)
    with pytest.raises(ks.BackendError, match="in use by another process"):
        ks.recover(sample.url)


@pytest.mark.engines("sqlite", "postgresql", "mariadb")
def test_a_second_run_at_any_moment(sample: SampleDatabase, part: slice) -> None:
    faultless = run_without_faults(sample)
    url = impatient(sample)
    outcomes: Counter[str] = Counter()
    for step in decisive(sample)[part]:
        sample.set_up()
        second: list[str] = []

        def run_again(backend: object, what: str) -> None:
            try:
                second.append(ks.anonymize(url, policy(), yes=True).status)  # noqa: B023
            except ks.KanonError as error:
                second.append(str(error))  # noqa: B023

        with trapped(Trap(step.number, "before", run_again)):
            try:
                first = str(sample.run().status)
            except ks.KanonError as error:
                first = str(error)
        where = f"{step}: first {first!r}, second {second!r}"
        if second == ["published"]:
            assert first != "published", where
        elif second == ["unchanged"]:
            assert (first, step.stage) == ("published", "scrub"), where
        else:
            assert first == "published", where
            assert any(reason in second[0] for reason in STOPPED), where
        outcomes[second[0] if second[0] in ("published", "unchanged") else "stopped"] += 1
        assert sample.content() == faultless.contents[1], where
        assert check_outcome(sample, faultless) == "published"
        COUNTS[sample.database.name, "second run"] += 1
    assert outcomes["stopped"], outcomes


@pytest.mark.engines("sqlite", "postgresql", "mariadb")
def test_recover_does_not_touch_a_live_run(sample: SampleDatabase, part: slice) -> None:
    faultless = run_without_faults(sample)
    url = impatient(sample)
    for step in decisive(sample)[part]:
        sample.set_up()
        reported: list[Any] = []
        refused: list[str] = []

        def look(backend: object, what: str) -> None:
            try:
                reported.extend(ks.recover(url))  # noqa: B023
            except ks.BackendError as error:  # it would wait for the run to end
                refused.append(str(error))  # noqa: B023

        with trapped(Trap(step.number, "before", look)):
            assert sample.run().status == "published"
        assert all(any(known in reason for known in STOPPED) for reason in refused), refused
        assert [r for r in reported if "undone" in r.done or "dropped" in r.done] == [], step
        assert check_outcome(sample, faultless) == "published"
        COUNTS[sample.database.name, "recover during a run"] += 1
