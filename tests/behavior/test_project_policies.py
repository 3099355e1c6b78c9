"""Policies of a project: regions, queries, hooks and explanations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.databases import Database
from support.projects import ProjectFolder, fill, policy

from kanon_sql.cli import run

Capture = pytest.CaptureFixture[str]
pytestmark = pytest.mark.engines("duckdb", "postgresql")
REGIONS: dict[str, Any] = {
    "algorithm": "mondrian",
    "columns": {"name": "identifier", "age": "quasi_identifier", "zip": "quasi_identifier", "diagnosis": "sensitive"},
}


def test_plans_of_regions_save_their_cuts_in_a_separate_file(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    fill(backend, ["people"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people", **REGIONS)}, url=backend.url)
    assert project.run("plan") == 0
    assert (project.folder / "plans" / "people.cuts.csv").is_file()
    assert project.run("run") == 0
    published = sorted(backend.rows("people_anon"))
    assert project.run("run") == 0
    assert sorted(backend.rows("people_anon")) == published
    assert project.run("test") == 0
    (project.folder / "plans" / "people.cuts.csv").write_text("spoiled")
    assert project.run("run") == 1
    assert "people.cuts.csv" in capsys.readouterr().out


def test_policies_without_a_plan_are_searched_each_time(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    fill(backend, ["people"])
    content = policy("people", **REGIONS, mondrian={"mode": "relaxed"})
    project = ProjectFolder(tmp_path / "clinic", {"people": content}, url=backend.url)
    assert project.run("plan") == 0
    said = capsys.readouterr()
    assert said.out.strip().splitlines()[-1] == "Done. PASS=0 WARN=1 ERROR=0 SKIP=0 TOTAL=1"
    assert "the solution cannot be saved as a plan" in said.err
    assert project.run("run") == 1
    assert "plan plans/people.yml does not exist" in capsys.readouterr().out
    assert project.run("run", "--auto-plan") == 0
    assert project.run("test") == 0


def test_a_hook_that_fails_after_the_release(backend: Database, tmp_path: Path) -> None:
    fill(backend, ["people"])
    content = policy("people", post_hook="insert into audit values (1)", where="age >= 21")
    project = ProjectFolder(tmp_path / "clinic", {"people": content}, url=backend.url)
    assert project.run("run", "--auto-plan") == 1
    (result,) = project.artifact()["results"]
    assert result["status"] == "error_after_release"
    assert "the release is published, but a step after it failed" in result["message"]
    assert result["privacy"]["k"] >= 3
    assert 0 < len(backend.rows("people_anon")) < 60
    backend.execute("create table audit (run integer)")
    assert project.run("retry") == 0
    assert len(backend.rows("audit")) == 1


def test_common_keys_of_a_folder(backend: Database, tmp_path: Path) -> None:
    fill(backend, ["people"])
    backend.execute("create table audit (run integer)")
    common = {"+replace": True, "+post_hook": "insert into audit values (1)"}
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people")}, url=backend.url, policies=common)
    assert project.run("run", "--auto-plan") == 0
    assert project.run("run") == 0
    assert len(backend.rows("audit")) == 2


def test_dependent_columns_fail_if_the_project_says_so(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    """The project's setting applies to policies without their own, in plan and run; accepting a column keeps the plan valid."""
    rows = [(20 + n % 40, 20 + n % 40 // 2 * 2, "ab"[n * 7 % 11 % 2]) for n in range(400)]
    backend.create("people", {"age": "integer", "band": "integer", "diagnosis": "text"}, rows)
    quasi = {"role": "quasi_identifier", "hierarchy": {"intervals": [10, 50]}, "min_level": 1}
    base: dict[str, Any] = {
        "table": "people",
        "privacy": {"k": 30},
        "columns": {"age": quasi, "band": "insensitive", "diagnosis": "sensitive"},
    }
    files: dict[str, Any] = {
        "strict": {**base, "publish": {"into": "strict_anon"}},
        "lax": {**base, "publish": {"into": "lax_anon"}, "dependent": "warn"},
    }
    project = ProjectFolder(tmp_path / "clinic", files, url=backend.url, dependent="error")
    assert project.run("plan") == 1
    assert "kept column 'band' follows from quasi-identifier 'age' in 100% of the rows" in capsys.readouterr().out
    assert project.run("run", "--auto-plan") == 1
    assert project.statuses() == {"strict": "error", "lax": "success"}
    (lax,) = [result for result in project.artifact()["results"] if result["unique_id"].endswith("lax")]
    assert any("kept column 'band'" in warning for warning in lax["warnings"])
    assert {"lax_anon"} == backend.tables() & {"strict_anon", "lax_anon"}
    accepted = {**base["columns"], "band": {"role": "insensitive", "accept_dependent": True}}
    project.write("policies/lax.yml", {**files["lax"], "columns": accepted, "dependent": "error"})
    project.write("policies/strict.yml", {**files["strict"], "columns": accepted})
    assert project.run("run", "--select", "lax") == 0
    assert project.run("run", "--auto-plan") == 0
    assert not any(result["warnings"] for result in project.artifact()["results"])


def test_explain(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    fill(backend, ["people", "others"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people"), "others": policy("others")}, url=backend.url)
    assert project.run("explain", "--select", "people") == 0
    said = capsys.readouterr()
    assert "people, levels of a new search: age" in said.out
    assert "With k = 8" in said.out
    assert said.out.strip().splitlines()[-1] == "Done. PASS=1 WARN=0 ERROR=0 SKIP=0 TOTAL=1"
    assert not (project.folder / "target" / "run_results.json").exists()
    assert project.run("plan") == 0
    capsys.readouterr()
    assert project.run("explain", "--json") == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert [result["unique_id"] for result in results] == ["policy.clinic.others", "policy.clinic.people"]
    assert all(result["message"].startswith("levels of the plan") and result["explanation"]["text"] for result in results)
    assert project.run("explain", "--levels", "age=1") == 1
    assert "need a URL" in capsys.readouterr().err
    assert run(["explain", backend.url, "--select", "people"]) == 1
    assert "cannot be combined with a URL" in capsys.readouterr().err
    assert backend.tables() == {"people", "others"}


def test_every_model_is_tested_again(backend: Database, tmp_path: Path) -> None:
    fill(backend, ["people"])
    models = {"l_diversity": [{"column": "diagnosis", "l": 2}], "t_closeness": [{"column": "diagnosis", "t": 0.5}]}
    content = policy("people", privacy={"k": 3, **models}, suppression=0.5)
    project = ProjectFolder(tmp_path / "clinic", {"people": content}, url=backend.url)
    assert project.run("run", "--auto-plan") == 0
    assert project.run("test") == 0
    backend.execute("update people_anon set diagnosis = 'flu'")
    assert project.run("test") == 1, "k holds, but every class has one diagnosis"
    assert project.statuses() == {"people": "fail"}


def test_models_are_tested_against_the_rows_that_are_read(backend: Database, tmp_path: Path) -> None:
    fill(backend, ["people"])
    backend.execute("insert into people select name, 99, zip, 'gout' from people")
    models = {"k": 3, "t_closeness": [{"column": "diagnosis", "t": 0.4}]}
    content = policy("people", privacy=models, suppression=0.5, where="age < 99")
    project = ProjectFolder(tmp_path / "clinic", {"people": content}, url=backend.url)
    assert project.run("run", "--auto-plan") == 0
    assert project.run("test") == 0
    project.write("policies/people.yml", {**content, "where": "age > 0"})
    assert project.run("test") == 1, "half of all rows have a diagnosis that no published row has"


def test_persons_are_not_tested_without_their_column(backend: Database, tmp_path: Path) -> None:
    fill(backend, ["people"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people", entity="name")}, url=backend.url)
    assert project.run("run", "--auto-plan") == 0
    assert project.run("test") == 0
    assert project.statuses() == {"people": "warn"}
    assert "rows were counted" in project.artifact()["results"][0]["message"]
