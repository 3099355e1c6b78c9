"""A connection that is passed in may have any settings: the release does not depend on them, and they are restored."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import duckdb
import psycopg
import pymysql
import pytest
import sqlalchemy as sa
from support.databases import Database

import kanon_sql as ks

COLUMNS = {"age": "integer", "weight": "double", "city": "text", "seen": "timestamp", "illness": "text", "card": "text"}
CITIES = ("Aachen", "aachen", "AACHEN", "Bonn", "bonn", None)
ROWS = [
    (
        20 + number * 7 % 60 if number % 11 else None,
        number * 13 % 50 / 8,
        CITIES[number % 6],
        f"202{number % 5}-0{1 + number % 9}-1{number % 10} 23:30:00",
        ("flu", "gout", "Flu")[number % 3],
        f"c{number}\\",
    )
    for number in range(240)
]
QUASI = {
    "age": {"intervals": [5, 10, 20]},
    "weight": {"intervals": [0.5, 2]},
    "city": "suppress",
    "seen": {"dates": ["month", "year"]},
}


def policy(algorithm: str) -> dict[str, Any]:
    lattice = algorithm != "mondrian"
    return {
        "table": "t",
        "publish": {"into": "t_anon", "replace": True},
        "algorithm": algorithm,
        "privacy": {"k": 4, "l_diversity": [{"column": "illness", "l": 2}]},
        **({"suppression": 0.1} if lattice else {}),
        "columns": {
            **{name: {"role": "quasi_identifier", **({"hierarchy": rule} if lattice else {})} for name, rule in QUASI.items()},
            "illness": {"role": "sensitive"},
            "card": {"role": "identifier", "action": "hash", "key": "env:KANON_TEST_KEY"},
        },
    }


# Each: how it is set, and how it is asked for.
SETTINGS = {
    "duckdb": [
        (f"set {name} = '{value}'", f"select value, scope from duckdb_settings() where name = '{name}'")
        for name, value in (
            ("default_order", "desc"),
            ("default_null_order", "nulls_first"),
            ("default_collation", "nocase"),
            ("integer_division", "true"),
            ("ieee_floating_point_ops", "false"),
            ("scalar_subquery_error_on_multiple_rows", "false"),
            ("disable_timestamptz_casts", "true"),
            ("preserve_insertion_order", "false"),
            ("preserve_identifier_case", "false"),
            ("order_by_non_integer_literal", "true"),
            ("Calendar", "japanese"),
            ("TimeZone", "Asia/Tokyo"),
        )
    ],
    "sqlite": [
        (f"pragma {name} = {value}", f"pragma {name}")
        for name, value in (
            ("case_sensitive_like", "on"),
            ("reverse_unordered_selects", "on"),
            ("recursive_triggers", "on"),
            ("ignore_check_constraints", "on"),
            ("automatic_index", "off"),
            ("trusted_schema", "off"),
            ("foreign_keys", "on"),
            ("legacy_alter_table", "off"),
            ("read_uncommitted", "on"),
            ("temp_store", "memory"),
            ("threads", "7"),
        )
    ],
    "postgresql": [
        (f"set {name} = {value}", f"show {name}")
        for name, value in (
            ("standard_conforming_strings", "off"),
            ("DateStyle", "'German, DMY'"),
            ("IntervalStyle", "iso_8601"),
            ("timezone", "'Asia/Tokyo'"),
            ("extra_float_digits", "-15"),
            ("bytea_output", "escape"),
            ("search_path", "'public', 'pg_catalog'"),
            ("transform_null_equals", "on"),
            ("quote_all_identifiers", "on"),
            ("default_transaction_isolation", "serializable"),
            ("enable_hashjoin", "off"),
        )
    ],
    "mariadb": [
        (f"set session {name} = {value}", f"select @@session.{name}")
        for name, value in (
            ("sql_safe_updates", "1"),
            ("sort_buffer_size", "1024"),
            ("sql_mode", "'ANSI_QUOTES,PIPES_AS_CONCAT,NO_BACKSLASH_ESCAPES'"),
            ("sql_mode", "''"),
            ("sql_select_limit", "3"),
            ("max_join_size", "10"),
            ("group_concat_max_len", "4"),
            ("max_sort_length", "64"),
            ("div_precision_increment", "0"),
            ("sql_auto_is_null", "1"),
            ("sql_quote_show_create", "0"),
            ("completion_type", "1"),
            ("autocommit", "0"),
            ("explicit_defaults_for_timestamp", "0"),
            ("default_storage_engine", "MyISAM"),
            ("enforce_storage_engine", "InnoDB"),
            ("tmp_table_size", "1024"),
            ("max_heap_table_size", "16384"),
            ("tx_isolation", "'READ-UNCOMMITTED'"),
            ("time_zone", "'+09:00'"),
            ("character_set_results", "latin1"),
        )
    ],
}


@contextmanager
def session(database: Database, statement: str, question: str) -> Iterator[tuple[Any, Any]]:
    """Open a connection with a setting, and return a function that reads the setting."""
    if database.name == "duckdb":
        with duckdb.connect(database.url.split(":///")[1]) as opened:
            opened.execute(statement)
            yield opened, lambda: opened.execute(question).fetchall()
        return
    engine = sa.create_engine(database.url, poolclass=sa.NullPool)
    if database.name != "mariadb":
        engine = engine.execution_options(isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection

        def ask(sql: str) -> list[Any]:
            cursor = driver.cursor()
            cursor.execute(sql)
            found = list(cursor.fetchall()) if cursor.description else []
            cursor.close()
            return found

        ask(statement)
        yield connection, lambda: ask(question)


@pytest.mark.parametrize("algorithm", ["flash", "mondrian"])
def test_a_release_does_not_depend_on_settings(backend: Database, monkeypatch: pytest.MonkeyPatch, algorithm: str) -> None:
    monkeypatch.setenv("KANON_TEST_KEY", "s3cret")
    backend.create("t", COLUMNS, ROWS)
    ks.anonymize(backend.url, policy(algorithm))
    expected = sorted(map(repr, backend.rows("t_anon")))
    differing = []
    for statement, question in SETTINGS[backend.name]:
        with session(backend, statement, question) as (connection, ask):
            before = ask()
            ks.anonymize(connection, policy(algorithm))
            if ask() != before:
                differing.append(f"{statement}: is {ask()} afterwards")
        if sorted(map(repr, backend.rows("t_anon"))) != expected:
            differing.append(f"{statement}: another release")
    assert differing == []


def test_settings_are_restored_after_a_failure_and_ctrl_c(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KANON_TEST_KEY", "s3cret")
    backend.create("t", COLUMNS, ROWS)
    statement, question = SETTINGS[backend.name][1 if backend.name == "sqlite" else 0]

    def stop(name: str, stage: object) -> None:
        if name == "recode" and stage is None:
            raise KeyboardInterrupt

    choices: list[tuple[type[BaseException], dict[str, Any], dict[str, Any]]] = [
        (ks.RequestError, {**policy("flash"), "privacy": {"k": 4, "l_diversity": [{"column": "illness", "l": 9}]}}, {}),
        (KeyboardInterrupt, policy("flash"), {"listener": stop}),
    ]
    for stopped, request, options in choices:
        with session(backend, statement, question) as (connection, ask):
            before = ask()
            with pytest.raises(stopped):
                ks.anonymize(connection, request, **options)
            assert ask() == before


@pytest.mark.engines("sqlite", "postgresql", "mariadb")
def test_rows_as_dictionaries(backend: Database) -> None:
    """A driver configured to return dictionaries or bytes returns tuples of text to the run, and is restored for its owner."""
    backend.create("t", {"a": "integer", "b": "text"}, [(1, "x"), (1, "x"), (2, "y")])
    engine = sa.create_engine(backend.url, poolclass=sa.NullPool)
    with engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        if backend.name == "sqlite":
            driver.row_factory, driver.text_factory = sqlite3.Row, bytes
        elif backend.name == "postgresql":
            driver.row_factory = psycopg.rows.dict_row
        else:
            driver.cursorclass = pymysql.cursors.DictCursor
        request = {
            "table": "t",
            "publish": {"into": "t_anon"},
            "privacy": {"k": 2},
            "columns": {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}, "b": "insensitive"},
        }
        assert ks.anonymize(connection, request).k == 3
        cursor = driver.cursor()
        cursor.execute("select b from t where a = 2")
        row = cursor.fetchone()
        assert row["b"] == (b"y" if backend.name == "sqlite" else "y")


@pytest.mark.engines("duckdb")
def test_a_locked_configuration_is_named(backend: Database) -> None:
    backend.create("t", {"a": "integer"}, [(1,), (1,)])
    with duckdb.connect(backend.url.split(":///")[1]) as connection:
        connection.execute("set default_order = 'desc'")
        connection.execute("set lock_configuration = true")
        with pytest.raises(ks.RequestError, match=r"default_order = .* locked; set default_order = 'asc' before"):
            ks.check(connection, "t", quasi_identifiers=["a"], k=2)


READ_ONLY = {
    "sqlite": ("pragma query_only = on", "query_only"),
    "postgresql": ("set default_transaction_read_only = on", "default_transaction_read_only"),
    "mariadb": ("set session tx_read_only = 1", "tx_read_only"),
}


@pytest.mark.engines("sqlite", "postgresql", "mariadb")
def test_a_session_that_is_read_only_by_default(backend: Database) -> None:
    """Commands that only read need temporary tables; a release is refused before the search, with the name of the setting."""
    backend.create("t", {"a": "integer"}, [(1,), (1,)])
    statement, name = READ_ONLY[backend.name]
    request = {"table": "t", "privacy": {"k": 2}, "columns": {"a": {"role": "quasi_identifier", "hierarchy": "suppress"}}}
    with session(backend, statement, "select 1") as (connection, _):
        for publish in ({"into": "t_anon"}, {"in_place": True}):
            with pytest.raises(ks.BackendError, match=name):
                ks.anonymize(connection, {**request, "publish": publish}, yes=True)
        if backend.name == "postgresql":
            assert ks.check(connection, "t", quasi_identifiers=["a"], k=2).holds
    assert backend.tables() - {"kanon_history"} == {"t"}
