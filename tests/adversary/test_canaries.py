"""No canary appears on the terminal, in a file, a table, a catalog, a statistic or on disk, however a run ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from adversary import canary_table
from sqlalchemy import make_url
from support.canaries import files_showing, files_under, seen
from support.databases import Database, PostgreSQL, Server
from support.projects import ProjectFolder

import kanon_sql.commands.pipeline
from kanon_sql.cli import run
from kanon_sql.stages.verify import verify_staged

Capture = pytest.CaptureFixture[str]
WAYS: dict[str, dict[str, Any]] = {
    "new table": {"into": "released"},
    "replace": {"into": "released", "replace": True},
    "in place": {"in_place": True},
}


@dataclass(frozen=True)
class Ending:
    """A way to end a run, and its exit code."""

    code: int
    said: str = ""
    changes: Callable[[], dict[str, Any]] = dict
    tampers: bool = False


ENDINGS = {
    "published": Ending(0),
    "refused": Ending(1, "Add the missing values", lambda: {"columns": {**canary_table.RULES, "area": listed("area 0", "area 1")}}),
    "no solution": Ending(1, "policy", lambda: {"privacy": {"k": 3, "l_diversity": [{"column": "diagnosis", "l": 9}]}, "suppression": 0}),
    "not verified": Ending(1, "Nothing was published", tampers=True),
}


def listed(*leaves: str) -> dict[str, Any]:
    """Return a hierarchy that lists only these leaves."""
    return {"role": "quasi_identifier", "hierarchy": {"tree": {"all": list(leaves)}}}


@pytest.fixture
def people(backend: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    """Return a database with the table of canaries."""
    monkeypatch.setenv("ADVERSARY_KEY", canary_table.KEY)
    canary_table.make_people(backend)
    return backend


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Return the folder for output, which is not the folder of the database."""
    folder = tmp_path.with_name(f"{tmp_path.name}_out")
    folder.mkdir()
    return folder


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("way", WAYS)
def test_no_canary_appears(people: Database, out: Path, way: str, ending: str, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    url, policy = canary_table.url_with_password(people), out / "policy.json"
    if way == "replace":
        people.create("released", {"gone": "integer"})
    policy.write_text(json.dumps(canary_table.policy(WAYS[way], **ENDINGS[ending].changes())))
    if ENDINGS[ending].tampers:
        tamper(monkeypatch)
    arguments = ["anonymize", url, "--policy", str(policy), "--yes", "--debug", "--sql", str(out / "run.sql")]
    for extra in ([], ["--json"]) if ending != "published" else (["--json"],):
        assert run([*arguments, *extra]) == ENDINGS[ending].code, capfd.readouterr().err
    printed = capfd.readouterr()
    assert ENDINGS[ending].said in printed.err
    places = {"stdout": printed.out, "stderr": printed.err, "records": canary_table.records(people)}
    table = "people" if way == "in place" else "released"
    if ending == "published":
        for statement in ANALYZE.get(people.name, ()) if way != "in place" else ():
            people.execute(statement)
        places |= {"statistics": canary_table.statistics(people, table), "rows": canary_table.unpublished(people.rows(table))}
    policy.unlink()  # the user's own, and the hash key is not in it
    shown = {place: found for place, text in places.items() if (found := seen(text, canary_table.CANARIES))}
    shown |= files_showing(files_under(out), canary_table.CANARIES)
    if ending == "published" and way == "in place":
        shown |= files_showing(canary_table.files(people), canary_table.CANARIES)
    assert shown == {}


ANALYZE = {
    "sqlite": ["analyze"],
    "postgresql": ["analyze released"],
    "mariadb": ["analyze table released persistent for all"],
}


def tamper(monkeypatch: pytest.MonkeyPatch) -> None:
    """Change some staged rows to unique values before they are verified."""

    def tampered(workspace: Any, staged: Any, *rest: Any) -> Any:
        quote = "`" if workspace.backend.dialect == "mysql" else '"'
        name = ".".join(f"{quote}{part}{quote}" for part in staged.table.parts)
        workspace.backend.run(f"update {name} set area = 'alone' where number <= 4")
        return verify_staged(workspace, staged, *rest)

    monkeypatch.setattr(kanon_sql.commands.pipeline, "verify_staged", tampered)


def test_canaries_are_found_before_a_run(people: Database) -> None:
    """Without this test, the searches above would prove nothing."""
    found = {name.split(" (")[0] for shown in files_showing(canary_table.files(people), canary_table.CANARIES).values() for name in shown}
    assert found >= {*canary_table.COLUMNS} - {"born"} | {"born 0"}
    if people.name in ("postgresql", "mariadb"):
        assert {"name (cut)", "zip (cut)"} <= set(seen(canary_table.statistics(people, "people"), canary_table.CANARIES))


def test_commands_that_only_read(people: Database, out: Path, capfd: Capture) -> None:
    url, policy = canary_table.url_with_password(people), out / "policy.json"
    policy.write_text(json.dumps(canary_table.policy({"into": "released"})))
    given = [url, "--policy", str(policy)]
    assert run(["solve", *given, "-o", str(out / "plan.yml"), "--debug"]) == 0
    assert run(["anonymize", *given, "--plan", str(out / "plan.yml"), "--sql", str(out / "run.sql")]) == 0
    assert run(["explain", *given, "--json"]) == 0
    assert run(["measure", *given, "--json", "--source", "people", "--released", "released"]) == 0
    assert run(["risk", url, "people", "--qi", "zip,area,born", "--sensitive", "diagnosis", "--json"]) == 0
    assert run(["check", url, "people", "--qi", "zip,area", "--k", "3"]) == 1
    assert run(["profile", url, "people", "-o", str(out / "profiled.yml"), "--with-values", "--debug"]) == 0
    assert run(["hierarchy", "show", url, "people", "zip", "--policy", str(policy)]) == 0
    assert run(["history", url, "--json"]) == 0
    assert run(["recover", url, "--json"]) == 0
    policy.unlink()
    assert seen("".join(capfd.readouterr()), canary_table.CANARIES) == []
    assert files_showing(files_under(out), canary_table.CANARIES) == {}


def test_artifacts_of_a_project(people: Database, out: Path, capfd: Capture) -> None:
    bad = canary_table.policy({"into": "never"}, **ENDINGS["refused"].changes())
    folders = {
        "beside": {"good": canary_table.policy({"into": "released"}), "bad": bad},
        "place": {"place": canary_table.policy({"in_place": True})},
    }
    for folder, policies in folders.items():
        project = ProjectFolder(out / folder, policies, url=canary_table.url_with_password(people))
        for command in ("debug", "plan", "list", "run --yes --debug", "test"):
            project.run(*command.split())
        assert project.statuses()
    assert seen("".join(capfd.readouterr()), canary_table.CANARIES) == []
    written = [path for path in files_under(out) if path.name != "profiles.yml" and path.parent.name != "policies"]
    assert {"run_results.json", "manifest.json"} <= {path.name for path in written}
    assert files_showing(written, canary_table.CANARIES) == {}


@pytest.mark.engines("postgresql", "mariadb")
def test_a_password_that_is_not_accepted(backend: Database, capfd: Capture) -> None:
    assert isinstance(backend, Server)
    if isinstance(backend, PostgreSQL):
        backend.at_home("drop role if exists adversary_locked")
        backend.at_home("create role adversary_locked login password 'other' in role kanon_locked")
    url = make_url(backend.url).set(username="adversary_locked", password=canary_table.PASSWORD)
    nowhere = url.set(host="127.0.0.1", port=1, query={})
    for unusable in (url, nowhere):
        arguments = [unusable.render_as_string(hide_password=False), "people", "--qi", "zip", "--k", "3"]
        assert run(["check", *arguments, "--debug"]) == 1
    assert seen("".join(capfd.readouterr()), canary_table.CANARIES) == []
