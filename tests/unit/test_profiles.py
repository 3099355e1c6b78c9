"""Profiles as URLs: those of this tool, and dbt's unchanged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import make_url

from kanon_sql.errors import RequestError
from kanon_sql.project.profiles import ConnectionProfile, read_connection
from kanon_sql.project.scrubbing import secrets_of

DBT = """
config: {send_anonymous_usage_stats: false}
shop:
  target: "{{ env_var('DBT_TARGET', 'dev') }}"
  outputs:
    dev:
      type: duckdb
      path: "{{ env_var('DBT_DUCKDB_PATH', 'dev.duckdb') }}"
      schema: main
      threads: 4
      extensions: [httpfs]
    prod:
      type: postgres
      host: db.example.org
      user: alice
      password: "{{ env_var('DBT_ENV_SECRET_PASSWORD') }}"
      port: "{{ env_var('DBT_PORT', '5433') | as_number }}"
      dbname: shop
      schema: My Schema
      role: publisher
      sslmode: require
      threads: 8
      keepalives_idle: 0
"""


def read(folder: Path, text: str, *, target: str | None = None, **environment: str) -> ConnectionProfile:
    (folder / "profiles.yml").write_text(text)
    return read_connection(project=folder, profiles_dir=None, profile="shop", target=target, environment=environment, variables={})


def test_the_profiles_of_dbt(tmp_path: Path) -> None:
    dev = read(tmp_path, DBT)
    assert (dev.url, dev.engine, dev.threads) == (f"duckdb:///{tmp_path / 'dev.duckdb'}", "duckdb", 4)
    assert dev.has_single_writer
    assert set(dev.ignored) == {"schema", "extensions"}
    prod = read(tmp_path, DBT, DBT_TARGET="prod", DBT_ENV_SECRET_PASSWORD="p@ss/w:rd ")
    url = make_url(prod.url)
    assert (url.drivername, url.host, url.port, url.username, url.password) == (
        "postgresql+psycopg",
        "db.example.org",
        5433,
        "alice",
        "p@ss/w:rd ",
    )
    assert url.database == "shop"
    assert dict(url.query) == {"sslmode": "require", "keepalives_idle": "0", "options": '-csearch_path="My\\ Schema" -crole=publisher'}
    assert "p@ss" not in repr(prod)
    with pytest.raises(RequestError, match="DBT_ENV_SECRET_PASSWORD is not set"):
        read(tmp_path, DBT, target="prod")


@pytest.mark.parametrize(
    ("output", "url", "engine"),
    [
        ({"type": "url", "url": "duckdb:///a.duckdb"}, "duckdb:///{}/a.duckdb", "duckdb"),
        ({"type": "url", "url": "duckdb:////a.duckdb"}, "duckdb:////a.duckdb", "duckdb"),
        ({"type": "url", "url": "postgresql+psycopg://u:p@h/d"}, "postgresql+psycopg://u:p@h/d", "postgresql"),
        ({"type": "sqlite", "path": "/data/a.db"}, "sqlite:////data/a.db", "sqlite"),
        ({"type": "mariadb", "user": "u", "password": "p", "database": "d"}, "mysql+pymysql://u:p@localhost:3306/d", "mariadb"),
        ({"type": "mysql", "user": "u", "host": "h", "port": 1, "schema": "d"}, "mysql+pymysql://u@h:1/d", "mariadb"),
        (
            {"type": "postgres", "host": "/run/pg", "user": "u", "dbname": "d"},
            "postgresql+psycopg://u@:5432/d?host=%2Frun%2Fpg",
            "postgresql",
        ),
        (
            {"type": "postgres", "host": "::1", "user": "u", "pass": "p", "dbname": "d"},
            "postgresql+psycopg://u:p@[::1]:5432/d",
            "postgresql",
        ),
    ],
)
def test_outputs_of_this_tool(tmp_path: Path, output: dict[str, Any], url: str, engine: str) -> None:
    found = read(tmp_path, yaml.safe_dump({"shop": {"target": "t", "outputs": {"t": output}}}))
    assert (found.url, found.engine) == (url.format(tmp_path), engine)
    assert not found.ignored
    assert make_url(found.url)


SQL = "1; drop table t --"


@pytest.mark.parametrize(
    ("output", "settings", "message"),
    [
        ("duckdb", {"memory_limt": "1GB"}, r"shop.outputs.t.settings: 'memory_limt' \(did you mean 'memory_limit'\?\) is not a setting"),
        ("duckdb", {"memory_limit": SQL}, "duckdb does not accept the value of memory_limit. Set a size such as 4GB or 80%"),
        ("duckdb", {"preserve_insertion_order": False}, "'preserve_insertion_order' is not a setting of duckdb that can be chosen"),
        ("duckdb", {"temp_directory": "missing"}, "temp_directory. Set an existing folder"),
        ("sqlite", {"threads": True}, "threads. Set a whole number from 0 to 64"),
        ("sqlite", {"temp_store": SQL}, "temp_store. Set default or file or memory"),
        ("sqlite", {"mmap_size": "1 apple"}, "mmap_size. Set a size such as 512MB"),
        ("postgres", {"work_mem": 512}, "work_mem. Set a size with a unit, such as 512MB"),
        ("postgres", {"session_replication_role": "replica"}, "'session_replication_role' is not a setting"),
        ("postgres", {"jit": SQL}, "jit. Set on or off"),
        ("mariadb", {"sort_buffer_size": "1MB"}, "sort_buffer_size. Set a size such as 512MB, at least 2,097,152 bytes"),
        ("mariadb", {"sql_mode": "''"}, "'sql_mode' is not a setting"),
        ("mariadb", {"join_cache_level": SQL}, "join_cache_level. Set a whole number from 0 to 8"),
        ("mariadb", ["tmp_table_size"], "settings: the settings have no names"),
    ],
)
def test_settings_that_cannot_be_chosen(tmp_path: Path, output: str, settings: Any, message: str) -> None:
    found = {"type": output, "path": "a.db", "user": "u", "dbname": "d", "settings": settings}
    with pytest.raises(RequestError, match=message) as error:
        read(tmp_path, yaml.safe_dump({"shop": {"target": "t", "outputs": {"t": found}}}))
    assert SQL not in str(error.value)


def test_settings_of_an_engine(tmp_path: Path) -> None:
    (tmp_path / "spill").mkdir()
    settings = {"memory_limit": "80%", "threads": 2, "temp_directory": "spill"}
    found = read(tmp_path, yaml.safe_dump({"shop": {"outputs": {"default": {"type": "duckdb", "path": "a", "settings": settings}}}}))
    assert found.settings == {"memory_limit": "80%", "threads": "2", "temp_directory": str(tmp_path / "spill")}
    assert found.database.settings == found.settings
    assert found.ignored == ()


def test_search_order_of_profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / ".kanon").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    (tmp_path / "given").mkdir()
    for place, file in (("home/.kanon", "home"), ("project", "project"), ("given", "given")):
        content = {"shop": {"target": "t", "outputs": {"t": {"type": "duckdb", "path": f"{file}.duckdb"}}}}
        (tmp_path / place / "profiles.yml").write_text(yaml.safe_dump(content))

    def found(given: Path | None = None) -> str:
        profile = read_connection(
            project=tmp_path / "project", profiles_dir=given, profile="shop", target=None, environment={}, variables={}
        )
        return Path(profile.url).stem

    assert found() == "project"
    assert found(tmp_path / "given") == "given"
    (tmp_path / "project" / "profiles.yml").unlink()
    assert found() == "home"


def test_scrubbing() -> None:
    secrets = secrets_of(
        {"KANON_ENV_SECRET_A": "abc", "KANON_ENV_SECRET_B": "abcdef", "OTHER": "x", "KANON_ENV_SECRET_C": " ", "DBT_ENV_SECRET_D": "12345"}
    )
    assert secrets.scrub("abcdef abc x") == "***** ***** x"
    assert secrets.scrub_all({"abc": ["abc", 1, 12345, None, {"k": "say abcdef"}]}) == {
        "*****": ["*****", 1, "*****", None, {"k": "say *****"}]
    }
    assert not secrets.has_any("x ")
