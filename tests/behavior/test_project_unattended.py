"""Projects without a user present: killed, stopped, with secrets, with broken files; their leftovers and messages."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import typer
from sqlalchemy import make_url
from support.databases import Database
from support.processes import heed_ctrl_c
from support.projects import ProjectFolder, fill, policy

from kanon_sql.cli import run
from kanon_sql.cli.app import app

Capture = pytest.CaptureFixture[str]
HOME = Path(__file__).parents[2]
COMMANDS = ("init", "debug", "list", "plan", "run", "test", "explain", "retry", "clean")


def profile(output: dict[str, Any]) -> dict[str, Any]:
    return {"clinic": {"target": "dev", "outputs": {"dev": output}}}


def start(project: ProjectFolder, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.Popen(
        [*command, "--project-dir", str(project.folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
    )


PROGRAM = "import sys; from kanon_sql.cli import main; main(sys.argv[1:])"


def wait_until_running(project: ProjectFolder, name: str, process: subprocess.Popen[str]) -> None:
    """Wait until the artifacts show a job that has started and not ended."""
    while True:  # the test's own time limit ends a wait that never does
        if (project.folder / "target" / "run_results.json").exists():
            results = {r["unique_id"].split(".")[-1]: r for r in project.artifact()["results"]}
            if "still running" in results[name]["message"]:
                return
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)


def wait_for_log(project: ProjectFolder, text: str, process: subprocess.Popen[str]) -> None:
    while text not in (project.folder / "logs" / "kanon.log").read_text():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)


@pytest.mark.engines("postgresql")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 130), (signal.SIGINT, 130)])
def test_a_run_that_is_killed_is_retried(backend: Database, tmp_path: Path, number: signal.Signals, code: int) -> None:
    from sqlalchemy import NullPool, create_engine, text

    fill(backend, ["a", "b", "c"])
    project = ProjectFolder(tmp_path / "clinic", {name: policy(name) for name in "abc"}, url=backend.url)
    assert project.run("run", "--auto-plan") == 0
    (project.folder / "target" / "run_results.json").unlink()
    engine = create_engine(backend.url, poolclass=NullPool)
    with engine.connect() as other:
        other.execute(text("lock table b in access exclusive mode"))  # b waits for as long as this transaction lives
        process = start(project, "run")
        wait_until_running(project, "b", process)
        process.send_signal(number)
        said = process.communicate()
    assert process.returncode == code, said
    assert project.statuses() == {"a": "success", "b": "error", "c": "skipped"}
    before = project.artifact()["results"]
    assert project.run("retry") == 0
    assert project.statuses() == {"b": "success", "c": "success"}
    assert all(result["status"] != "success" for result in before if result["unique_id"].endswith((".b", ".c")))
    assert project.run("retry") == 0
    assert project.run("test") == 0
    leftovers = {name for name in backend.tables() if name.startswith("__kanon_")} - {"__kanon_journal"}
    assert not leftovers


@pytest.mark.engines("postgresql")
def test_stopping_parallel_jobs(backend: Database, tmp_path: Path) -> None:
    from sqlalchemy import NullPool, create_engine, text

    fill(backend, ["a", "b", "c"])
    project = ProjectFolder(tmp_path / "clinic", {name: policy(name) for name in "abc"}, url=backend.url)
    assert project.run("run", "--auto-plan") == 0
    (project.folder / "target" / "run_results.json").unlink()
    with create_engine(backend.url, poolclass=NullPool).connect() as other:
        other.execute(text("lock table a, b in access exclusive mode"))
        process = start(project, "run", "--threads", "2")
        wait_until_running(project, "a", process)
        wait_until_running(project, "b", process)
        process.send_signal(signal.SIGTERM)
        wait_for_log(project, "Stopping after the current statement of each job", process)
        other.rollback()  # the statements at work end, and the jobs stop before their next stage
        out, _ = process.communicate()
    assert process.returncode == 130
    assert out.strip().splitlines()[-1] == "Done. PASS=0 WARN=0 ERROR=2 SKIP=1 TOTAL=3"
    assert "nothing was published" in project.artifact()["results"][0]["message"]
    assert project.run("retry", "--threads", "2") == 0
    assert project.statuses() == {"a": "success", "b": "success", "c": "success"}


@pytest.mark.engines("postgresql")
def test_secrets_are_written_nowhere(backend: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    secret, plain = "s3cr3t/with:odd chars", "plainpassword99"
    url = make_url(backend.url)
    fill(backend, ["people"])
    backend.execute(f"create role kanon_reader login superuser password '{secret}'")
    try:
        output: dict[str, Any] = {"type": "postgres", "host": url.host or url.query["host"], "user": "kanon_reader", "dbname": url.database}
        output |= {"password": "{{ env_var('KANON_ENV_SECRET_PASSWORD') }}", "port": url.port or 5432, "schema": "public", "threads": 2}
        project = ProjectFolder(tmp_path / "clinic", {"people": policy("people"), "gone": policy(f"gone_{secret}", "gone")}, url="")
        outputs = {"dev": output, "other": {**output, "password": plain, "port": 1}, "unset": {"type": "{{ env_var('NOT_SET') }}"}}
        project.write("profiles.yml", {"clinic": {"target": "dev", "outputs": outputs}})
        monkeypatch.setenv("KANON_ENV_SECRET_PASSWORD", secret)
        for style in ("text", "json"):
            assert project.run("run", "--auto-plan", "--log-format", style) == 1, "the table gone is missing"
            assert project.run("run", "--json", "--log-format", style) == 1
            assert project.run("plan", "--log-format", style, "--vars", json.dumps({"x": secret})) == 1
            assert project.run("test", "--target", "other", "--junit", str(project.folder / "target" / "junit.xml")) == 1
            assert project.run("retry", "--debug") == 1
            assert project.run("debug", "--target", "other") == 1
            assert project.run("debug") == 0
            assert project.run("list", "--json") == 0
        said = capsys.readouterr()
        for text in (said.out, said.err, project.texts()):
            assert text
            assert secret not in text
            assert plain not in text
            assert secret.replace("/", "%2F") not in text
        assert "*****" in said.out + said.err
        monkeypatch.delenv("KANON_ENV_SECRET_PASSWORD")
        assert project.run("run") == 1
        assert "environment variable KANON_ENV_SECRET_PASSWORD is not set" in capsys.readouterr().err
    finally:
        backend.execute("drop owned by kanon_reader")
        backend.execute("drop role kanon_reader")


def test_a_secret_in_a_policy_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("KANON_ENV_SECRET_TABLE", "hidden_table")
    project = ProjectFolder(
        tmp_path / "clinic", {"people": policy("{{ env_var('KANON_ENV_SECRET_TABLE') }}", "into")}, url="duckdb:///x.duckdb"
    )
    assert project.run("list") == 1
    said = capsys.readouterr().err
    assert "policies/people.yml" in said
    assert "Use it only in profiles.yml" in said
    assert "hidden_table" not in said


@pytest.fixture
def clinic(tmp_path: Path) -> ProjectFolder:
    return ProjectFolder(
        tmp_path / "clinic", {"people": policy("people", tags=["nightly"]), "hr/staff": policy("staff")}, url="duckdb:///no.duckdb"
    )


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("peple", "no policy has this name (did you mean 'people'?)"),
        ("tag:nigthly", "no policy has this tag (did you mean 'nightly'?). Use one of: nightly"),
        ("path:policies/hrr", "no policy has this path (did you mean 'policies/hr'?)"),
        ("state:modifed", "state 'modifed' does not exist (did you mean 'modified'?)"),
        ("result:eror", "result 'eror' does not exist (did you mean 'error'?)"),
        ("result:error", "target/run_results.json does not exist"),
        ("tags:nightly", "method 'tags' does not exist (did you mean 'tag'?)"),
        ("+people", "Use a name, tag:nightly"),
    ],
)
def test_wrong_selectors(clinic: ProjectFolder, capsys: Capture, selector: str, said: str) -> None:
    assert clinic.run("list", "--select", selector) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("policies/people.yml", "table: [", "policies/people.yml, line 1"),
        ("policies/people.yml", "- a list", "must have keys such as table"),
        ("policies/people.yml", policy("people", privcy={}), "policies/people.yml: unknown key 'privcy' (did you mean 'privacy'?)"),
        ("policies/people.yml", policy("{{ var('x') }}"), "variable 'x' is not set"),
        ("policies/people.yml", policy("{{ 1 + }}"), "the template has a syntax error"),
        ("policies/people.yml", policy("{{ ''.__class__.__mro__ }}"), "policies/people.yml"),
        ("policies/people.yml", policy("people", "staff_anon"), "publish into the same table"),
        ("policies/people.yml", policy("people", "staff"), "which is the source of policies/hr/staff.yml"),
        ("policies/hr/people.yml", policy("other"), "two policies have the name 'people'"),
        ("kanon_project.yml", {"name": "clinic", "thread": 1}, "unknown key 'thread' (did you mean 'threads'?)"),
        ("kanon_project.yml", {"name": "my clinic"}, "name: the name is not valid"),
        ("kanon_project.yml", {"name": "clinic", "policies": {"+tag": "x"}}, "unknown key '+tag' (did you mean '+tags'?)"),
        ("kanon_project.yml", {"name": "clinic", "policies": {"hrr": {"+tags": "x"}}}, "no folder or policy 'hrr' (did you mean 'hr'?)"),
        ("kanon_project.yml", "name: a\nname: b\n", "'name' is listed twice"),
        ("profiles.yml", {"clinik": {"outputs": {"dev": {}}}}, "profile 'clinic' does not exist (did you mean 'clinik'?)"),
        ("profiles.yml", {"clinic": {"target": "prod", "outputs": {"dev": {}}}}, "has no target 'prod'. Use one of: dev"),
        ("profiles.yml", profile({"type": "duckbd"}), "(did you mean 'duckdb'?)"),
        ("profiles.yml", profile({"type": "duckdb"}), "the key 'path' is missing"),
        ("profiles.yml", profile({"type": "postgres", "user": "u", "port": "x", "dbname": "d"}), "port: the port is not a whole number"),
        ("profiles.yml", profile({"type": "duckdb", "path": ":memory:"}), "in memory does not exist after the command"),
        ("profiles.yml", "clinic: [", "profiles.yml, line"),
    ],
)  # fmt: skip
def test_broken_files(clinic: ProjectFolder, capsys: Capture, file: str, content: Any, said: str) -> None:
    clinic.write(file, content)
    assert clinic.run("run") == 1
    reported = capsys.readouterr().err
    assert reported.startswith("Error: ")
    assert said in reported
    assert clinic.run("debug") == 1
    assert said in capsys.readouterr().out
    if file != "kanon_project.yml":
        assert said in (clinic.folder / "logs" / "kanon.log").read_text()


def test_missing_files(clinic: ProjectFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert clinic.run("plan") == 1
    assert "does not exist" in capsys.readouterr().out
    (clinic.folder / "profiles.yml").rename(tmp_path / "profiles.yml")
    assert clinic.run("run") == 1
    assert "profiles.yml was not found in" in capsys.readouterr().err
    (tmp_path / ".kanon").mkdir()
    (tmp_path / "profiles.yml").rename(tmp_path / ".kanon" / "profiles.yml")
    assert clinic.run("test") == 1
    assert "does not exist" in capsys.readouterr().out
    for file in (clinic.folder / "policies").rglob("*.yml"):
        file.unlink()
    assert clinic.run("run") == 1
    assert "no policies found in" in capsys.readouterr().err
    (clinic.folder / "kanon_project.yml").unlink()
    assert clinic.run("run") == 1
    assert "kanon init NAME" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    assert run(["run"]) == 1
    assert "kanon init NAME" in capsys.readouterr().err
    assert run(["run", "--vars", "[1]", "--project-dir", str(clinic.folder)]) == 1
    assert "--vars has no names with values" in capsys.readouterr().err


@pytest.mark.engines("duckdb")
def test_nothing_to_retry(backend: Database, tmp_path: Path, capsys: Capture) -> None:
    fill(backend, ["people"])
    project = ProjectFolder(tmp_path / "clinic", {"people": policy("people")}, url=backend.url)
    assert project.run("retry") == 1
    assert "there is nothing to retry. Run kanon run or kanon test first" in capsys.readouterr().err
    assert project.run("run", "--auto-plan") == 0
    assert project.run("retry") == 0
    assert "Nothing to retry" in capsys.readouterr().out
    (project.folder / "target" / "run_results.json").write_text("{")
    assert project.run("retry") == 1
    assert "cannot be read" in capsys.readouterr().err


def test_every_command_is_on_the_page(capsys: Capture) -> None:
    page = (HOME / "docs" / "project.md").read_text()
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for name in COMMANDS:
        assert run([name, "--help"]) == 0
        assert capsys.readouterr().out
        assert re.search(rf"^## kanon {name}\b", page, re.MULTILINE), name
        options = {option for parameter in commands[name].params for option in parameter.opts if option.startswith("--")}
        described = page if name != "explain" else page + (HOME / "docs" / "command_line.md").read_text()
        missing = [option for option in options - {"--help", "--json", "--quiet"} if option not in described]
        assert not missing, (name, missing)
        variables = {parameter.envvar for parameter in commands[name].params if parameter.envvar}
        assert all(variable in page for variable in variables), name
    projects = {name for name, command in commands.items() if command.rich_help_panel == "Projects"}
    assert projects == set(COMMANDS) - {"explain"}, "explain is also for a URL"


def test_examples_of_schedulers_call_commands_that_exist() -> None:
    files = list((HOME / "examples" / "scheduled").iterdir())
    assert len(files) == 4
    for file in files:
        called = re.findall(r"\bkanon ([a-z]+)\b", file.read_text())
        assert called or file.suffix == ".md", file
        assert set(called) <= {*COMMANDS, "recover", "history"}, file
