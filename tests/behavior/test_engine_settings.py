"""Settings of an engine that a profile chooses: they apply to every connection of the project, and change no result."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlalchemy as sa
from support.databases import Database
from support.projects import ProjectFolder, fill, policy

import kanon_sql as ks
from kanon_sql.backends import ConfiguredUrl, connect, read_settings
from kanon_sql.errors import RequestError

# Each: a setting, its value in the profile, how it is asked for, and the answer.
CHOSEN: dict[str, list[tuple[str, Any, str, Any]]] = {
    "duckdb": [
        ("threads", 1, "select current_setting('threads')", 1),
        ("memory_limit", "300MB", "select current_setting('memory_limit')", "286.1 MiB"),
        ("max_temp_directory_size", "1GB", "select current_setting('max_temp_directory_size')", "953.6 MiB"),
        ("checkpoint_threshold", "64 MiB", "select current_setting('checkpoint_threshold')", "64.0 MiB"),
    ],
    "sqlite": [
        ("cache_size", -4000, "pragma cache_size", -4000),
        ("cache_spill", "off", "pragma cache_spill", 0),
        ("mmap_size", "1MB", "pragma mmap_size", 2**20),
        ("threads", 2, "pragma threads", 2),
        ("temp_store", "file", "pragma temp_store", 1),
    ],
    "postgresql": [
        ("work_mem", "33mb", "select current_setting('work_mem')", "33MB"),
        ("hash_mem_multiplier", 1.5, "select current_setting('hash_mem_multiplier')", "1.5"),
        ("jit", False, "select current_setting('jit')", "off"),
        ("max_parallel_workers_per_gather", 0, "select current_setting('max_parallel_workers_per_gather')", "0"),
    ],
    "mariadb": [
        ("tmp_table_size", "48MB", "select @@tmp_table_size", 48 * 2**20),
        ("sort_buffer_size", 2**22, "select @@sort_buffer_size", 2**22),
        ("join_cache_level", 4, "select @@join_cache_level", 4),
        ("optimizer_search_depth", 5, "select @@optimizer_search_depth", 5),
    ],
}


def engine_of(backend: Database) -> str:
    return backend.url.partition(":")[0].partition("+")[0]


def test_chosen_settings_apply_to_connections(backend: Database) -> None:
    chosen = read_settings(engine_of(backend), {name: value for name, value, _, _ in CHOSEN[backend.name]}, "here")
    connection = connect(ConfiguredUrl(backend.url, chosen))
    try:
        connection.begin("read")
        assert [connection.fetch(question)[0][0] for _, _, question, _ in CHOSEN[backend.name]] == [
            answer for _, _, _, answer in CHOSEN[backend.name]
        ]
        connection.rollback()
    finally:
        connection.close()


def test_a_project_with_chosen_settings(backend: Database, tmp_path: Path) -> None:
    fill(backend, ["people"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people")}, url=backend.url)
    assert [project.run(command) for command in ("plan", "run")] == [0, 0]
    rows = sorted(backend.rows("people_anon"))
    settings = {name: value for name, value, _, _ in CHOSEN[backend.name]}
    output = {"type": "url", "url": backend.url, "settings": settings}
    project.write("profiles.yml", {"clinic": {"target": "dev", "outputs": {"dev": output}}})
    assert [project.run(command) for command in ("debug", "plan", "run", "test")] == [0, 0, 0, 0]
    assert sorted(backend.rows("people_anon")) == rows


@pytest.mark.engines("postgresql")
def test_a_value_that_the_server_refuses_is_named(backend: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(backend, ["people"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people")}, url=backend.url)
    output = {"type": "url", "url": backend.url, "settings": {"work_mem": "1kB"}}
    project.write("profiles.yml", {"clinic": {"target": "dev", "outputs": {"dev": output}}})
    assert project.run("plan") == 1
    assert "settings: PostgreSQL does not accept the value of work_mem" in "".join(capsys.readouterr())


def test_the_temporary_folder_of_a_duckdb_file(tmp_path: Path) -> None:
    database, folder = tmp_path / "x.duckdb", tmp_path / "spill here"
    duckdb.connect(str(database)).close()
    with pytest.raises(RequestError, match=r"does not accept the value of temp_directory\. Set an existing folder"):
        connect(f"duckdb:///{database}?temp_directory={folder}")
    folder.mkdir()
    digest = hashlib.sha256(str(database.resolve()).encode()).hexdigest()[:8]
    left, other = folder / f"x.duckdb.{digest}.kanon_spill_1", folder / "x.duckdb.00000000.kanon_spill_1"
    for leftover in (left, other):
        leftover.mkdir()
    backend = connect(f"duckdb:///{database}?temp_directory={str(folder).replace(' ', '%20')}&memory_limit=60MB&threads=1")
    try:
        assert not left.exists(), "a killed run left it"
        assert other.exists(), "another database of that name may be using it"
        ((spill,),) = backend.fetch("select current_setting('temp_directory')")
        assert Path(spill).parent == folder.resolve()
        backend.run("create temporary table t as select i, hash(i) as h, md5(i::varchar) as m from range(3000000) r(i) order by h")
        assert any(Path(spill).iterdir()), "it did not fit into memory"
    finally:
        backend.close()
    assert list(folder.iterdir()) == [other]


def work_mem_during_a_run(database: Database, connection: sa.Connection) -> list[str]:
    """Return work_mem before, during and after a run on a connection."""
    found: list[str] = []
    driver: Any = connection.connection.driver_connection

    def ask(name: str = "count", stage: object = None) -> None:
        if name == "count" and stage is None:
            found.append(driver.execute("show work_mem").fetchone()[0])

    ask()
    driver.commit()
    ks.anonymize(connection, policy("people"), listener=ask)
    ask()
    driver.rollback()
    database.drop("people_anon")
    return found


@pytest.mark.engines("postgresql")
def test_memory_for_grouping_is_raised_for_the_run_unless_a_user_set_it(backend: Database) -> None:
    fill(backend, ["people"])
    engine = sa.create_engine(backend.url, poolclass=sa.NullPool)
    with engine.connect() as connection:
        assert work_mem_during_a_run(backend, connection) == ["4MB", "64MB", "4MB"], "half of the server's 128 MB of shared buffers"
        driver: Any = connection.connection.driver_connection
        driver.execute("set work_mem = '1MB'")
        driver.commit()
        assert work_mem_during_a_run(backend, connection) == ["1MB", "1MB", "1MB"]
    database = sa.make_url(backend.url).database
    backend.execute(f"alter database {database} set work_mem = '2MB'")
    with engine.connect() as connection:
        assert work_mem_during_a_run(backend, connection) == ["2MB", "2MB", "2MB"]
