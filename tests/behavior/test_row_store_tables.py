"""Where MariaDB and SQLite keep the tables of a run, and the settings that a run raises for its connection."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
import sqlalchemy as sa
from support.databases import Database

import kanon_sql as ks
from kanon_sql.backends import ConfiguredUrl, connect
from kanon_sql.backends.mariadb import MariaDBBackend
from kanon_sql.workspace import memory_tables

ROWS = [(20 + number % 40, f"{10000 + number % 60}", ("flu", "gout", "cold")[number % 3]) for number in range(240)]
POLICY: dict[str, Any] = {
    "table": "t",
    "publish": {"into": "t_anon", "replace": True},
    "privacy": {"k": 4},
    "suppression": 0.05,
    "columns": {
        "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 10, 20]}},
        "zip": {"role": "quasi_identifier", "hierarchy": {"mask": {"char": "*", "hide": [1, 2, 5]}}},
        "illness": "sensitive",
    },
}


def create(database: Database, rows: list[Any] = ROWS) -> None:
    database.create("t", {"age": "integer", "zip": "text", "illness": "text"}, rows)


def engines_of_tables(database: Database, monkeypatch: pytest.MonkeyPatch, url: Any = None) -> dict[str, str]:
    """Publish the table, and return the storage engine of each temporary table when it is dropped."""
    engines: dict[str, str] = {}
    run = MariaDBBackend.run

    def observed(self: MariaDBBackend, sql: str, parameters: Any = ()) -> None:
        for table, name in re.findall(r"(`__kanon_[0-9a-f]+_(\w+)`)", sql) if "drop temporary table" in sql else ():
            ((_, text),) = self.fetch(f"show create table {table}")
            engines[name] = re.findall(r"ENGINE=(\w+)", text)[-1]
        run(self, sql, parameters)

    monkeypatch.setattr(MariaDBBackend, "run", observed)
    ks.anonymize(url or database.url, POLICY)
    return engines


@pytest.mark.engines("mariadb")
def test_lookups_are_in_memory_and_scanned_tables_have_no_transactions(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    create(backend)
    engines = engines_of_tables(backend, monkeypatch)
    assert {name for name, engine in engines.items() if engine == "MEMORY"} == {"hierarchy_1", "hierarchy_2", "recoding"}
    assert {name for name, engine in engines.items() if engine == "Aria"} == {"combinations", "frequencies", "classes"}


@pytest.mark.engines("mariadb")
@pytest.mark.parametrize("reason", ["long texts", "many rows", "a chosen limit"])
def test_large_lookups_are_not_in_memory(backend: Database, monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    create(backend, [(age, zip_code + "0" * 300 * (reason == "long texts"), illness) for age, zip_code, illness in ROWS])
    url: Any = backend.url
    if reason == "many rows":
        monkeypatch.setattr(memory_tables, "_BYTES_OF_OTHERS", 2**26)
    if reason == "a chosen limit":
        url = ConfiguredUrl(backend.url, {"max_heap_table_size": "16384"})
    assert engines_of_tables(backend, monkeypatch, url)["hierarchy_2"] == "InnoDB"
    assert sum(1 for _ in backend.rows("t_anon")) >= 228


@pytest.mark.engines("sqlite", "mariadb")
def test_settings_are_raised_and_never_lowered(backend: Database) -> None:
    setting, least, high = {
        "sqlite": ("pragma threads", min(os.cpu_count() or 1, 4), 8),
        "mariadb": ("@@tmp_table_size", 2**28, 2**29),
    }[backend.name]
    question = setting if backend.name == "sqlite" else f"select {setting}"
    opened = connect(backend.url)
    assert opened.fetch(question) == [(least,)]
    opened.close()
    with sa.create_engine(backend.url, poolclass=sa.NullPool).connect() as connection:
        driver: Any = connection.connection.driver_connection
        driver.cursor().execute(f"{'set ' if backend.name == 'mariadb' else ''}{setting} = {high}")
        opened = connect(connection)
        assert opened.fetch(question) == [(high,)]
        opened.close()


@pytest.mark.engines("sqlite")
def test_labels_are_found_by_an_index(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one, SQLite compares every class with every label, because it does not know how many classes there are."""
    from kanon_sql.backends.sqlite import SQLiteBackend

    create(backend)
    plans: list[str] = []
    fetch = SQLiteBackend.fetch

    def observed(self: SQLiteBackend, sql: str, parameters: Any = ()) -> list[Any]:
        if "kanon_sql metrics/cells" in sql:
            plans.extend(row[3] for row in fetch(self, f"explain query plan {sql}"))
        return fetch(self, sql, parameters)

    monkeypatch.setattr(SQLiteBackend, "fetch", observed)
    ks.anonymize(backend.url, POLICY)
    assert plans
    assert [step for step in plans if step.startswith("SCAN l_")] == []
