"""Files that commands write: an existing one is not overwritten without --force, and none is written partially."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
import yaml
from support.databases import Database
from support.projects import ProjectFolder, fill, policy

from kanon_sql.cli import run
from kanon_sql.common.output_file import OutputFile, write_whole
from kanon_sql.common.resources import copy_folder
from kanon_sql.errors import RequestError

Capture = pytest.CaptureFixture[str]
EDITED = "# edited by hand\n"
AT_WORK = "the database was asked before the file was looked at"


@pytest.fixture
def people(backend: Database, tmp_path: Path) -> Database:
    fill(backend, ["people"])
    (tmp_path / "policy.yml").write_text(yaml.safe_dump(policy("people")))
    return backend


def commands(url: str, folder: Path) -> dict[str, list[str]]:
    """Return every command that writes a file people edit, up to the file name."""
    given = ["--policy", str(folder / "policy.yml")]
    return {
        "profile": ["profile", url, "people", "-o"],
        "solve": ["solve", url, *given, "-o"],
        "hierarchy export": ["hierarchy", "export", url, "people", "age", *given, "--with-values", "-o"],
    }


@pytest.mark.engines("duckdb")
@pytest.mark.parametrize("name", ["profile", "solve", "hierarchy export"])
def test_an_existing_file_is_overwritten_only_with_force(people: Database, tmp_path: Path, capsys: Capture, name: str) -> None:
    file = tmp_path / "out.yml"
    file.write_text(EDITED)
    nowhere = commands("duckdb:////no/such/folder/x.duckdb", tmp_path)[name]
    for command in (nowhere, commands(people.url, tmp_path)[name]):
        assert run([*command, str(file)]) == 1
        assert f"{file} already exists; name another file, or overwrite it with --force" in capsys.readouterr().err, AT_WORK
        assert file.read_text() == EDITED
    assert run([*commands(people.url, tmp_path)[name], str(file), "--force"]) == 0
    assert EDITED not in file.read_text()
    assert run([*commands(people.url, tmp_path)[name], str(tmp_path / "new.yml")]) == 0
    assert not list(tmp_path.glob(".*")), "no half of a file is left"


@pytest.mark.engines("duckdb")
def test_the_cuts_of_a_plan_are_not_overwritten(people: Database, tmp_path: Path, capsys: Capture) -> None:
    cuts = tmp_path / "plan.cuts.csv"
    cuts.write_text(EDITED)
    assert run([*commands(people.url, tmp_path)["solve"], str(tmp_path / "plan.yml")]) == 1
    assert f"{cuts} already exists" in capsys.readouterr().err
    assert cuts.read_text() == EDITED
    assert not (tmp_path / "plan.yml").exists()


def test_the_policies_of_a_schema_are_not_overwritten(people: Database, tmp_path: Path, capsys: Capture) -> None:
    schema = {"duckdb": "main", "sqlite": "main", "postgresql": "public"}.get(people.name) or people.url.rsplit("/", 1)[-1].split("?")[0]
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "other.yml").write_text(EDITED)
    arguments = ["profile", people.url, "--schema", schema, "-o", str(folder), "--quiet"]
    assert run(arguments) == 0
    (folder / "people.yml").write_text(EDITED)
    assert run(arguments) == 1
    assert "people.yml already exists; name another file, or overwrite it with --force" in capsys.readouterr().err
    assert (folder / "people.yml").read_text() == (folder / "other.yml").read_text() == EDITED
    assert run([*arguments, "--force"]) == 0
    assert "privacy: " in (folder / "people.yml").read_text()
    assert (folder / "other.yml").read_text() == EDITED


@pytest.mark.engines("duckdb")
def test_two_tables_do_not_share_a_file(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    fill(backend, ["a/b", "a_b"])
    assert run(["profile", backend.url, "--schema", "main", "-o", str(tmp_path / "policies")]) == 1
    assert "would hold the policies of two tables" in capsys.readouterr().err


@pytest.mark.engines("duckdb")
def test_logs_of_runs_are_replaced_and_other_files_are_not(people: Database, tmp_path: Path, capsys: Capture) -> None:
    """A scheduled command overwrites its log; a policy named by mistake is not changed."""
    regions = tmp_path / "regions.yml"
    columns = {"age": "quasi_identifier", "zip2": "quasi_identifier"}
    regions.write_text(yaml.safe_dump(policy("people", algorithm="mondrian", columns=columns)))
    people.execute("alter table people add column zip2 integer")
    people.execute("update people set zip2 = cast(zip as integer)")
    given = ["--policy", str(tmp_path / "policy.yml"), "--others", "drop"]
    drawn = ["anonymize", people.url, "--policy", str(regions), "--others", "drop", "--dry-run"]
    logs = {
        "run.sql": ["anonymize", people.url, *given, "--dry-run", "--sql"],
        "explained.sql": ["explain", people.url, "--policy", str(tmp_path / "policy.yml"), "--sql"],
        "drawn.svg": [*drawn, "--picture"],
    }
    (tmp_path / "policy.yml").write_text(yaml.safe_dump(policy("people", others="drop")))
    for name, command in logs.items():
        file, edited = tmp_path / name, tmp_path / f"edited_{name}"
        edited.write_text(EDITED)
        assert run([*command, str(file)]) == 0, capsys.readouterr().err
        assert run([*command, str(file)]) == 0, capsys.readouterr().err
        assert run([*command, str(edited)]) == 1
        assert "was not written by an earlier run" in capsys.readouterr().err
        assert edited.read_text() == EDITED
        assert run([*command, os.devnull]) == 0


@pytest.mark.engines("duckdb")
def test_the_results_of_tests_are_replaced(people: Database, tmp_path: Path, capsys: Capture) -> None:
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people")}, url=people.url)
    assert project.run("run", "--auto-plan") == 0
    file = tmp_path / "junit.xml"
    for _ in range(2):
        assert project.run("test", "--junit", str(file)) == 0
    assert "<testsuite" in file.read_text()
    assert project.run("test", "--junit", str(tmp_path / "policy.yml")) == 1
    assert "was not written by an earlier run" in capsys.readouterr().err


def test_the_demo_refuses_a_folder_with_files(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "hospital.duckdb").write_text("precious")
    assert run(["demo", str(tmp_path), "--rows", "100"]) == 1
    assert "is not empty" in capsys.readouterr().err
    assert (tmp_path / "hospital.duckdb").read_text() == "precious"


def test_a_file_is_written_completely(tmp_path: Path) -> None:
    real, link = tmp_path / "real.yml", tmp_path / "link.yml"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_whole(link, "new")
    assert link.is_symlink()
    assert (real.read_text(), stat.S_IMODE(real.stat().st_mode)) == ("new", 0o640)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.yml", "real.yml"]


def test_a_file_that_another_process_creates_is_kept(tmp_path: Path) -> None:
    file = OutputFile(tmp_path / "policy.yml")
    file.require_writable()
    assert not file.path.exists()
    file.path.write_text(EDITED)
    with pytest.raises(RequestError, match="already exists; name another file, or overwrite it with --force"):
        file.write("new")
    assert file.path.read_text() == EDITED


def test_python_caches_are_not_copied(tmp_path: Path) -> None:
    source = tmp_path / "examples"
    (source / "scheduled" / "__pycache__").mkdir(parents=True)
    (source / "scheduled" / "__pycache__" / "airflow_dag.cpython-311.pyc").write_text("")
    (source / "scheduled" / "airflow_dag.py").write_text("")
    copy_folder(source, tmp_path / "copy")
    assert [path.name for path in sorted((tmp_path / "copy").rglob("*"))] == ["scheduled", "airflow_dag.py"]
