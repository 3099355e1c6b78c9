"""A project from `init` to published, tested tables, and the errors on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.databases import Database
from support.projects import COLUMNS, ProjectFolder, fill, people, policy

from kanon_sql.cli import run

DONE = "Done. PASS={} WARN={} ERROR={} SKIP={} TOTAL={}"
Capture = pytest.CaptureFixture[str]


def last_line(capsys: Capture) -> str:
    return capsys.readouterr().out.strip().splitlines()[-1]


def test_a_new_project_works_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init", "ward", "--rows", "1000"]) == 0
    assert run(["init", "ward"]) == 1, "a folder that holds anything is left alone"
    monkeypatch.chdir(tmp_path / "ward")
    for command in ("debug", "plan", "run", "test", "run", "list", "clean"):
        capsys.readouterr()
        assert run([command]) == 0, command
        said = capsys.readouterr()
        if command in ("plan", "run", "test"):
            assert said.out.strip().splitlines()[-1] == DONE.format(1, 0, 0, 0, 1)
    assert {path.name for path in Path().iterdir()} >= {
        "kanon_project.yml",
        "profiles.yml",
        "policies",
        "hierarchies",
        ".gitignore",
        "README.md",
    }
    assert not list(Path("target").iterdir())
    assert Path("plans/patients.yml").is_file()


@pytest.mark.engines("duckdb", "postgresql")
def test_data_that_no_longer_meet_a_plan_are_not_published(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    fill(backend, ["people"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people")}, url=backend.url)
    assert project.run("run") == 1
    assert "plan plans/people.yml does not exist" in project.artifact()["results"][0]["message"]
    assert project.run("plan") == 0
    assert "+++ b/plans/people.yml" in capsys.readouterr().out
    assert project.run("run") == 0
    assert project.run("test") == 0
    published = backend.rows("people_anon")
    assert len(published) == 60

    backend.execute("insert into people values ('Secret Loner', 99, '99', 'flu')")
    assert project.run("run") == 1
    said = capsys.readouterr()
    assert said.out.strip().splitlines()[-1] == DONE.format(0, 0, 1, 0, 1)
    assert "the plan does not satisfy the policy with the current rows: 1 row fails" in said.out
    assert "The plan was made for 60 rows" in said.out
    assert sorted(backend.rows("people_anon")) == sorted(published), "what was published stays"
    assert project.run("test") == 0

    project.write("policies/people.yml", policy("people", suppression=2))
    assert project.run("run") == 1
    assert "the policy changed since it was made" in capsys.readouterr().out
    capsys.readouterr()
    assert project.run("plan") == 0
    said = capsys.readouterr()
    assert "-  rows: 60" in said.out
    assert "+  rows: 61" in said.out
    assert project.run("plan") == 0
    assert "plan unchanged" in capsys.readouterr().err
    assert project.run("run") == 0
    assert project.run("test") == 0
    assert len(backend.rows("people_anon")) == 60
    assert "Secret" not in project.texts()
    assert not [name for name in backend.tables() if name.startswith("__kanon_") and name != "__kanon_journal"]


def test_on_every_engine(backend: Database, tmp_path: Path) -> None:
    fill(backend, ["people", "others"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people"), "others": policy("others", "in place")}, url=backend.url)
    assert project.run("debug") == 0
    assert backend.tables() == {"people", "others"}
    assert project.run("run", "--auto-plan", "--threads", "2") == 1, "nobody agreed to replace rows"
    assert project.statuses() == {"people": "success", "others": "error"}
    assert "replace the rows of" in project.artifact()["results"][0]["message"]
    assert project.run("retry", "--yes") == 0
    assert project.statuses() == {"others": "success"}
    assert project.run("run", "--yes") == 0, "once more: one release replaces the other, one table is unchanged"
    assert "unchanged since the last run" in project.artifact()["results"][0]["message"]
    assert project.run("plan") == 0
    assert project.run("run", "--yes", "--auto-plan") == 0
    assert "unchanged since the last run" in project.artifact()["results"][0]["message"]
    assert project.run("test") == 0
    assert len(backend.rows("people_anon")) == len(backend.rows("others")) == 60
    backend.execute("delete from people_anon where diagnosis = 'flu'")
    backend.execute(f"insert into people_anon values ({', '.join(['null'] * len(backend.rows('people_anon')[0]))})")
    assert project.run("test", "--junit", str(tmp_path / "junit.xml")) == 1
    assert project.statuses() == {"people": "fail", "others": "pass"}
    assert project.artifact()["results"][1]["failures"] >= 1
    xml = (tmp_path / "junit.xml").read_text()
    assert '<failure message="people_anon does not satisfy the policy' in xml
    assert 'tests="2" failures="1" errors="0"' in xml


@pytest.mark.engines("duckdb")
def test_an_existing_target_is_replaced_only_if_the_project_allows_it(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    fill(backend, ["people"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people")}, url=backend.url, policies={})
    assert project.run("run", "--auto-plan") == 0
    assert project.run("run") == 1
    assert "people_anon exists; choose another name" in capsys.readouterr().out
    project.write("kanon_project.yml", {"name": "clinic", "policies": {"+replace": True}})
    assert project.run("run") == 0, "whether a target may be replaced is no part of the plan"
    project.write("kanon_project.yml", {"name": "clinic", "policies": {"people": {"+replace": True}}})
    assert project.run("run") == 0


@pytest.mark.engines("postgresql")
def test_debug_names_the_missing_permission(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    fill(backend, ["people"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people")}, url=backend.url)
    backend.execute("create role kanon_guest login")
    try:
        backend.execute("revoke create on schema public from public")
        outputs = {"guest": {"type": "url", "url": f"{backend.url}{'&' if '?' in backend.url else '?'}options=-crole%3Dkanon_guest"}}
        project.write("profiles.yml", {"clinic": {"target": "guest", "outputs": outputs}})
        assert project.run("debug") == 1
        said = capsys.readouterr().out
        assert "OK     connection" in said
        assert "ERROR  create, rename and drop in the default schema" in said
        assert "to publish USAGE and CREATE on the target's" in said
    finally:
        backend.execute("drop role kanon_guest")


@pytest.mark.engines("duckdb")
def test_consent_by_the_target(backend: Database, tmp_path: Path) -> None:
    fill(backend, ["people"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people", "in place")}, url=backend.url)
    outputs = {"dev": {"type": "duckdb", "path": str(tmp_path / "test.duckdb"), "allow_in_place": True}}
    project.write("profiles.yml", {"clinic": {"target": "dev", "outputs": outputs}})
    assert project.run("run", "--auto-plan") == 0
    assert "name" not in {
        row[0] for row in backend.execute("select column_name from information_schema.columns where table_name = 'people'")
    }


@pytest.mark.engines("duckdb")
def test_selection(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    policies = {"a": policy("a", tags=["nightly"]), "hr/b": policy("b", tags="nightly"), "hr/c": policy("c")}
    fill(backend, ["a", "b", "c"])
    project = ProjectFolder(tmp_path / "clinic", policies, url=backend.url, policies={"+replace": True, "hr": {"+tags": ["staff"]}})

    def listed(*arguments: str) -> list[str]:
        capsys.readouterr()
        assert project.run("list", "--json", *arguments) == 0, capsys.readouterr().err
        return [job["name"] for job in json.loads(capsys.readouterr().out)]

    assert listed() == ["a", "b", "c"]
    assert listed("--select", "a", "c") == ["a", "c"]
    assert listed("--select", "a c", "--select", "b", "--exclude", "c", "a") == ["b"]
    assert listed("--select", "tag:nightly") == ["a", "b"]
    assert listed("--select", "tag:nightly,tag:staff") == ["b"]
    assert listed("--select", "path:policies/hr") == ["b", "c"]
    assert listed("--select", "policies/hr/b.yml", "[ab]") == ["a", "b"]
    assert listed("--exclude", "tag:staff") == ["a"]
    assert listed("--select", "state:new") == ["a", "b", "c"]

    assert project.run("run", "--auto-plan", "--exclude", "c") == 0
    assert listed("--select", "state:modified") == ["c"]
    assert listed("--select", "state:unmodified") == ["a", "b"]
    assert project.run("test") == 1, "c was never published"
    assert listed("--select", "result:error") == ["c"]
    assert project.run("run", "--auto-plan", "--select", "result:error") == 0
    assert listed("--select", "state:modified") == []
    project.write("policies/hr/b.yml", policy("b", suppression=1))
    assert listed("--select", "state:modified") == ["b"]
    assert project.run("plan", "--select", "state:modified") == 0
    assert listed("--select", "state:modified") == ["b"], "planned, but not yet published"
    assert project.run("run", "--select", "state:modified") == 0
    assert project.run("run", "--select", "state:modified") == 0
    assert last_line(capsys) == DONE.format(0, 0, 0, 0, 0)
    twice = {name: {"type": "duckdb", "path": str(tmp_path / "test.duckdb")} for name in ("dev", "prod")}
    project.write("profiles.yml", {"clinic": {"target": "dev", "outputs": twice}})
    assert listed("--select", "state:modified", "--target", "prod") == ["a", "b", "c"], "nothing was published there"
    (tmp_path / "state").mkdir()
    (project.folder / "target" / "manifest.json").rename(tmp_path / "state" / "manifest.json")
    assert listed("--select", "state:modified", "--state", str(tmp_path / "state")) == []


@pytest.mark.engines("duckdb")
def test_variables_and_precedence(backend: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(backend, ["people"])
    content = policy("people", "{{ var('prefix') }}_{{ env_var('REGION', 'north') }}", privacy={"k": "{{ var('k') }}"})
    project = ProjectFolder(tmp_path / "clinic", {"people": content}, url=backend.url, vars={"k": 3, "prefix": "out"})

    def published(*arguments: str) -> tuple[str, int]:
        assert project.run("run", "--auto-plan", *arguments) == 0
        (result,) = project.artifact()["results"]
        return result["relation_name"], project.artifact("manifest.json")["nodes"]["policy.clinic.people"]["policy"]["privacy"]["k"]

    assert published() == ("out_north", 3)
    monkeypatch.setenv("REGION", "south")
    monkeypatch.setenv("KANON_VARS", "{k: 4}")
    assert published() == ("out_south", 4)
    assert published("--vars", "{k: 5, prefix: given}") == ("given_south", 5)
    assert project.run("run", "--vars", "{k: 2, prefix: given}") == 1, "the plan was made for another k"
    assert project.run("retry", "--vars", "{k: 5}") == 0, "what the last run was given still holds"


def test_fail_fast_and_threads_by_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = ProjectFolder(tmp_path / "clinic", {"a": policy("a"), "b": policy("b")}, url=f"sqlite:///{tmp_path / 'clinic.db'}")
    (tmp_path / "clinic.db").touch()
    monkeypatch.setenv("KANON_FAIL_FAST", "1")
    assert project.run("plan") == 1
    assert [result["status"] for result in project.artifact("plan_results.json")["results"]] == ["error", "skipped"]
    assert project.run("plan", "--no-fail-fast") == 1
    assert [result["status"] for result in project.artifact("plan_results.json")["results"]] == ["error", "error"]


@pytest.mark.engines("duckdb")
def test_artifacts(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    fill(backend, ["people"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people")}, url=backend.url)
    assert project.run("run", "--auto-plan", "--json", "--log-format", "json") == 0
    said = capsys.readouterr()
    document = project.artifact()
    assert json.loads(said.out)["results"] == document["results"]
    events = [json.loads(line) for line in said.err.splitlines()]
    assert {event["info"]["name"] for event in events} >= {"Began", "JobStarted", "JobEnded"}
    logged = [json.loads(line) for line in (project.folder / "logs" / "kanon.log").read_text().splitlines()]
    assert "StageEnded" in {event["info"]["name"] for event in logged}
    (result,) = document["results"]
    assert result["unique_id"] == "policy.clinic.people"
    assert result["timing"][0]["name"] == "execute"
    assert result["execution_time"] > 0
    assert result["privacy"]["k"] >= 3
    assert result["utility"]["suppression_rate"] == 0
    assert result["relation_name"] == "people_anon"
    assert "publish/release" in result["compiled_code"]
    assert (project.folder / result["compiled_path"]).read_text().count("publish/release") == 1
    manifest = project.artifact("manifest.json")["nodes"]["policy.clinic.people"]
    assert result["plan_hash"] == manifest["plan_hash"]
    assert manifest["published"]["dev"]["checksum"] == manifest["checksum"]["checksum"]
    for name, artifact in (("run_results", document), ("manifest", project.artifact("manifest.json"))):
        schema = json.loads((Path(__file__).parents[2] / "docs" / "schemas" / f"{name}.json").read_text())
        require_valid(artifact, schema, schema)


def require_valid(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> None:
    """Require that a value matches a JSON schema: every key is described and every required key is present."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
    allowed = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    assert any(isinstance(value, kinds[kind]) for kind in allowed), (value, allowed)  # type: ignore[arg-type]
    assert value in schema.get("enum", [value])
    if isinstance(value, dict) and "properties" in schema:
        assert set(schema.get("required", [])) <= set(value)
        if not schema.get("additionalProperties", False):
            assert set(value) <= set(schema["properties"]), set(value) - set(schema["properties"])
        for key, item in value.items():
            if key in schema["properties"]:
                require_valid(item, schema["properties"][key], root)
    elif isinstance(value, dict) and isinstance(schema.get("additionalProperties"), dict):
        for item in value.values():
            require_valid(item, schema["additionalProperties"], root)
    if isinstance(value, list) and "items" in schema:
        for item in value:
            require_valid(item, schema["items"], root)


@pytest.mark.engines("duckdb")
def test_clean_removes_artifacts_only(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    fill(backend, ["people"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people")}, url=backend.url)
    assert project.run("run", "--auto-plan") == 0
    tables = backend.tables()
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "file").touch()
    (project.folder / "target" / "link").symlink_to(tmp_path / "precious")
    assert project.run("clean") == 0
    assert not list((project.folder / "target").iterdir())
    assert (tmp_path / "precious" / "file").exists()
    assert (project.folder / "plans" / "people.yml").exists()
    assert backend.tables() == tables
    for place in ("..", ".", "policies", "../precious"):
        project.write("kanon_project.yml", {"name": "clinic", "paths": {"target": place}})
        assert project.run("clean") == 1
    assert (tmp_path / "precious" / "file").exists()
    (project.folder / "target").rmdir()
    (project.folder / "target").symlink_to(tmp_path / "precious")
    project.write("kanon_project.yml", {"name": "clinic"})
    assert project.run("clean") == 1
    assert (tmp_path / "precious" / "file").exists()


@pytest.mark.engines("postgresql")
def test_thirty_tables_in_parallel(backend: Database, tmp_path: Path) -> None:
    names = [f"t{number:02}" for number in range(30)]
    backend.create(names[0], COLUMNS, people(40))
    for name in names[1:]:
        backend.execute(f"create table {name} as select * from {names[0]}")
    project = ProjectFolder(tmp_path / "clinic", {name: policy(name) for name in names}, url=backend.url)
    assert project.run("plan", "--threads", "4") == 0
    for _ in range(2):  # the second run replaces all releases, and makes the journal in the first four at once
        assert project.run("run", "--threads", "4") == 0
        assert set(project.statuses().values()) == {"success"}
    assert len({result["thread_id"] for result in project.artifact()["results"]}) == 4
    assert project.run("test", "--threads", "4") == 0
    assert all(backend.execute(f"select count(*) from {name}_anon") == [(40,)] for name in names)
