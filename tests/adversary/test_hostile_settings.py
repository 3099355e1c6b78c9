"""Session settings that change the meaning of SQL: the release is the same as with the defaults, or the run reports why not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

import duckdb
import pytest
from sqlalchemy import NullPool, create_engine
from support.databases import Database, DuckDB, Row
from support.inventory import DUCKDB_LOCKS

import kanon_sql as ks

COLUMNS = {"age": "integer", "height": "double", "zip": "text", "born": "date", "paid": "decimal", "ill": "text", "note": "text"}
QUASI = "quasi_identifier"
POLICY: dict[str, Any] = {
    "table": "people",
    "privacy": {"k": 3, "l_diversity": [{"column": "ill", "l": 2}]},
    "columns": {
        "age": {"role": QUASI, "hierarchy": {"intervals": [5, 10, 20], "origin": 3}},
        "height": {"role": QUASI, "hierarchy": {"round": [0.1, 0.5]}},
        "zip": {"role": QUASI, "hierarchy": {"mask": {"char": "#", "hide": [1, 2]}}},
        "born": {"role": QUASI, "hierarchy": {"dates": ["month", "year", "decade"]}},
        "paid": {"role": QUASI, "hierarchy": {"top_bottom": {"low": 2, "high": 90}, "intervals": [12.5, 50]}},
        "ill": "sensitive",
        "note": {"role": "insensitive", "accept_unique": True},
    },
}
RUNS: dict[str, dict[str, Any]] = {
    "levels": {"algorithm": "datafly", "suppression": 0.2, "publish": {"into": "released"}},
    "regions": {"algorithm": "mondrian", "publish": {"in_place": True}},
}


def runs_on(connection: Any) -> dict[str, dict[str, Any]]:
    """Return the runs that a connection supports: DuckDB 1.x cannot lock a table on a connection it did not open."""
    if isinstance(connection, duckdb.DuckDBPyConnection) and not DUCKDB_LOCKS:
        return {**RUNS, "regions": {**RUNS["regions"], "publish": {"into": "regions"}}}
    return RUNS


def people() -> list[Row]:
    """Return rows with NULLs, fractions, accents, quotes, backslashes and spellings that differ by case or a blank."""
    draw = random.Random(16)
    rows: list[Row] = []
    for number in range(60):
        row = (
            draw.randrange(-4, 60),
            draw.choice([0.1, 0.29, -0.3, 1.85, 2.5]),
            draw.choice(["10a", "10A", "11b", "110", "é1"]),
            date(1969, 12, 25) + timedelta(days=draw.randrange(4000)),
            draw.randrange(400) / 4,
            draw.choice(["flu", "Flu", "flu ", ""]),
            f'it\'s \\{number} "%s" {{{{ x }}}}',
        )
        rows.append(tuple(None if draw.random() < 0.05 else value for value in row))
    return rows


SETTINGS: dict[str, dict[str, list[str]]] = {
    "duckdb": {
        "order": ["set default_order = 'desc'"],
        "order of NULL": ["set default_null_order = 'nulls_first'"],
        "order of NULL by direction": ["set default_null_order = 'nulls_first_on_asc_last_on_desc'"],
        "division of integers": ["set integer_division = true"],
        "collation": ["set default_collation = 'nocase'"],
        "collation without accents": ["set default_collation = 'noaccent'"],
        "time zone": ["set TimeZone = 'Asia/Tokyo'"],
        "calendar": ["set Calendar = 'islamic'"],
        "insertion order": ["set preserve_insertion_order = false"],
        "implicit casts": ["set old_implicit_casting = true"],
        "floating point": ["set ieee_floating_point_ops = false"],
        "errors as JSON": ["set errors_as_json = true"],
        "search path": ["create schema elsewhere", "create table elsewhere.people (x integer)", "set search_path = 'main,elsewhere'"],
        "case of names": ["set preserve_identifier_case = false"],
        "subqueries": ["set scalar_subquery_error_on_multiple_rows = false"],
        "prepared transaction": ["set immediate_transaction_mode = true"],
    },
    "sqlite": {
        "case of LIKE": ["pragma case_sensitive_like = on"],
        "reversed rows": ["pragma reverse_unordered_selects = on"],
        "foreign keys": ["pragma foreign_keys = on"],
        "old ALTER TABLE": ["pragma legacy_alter_table = on"],
        "column names": ["pragma short_column_names = off", "pragma full_column_names = on"],
        "counted changes": ["pragma count_changes = on"],
        "no automatic index": ["pragma automatic_index = off"],
        "no checks": ["pragma ignore_check_constraints = on"],
        "recursive triggers": ["pragma recursive_triggers = on"],
        "dirty reads": ["pragma read_uncommitted = on"],
        "nothing deleted securely": ["pragma secure_delete = off"],
        "files for temporary tables": ["pragma temp_store = file"],
        "untrusted schema": ["pragma trusted_schema = off"],
        "log": ["pragma journal_mode = wal"],
        "exclusive lock": ["pragma locking_mode = exclusive"],
    },
    "postgresql": {
        "search path": ["create schema elsewhere", "create table elsewhere.other (x integer)", "set search_path = public, elsewhere"],
        "dates": ["set datestyle = 'German, DMY'"],
        "SQL dates": ["set datestyle = 'SQL, MDY'"],
        "intervals": ["set intervalstyle = 'sql_standard'"],
        "time zone": ["set timezone = 'Asia/Tokyo'"],
        "backslashes": ["set standard_conforming_strings = off", "set escape_string_warning = off", "set backslash_quote = on"],
        "few digits": ["set extra_float_digits = -15"],
        "escaped bytes": ["set bytea_output = 'escape'"],
        "NULL equals": ["set transform_null_equals = on"],
        "no NULL in arrays": ["set array_nulls = off"],
        "quoted names": ["set quote_all_identifiers = on"],
        "character set": ["set client_encoding = 'UTF8'"],
        "isolation": ["set default_transaction_isolation = 'serializable'"],
        "deferrable": ["set default_transaction_deferrable = on"],
        "row security": ["set row_security = off"],
        "replica": ["set session_replication_role = 'replica'"],
        "no hashes": ["set enable_hashagg = off", "set enable_hashjoin = off", "set enable_sort = off"],
        "no joins reordered": ["set join_collapse_limit = 1", "set from_collapse_limit = 1"],
        "genetic plans": ["set geqo_threshold = 2"],
        "little memory": ["set work_mem = '64kB'", "set temp_buffers = '800kB'"],
        "custom plans": ["set plan_cache_mode = 'force_generic_plan'"],
        "parallel": ["set debug_parallel_query = on"],
        "messages": ["set client_min_messages = 'debug5'"],
    },
    "mariadb": {
        **{
            f"mode {mode}": [f"set sql_mode = '{mode}'"]
            for mode in (
                "", "ansi", "ansi_quotes", "no_backslash_escapes", "pipes_as_concat", "oracle", "mssql", "pad_char_to_full_length",
                "empty_string_is_null", "high_not_precedence", "ignore_space", "real_as_float", "simultaneous_assignment",
                "no_unsigned_subtraction,traditional", "only_full_group_by", "time_round_fractional",
            )
        },
        "limit": ["set sql_select_limit = 1"],
        "safe updates": ["set sql_safe_updates = 1"],
        "no big selects": ["set sql_big_selects = 0", "set max_join_size = 2000"],
        "short sorts": ["set max_sort_length = 64"],
        "small sorts": ["set sort_buffer_size = 1024"],
        "short lists": ["set group_concat_max_len = 4"],
        "few digits": ["set div_precision_increment = 0"],
        "weeks": ["set default_week_format = 2", "set lc_time_names = 'de_DE'"],
        "time zone": ["set time_zone = '+09:00'"],
        "still clock": ["set timestamp = 1"],
        "collation": ["set collation_connection = 'utf8mb4_unicode_ci'"],
        "old character set": ["set names latin1"],
        "IS NULL": ["set sql_auto_is_null = 1"],
        "no autocommit": ["set autocommit = 0"],
        "isolation": ["set session transaction isolation level read uncommitted"],
        "no checks": ["set check_constraint_checks = 0", "set foreign_key_checks = 0", "set unique_checks = 0"],
        "unquoted names": ["set sql_quote_show_create = 0"],
        "engine MyISAM": ["set default_storage_engine = 'MyISAM'"],
        "engine of temporary tables": ["set default_tmp_storage_engine = 'MEMORY'"],
        "temporary tables": ["set tmp_memory_table_size = 1024", "set max_heap_table_size = 16384"],
        "old timestamps": ["set explicit_defaults_for_timestamp = 0"],
        "old ways": ["set old_mode = 'NO_DUP_KEY_WARNINGS_WITH_IGNORE,ZERO_DATE_TIME_CAST,UTF8_IS_UTF8MB3'"],
        "optimizer": ["set optimizer_switch = 'derived_merge=off,materialization=off,semijoin=off,join_cache_hashed=off'"],
        "joins": ["set join_cache_level = 8"],
        "statistics": ["set use_stat_tables = 'never'"],
    },
}  # fmt: skip

# Settings under which no run can work: it says why, and nothing has changed.
PREVENTING: dict[str, dict[str, tuple[list[str], str]]] = {
    "duckdb": {},
    "sqlite": {"reading only": (["pragma query_only = on"], "read-only|reading only")},
    "postgresql": {
        "reading only": (["set default_transaction_read_only = on"], "read-only|reading only"),
        "timeout": (["set statement_timeout = 1"], "timeout|timed out"),
        "operators of one's own": (
            [
                "create schema mine",
                "create function mine.same(integer, integer) returns boolean language sql immutable as 'select true'",
                "create operator mine.= (leftarg = integer, rightarg = integer, function = mine.same)",
                "set search_path = mine, public, pg_catalog",
            ],
            "nothing was published|Nothing was published",
        ),
    },
    "mariadb": {
        "reading only": (["set session transaction read only"], "read-only|reading only"),
        "timeout": (["set max_statement_time = 0.000001"], "timeout|timed out"),
        "chained transactions": (["set completion_type = 'CHAIN'"], "open transaction"),
    },
}


@contextmanager
def session(backend: Database) -> Iterator[tuple[Any, Any]]:
    """Open a connection to pass in, and the driver's connection behind it."""
    if isinstance(backend, DuckDB):
        with duckdb.connect(str(backend.path)) as connection:
            yield connection, connection
    else:
        with create_engine(backend.url, poolclass=NullPool).connect() as connected:
            yield connected, connected.connection.driver_connection


def ask(driver: Any, sql: str) -> list[Row]:
    """Run a statement, commit, and return its rows."""
    cursor = driver.cursor()
    try:
        cursor.execute(sql)
        found = [tuple(row) for row in cursor.fetchall()] if cursor.description else []
    finally:
        cursor.close()
    if not isinstance(driver, duckdb.DuckDBPyConnection):
        driver.commit()
    return found


_PRAGMAS = [
    "case_sensitive_like", "reverse_unordered_selects", "foreign_keys", "legacy_alter_table", "short_column_names", "full_column_names",
    "automatic_index", "ignore_check_constraints", "recursive_triggers", "read_uncommitted", "secure_delete", "temp_store",
    "trusted_schema", "journal_mode", "locking_mode", "query_only", "busy_timeout", "defer_foreign_keys", "synchronous", "cache_size",
]  # fmt: skip
_CHANGING = {"timestamp", "last_insert_id", "identity", "warning_count", "error_count", "pseudo_thread_id", "rand_seed1", "rand_seed2"}


def settings_of(backend: Database, driver: Any) -> list[Row]:
    """Return every setting of a session that does not change by itself."""
    match backend.name:
        case "duckdb":
            return ask(driver, "select name, value from duckdb_settings() order by name")
        case "sqlite":
            return [(name, *ask(driver, f"pragma {name}")) for name in _PRAGMAS] + [(driver.isolation_level, driver.text_factory)]
        case "postgresql":
            return [*ask(driver, "select name, setting from pg_settings order by name"), (driver.autocommit,)]
        case _:
            found = ask(driver, "show session variables")
            return [row for row in found if row[0] not in _CHANGING and not row[0].startswith("gtid")]


Found = dict[str, Any]


def perform(connection: Any) -> Found:
    """Return the result of each run."""
    found = {}
    for name, changes in runs_on(connection).items():
        report = ks.anonymize(connection, {**POLICY, **changes}, yes=True)
        found[name] = (report.levels, report.classes, report.published_rows, report.suppressed_rows, report.k)
    return found


def published(backend: Database) -> Found:
    """Return the contents of the tables after a run."""
    return {table: Counter(backend.rows(table)) for table in ("released", "people")}


_WANTED: dict[str, tuple[Found, Found]] = {}


def wanted(engine: str, opened: Callable[[str], Database]) -> tuple[Found, Found]:
    """Return what the runs find and publish with the default settings."""
    if engine not in _WANTED:
        database = opened(engine)
        database.create("people", COLUMNS, people())
        with session(database) as (connection, _):
            found = perform(connection)
        _WANTED[engine] = (found, published(database))
        for table in database.tables():
            database.drop(table)
    return _WANTED[engine]


@pytest.mark.parametrize(("engine", "name"), [(engine, name) for engine, settings in SETTINGS.items() for name in settings])
def test_settings_change_nothing(engine: str, name: str, opened: Callable[[str], Database]) -> None:
    expected = wanted(engine, opened)
    backend = opened(engine)
    backend.create("people", COLUMNS, people())
    with session(backend) as (connection, driver):
        for statement in SETTINGS[engine][name]:
            ask(driver, statement)
        before = settings_of(backend, driver)
        found = perform(connection)
        after = settings_of(backend, driver)
    assert (found, published(backend)) == expected
    assert [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]] == [], "settings are not as they were"


@pytest.mark.parametrize(("engine", "name"), [(engine, name) for engine, settings in PREVENTING.items() for name in settings])
def test_settings_that_prevent_a_run_are_named(engine: str, name: str, opened: Callable[[str], Database]) -> None:
    backend = opened(engine)
    backend.create("people", COLUMNS, people())
    statements, reason = PREVENTING[engine][name]
    rows = backend.rows("people")
    with session(backend) as (connection, driver):
        for statement in statements:
            ask(driver, statement)
        for changes in runs_on(connection).values():
            with pytest.raises(ks.KanonError, match=reason):
                ks.anonymize(connection, {**POLICY, **changes}, yes=True)
    assert (backend.tables() - {"__kanon_journal", "kanon_runs"}, backend.rows("people")) == ({"people"}, rows)
