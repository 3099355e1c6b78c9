"""The command line: output, streams and exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pytest
from support.databases import Database
from support.processes import heed_ctrl_c

from kanon_sql.cli import run

POLICY = """
table: people
publish: {into: people_anon}
privacy: {k: 3}
columns:
  name: identifier
  age: {role: quasi_identifier, hierarchy: {intervals: [5, 10]}}
  zip: {role: quasi_identifier, hierarchy: {mask: {hide: [1, 2]}}}
  diagnosis: sensitive
"""


@pytest.fixture
def url(backend: Database) -> str:
    rows = [(f"Secret Name {n}", 20 + n % 10, f"{n % 4}{n % 3}", "flu" if n % 2 else "cold") for n in range(60)]
    backend.create("people", {"name": "text", "age": "integer", "zip": "text", "diagnosis": "text"}, rows)
    return backend.url


@pytest.fixture
def policy(tmp_path: Path) -> str:
    path = tmp_path / "people.yml"
    path.write_text(POLICY)
    return str(path)


def test_anonymize_and_check_with_a_policy(url: str, policy: str, capsys: pytest.CaptureFixture[str], backend: Database) -> None:
    assert run(["anonymize", url, "--policy", policy]) == 0
    captured = capsys.readouterr()
    assert "people_anon holds 60 of 60 rows" in captured.out
    assert "publish" in captured.err
    assert "Secret" not in captured.out + captured.err
    assert run(["check", url, "--policy", policy]) == 0
    assert "is 3-anonymous" in capsys.readouterr().out
    assert run(["check", url, "people", "--qi", "age,zip,diagnosis", "--k", "5"]) == 1
    assert "is not 5-anonymous" in capsys.readouterr().out
    assert backend.tables() == {"people", "people_anon"}


def test_json_is_one_document_on_stdout(url: str, policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["anonymize", url, "--policy", policy, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["published"]["rows"] == 60
    assert run(["check", url, "--policy", policy, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["holds"] is True


def test_without_a_policy_the_one_used_is_printed_and_runs(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], backend: Database
) -> None:
    arguments = ["--qi", "age,zip", "--sensitive", "diagnosis", "--k", "4", "--into", "people_anon"]
    assert run(["anonymize", url, "people", *arguments]) == 0
    printed = capsys.readouterr().err
    assert "intervals" in printed
    assert "mask" in printed
    first = sorted(map(str, backend.rows("people_anon")))
    assert len(backend.rows("people_anon")[0]) == 3
    again = tmp_path / "printed.yml"
    again.write_text(printed[printed.index("table:") :])
    assert run(["anonymize", url, "--policy", str(again), "--replace"]) == 0
    assert sorted(map(str, backend.rows("people_anon"))) == first


def test_quiet_prints_the_result_only(url: str, policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["anonymize", url, "--policy", policy, "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_sql_file_holds_every_statement(url: str, policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "run.sql"
    assert run(["anonymize", url, "--policy", policy, "--sql", str(script), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    text = script.read_text()
    assert text.count("/* kanon_sql count/combinations */") == 1
    assert sum(stage["statements"] for stage in document["stages"]) <= text.count(";\n\n")
    assert "Secret" not in text


@pytest.mark.engines("duckdb")
def test_k_overrides_no_other_model(url: str, policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "diverse.yml"
    path.write_text(Path(policy).read_text().replace("privacy: {k: 3}", "privacy: {k: 3, l_diversity: {column: diagnosis, l: 2}}"))
    assert run(["anonymize", url, "--policy", str(path), "--k", "6", "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["policy"]["privacy"] == {"k": 6, "l_diversity": [{"column": "diagnosis", "l": 2}]}


def test_arguments_override_the_policy(url: str, policy: str, capsys: pytest.CaptureFixture[str], backend: Database) -> None:
    assert run(["anonymize", url, "--policy", policy, "--k", "6", "--into", "other", "--suppression", "3", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["policy"]["privacy"] == {"k": 6}
    assert document["policy"]["suppression"] == 3
    assert "other" in backend.tables()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["anonymize"], "Missing argument"),
        (["anonymise", "x"], "No such command"),
        (["anonymize", "{url}"], "add the missing arguments: TABLE, --qi, --k, --into"),
        (["anonymize", "{url}", "people", "--qi", "age,age", "--k", "2", "--into", "x"], "listed twice"),
        (["anonymize", "{url}", "people", "--qi", "age", "--k", "two", "--into", "x"], "Invalid value"),
        (["anonymize", "{url}", "people", "--qi", "age", "--k", "2", "--into", "x", "--suppression", "lots"], "--suppression"),
        (["anonymize", "{url}", "--policy", "missing.yml"], "missing.yml cannot be read"),
        (["check", "{url}", "nobody", "--qi", "age", "--k", "2"], "table nobody does not exist"),
        (["check", "sqlite:///missing.db", "t", "--qi", "a", "--k", "2"], "does not exist"),
    ],
)
def test_handled_failures_exit_1(url: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([argument.format(url=url) for argument in arguments]) == 1
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_unexpected_failures_exit_2_without_details(
    url: str, policy: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def explode(*_: object, **__: object) -> None:
        raise ValueError("Secret Name 1")

    monkeypatch.setattr("kanon_sql.commands.pipeline.recode", explode)
    assert run(["anonymize", url, "--policy", policy]) == 2
    captured = capsys.readouterr()
    assert "Unexpected failure (ValueError)" in captured.err
    assert "Secret" not in captured.err


@pytest.mark.parametrize("scheme", ["duckdb", "sqlite"])
def test_ctrl_c_leaves_no_table_behind(tmp_path: Path, scheme: str) -> None:
    """Interrupt a real run in a real process."""
    path = tmp_path / "big.db"
    rows = 3_000_000 if scheme == "duckdb" else 300_000
    if scheme == "duckdb":
        with duckdb.connect(str(path)) as connection:
            connection.execute(f"create table t as select i as a, i // 3 as b, 'x' || i as c from range({rows}) r(i)")
    else:
        with closing(sqlite3.connect(path)) as connection_, connection_:
            connection_.execute("create table t (a integer, b integer, c text)")
            connection_.executemany("insert into t values (?, ?, ?)", ((n, n // 3, f"x{n}") for n in range(rows)))
    command = ["anonymize", f"{scheme}:///{path}", "t", "--qi", "a,b,c", "--k", "5", "--into", "t_anon"]
    process = subprocess.Popen(
        [sys.executable, "-c", "from kanon_sql.cli import main; main()", *command],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        preexec_fn=heed_ctrl_c,
    )  # fmt: skip
    assert process.stderr is not None
    assert process.stderr.readline().startswith("recover")
    assert process.stderr.readline().startswith("profile")
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130, err
    assert "Nothing was published" in err
    assert out == ""
    assert left_in(path, scheme) == {"t"}


def test_ctrl_c_after_the_result_changes_nothing() -> None:
    code = (
        "import atexit, os, signal; atexit.register(os.kill, os.getpid(), signal.SIGINT)\n"
        "from kanon_sql.cli import main; main(['--version'])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, preexec_fn=heed_ctrl_c, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def left_in(path: Path, scheme: str) -> set[str]:
    """Return the tables of a database file."""
    if scheme == "duckdb":
        with duckdb.connect(str(path)) as connection:
            return {row[0] for row in connection.execute("select table_name from duckdb_tables()").fetchall()}
    with closing(sqlite3.connect(path)) as connection_:
        return {row[0] for row in connection_.execute("select name from sqlite_master")}


def test_demo_shows_before_and_after(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "demo"
    assert run(["demo", str(folder), "--rows", "5000", "--quiet", "--force"]) == 0
    shown = capsys.readouterr().out
    assert "Before: patients" in shown
    assert "After: patients_anon" in shown
    assert run(["check", f"duckdb:///{folder}/hospital.duckdb", "--policy", str(folder / "patients.yml")]) == 0
    assert run(["demo", str(folder), "--rows", "5000", "--quiet", "--force"]) == 0


def test_an_unwritable_file_is_reported_before_the_run(
    url: str, policy: str, capsys: pytest.CaptureFixture[str], backend: Database
) -> None:
    assert run(["anonymize", url, "--policy", policy, "--sql", "/no/such/folder/run.sql"]) == 1
    assert "cannot be written" in capsys.readouterr().err
    assert backend.tables() == {"people"}


def test_names_are_not_interpreted_as_markup(backend: Database, capsys: pytest.CaptureFixture[str]) -> None:
    backend.create("t", {"a[/b]": "integer", "[red]": "integer"}, [(1, 1), (1, 1)])
    assert run(["anonymize", backend.url, "t", "--qi", "a[/b],[red]", "--k", "2", "--into", "u"]) == 0
    assert "a[/b]" in capsys.readouterr().out


def test_a_failure_after_the_swap_reports_the_swap(
    url: str, policy: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, backend: Database
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kanon_sql.terminal.describe_anonymize", interrupted)
    assert run(["anonymize", url, "--policy", policy]) == 130
    assert "is already published" in capsys.readouterr().err
    assert "people_anon" in backend.tables()


def test_debug_shows_location_and_statement_but_no_driver_text(
    url: str, policy: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from kanon_sql.workspace import Workspace

    def broken(self: Workspace, template: str, /, **arguments: Any) -> str:
        return re.sub(r"count\(\*\)", "no_such_function(1)", select(self, template, **arguments), flags=re.IGNORECASE)

    select = Workspace.select
    monkeypatch.setattr(Workspace, "select", broken)
    for arguments in (["--debug", "check", url, "people"], ["check", url, "people", "--debug"]):
        assert run([*arguments, "--qi", "age", "--k", "2", "--quiet"]) == 1
        captured = capsys.readouterr().err
        assert "Traceback (most recent call last)" in captured
        assert "The statement that failed (verify/k_anonymity):" in captured
        assert "/* kanon_sql verify/k_anonymity */" in captured
        assert "does not exist" not in captured.lower()
        assert "no such function" not in captured.lower()
    assert run(["check", url, "people", "--qi", "age", "--k", "2", "--quiet"]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_debug_hides_the_message_of_an_unexpected_failure(
    url: str, policy: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def explode(*_: object, **__: object) -> None:
        raise ValueError("Secret Name 1")

    monkeypatch.setattr("kanon_sql.commands.pipeline.recode", explode)
    assert run(["anonymize", url, "--policy", policy, "--debug"]) == 2
    captured = capsys.readouterr().err
    assert "in explode" in captured
    assert "ValueError" in captured
    assert "Secret Name 1" not in captured.replace('raise ValueError("Secret Name 1")', "")


def test_examples_are_copied_and_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "my examples"
    assert run(["examples", str(folder)]) == 0
    assert str(folder / "hospital" / "patients.yml") in capsys.readouterr().out
    from kanon_sql import load_policy

    assert load_policy(folder / "hospital" / "patients.yml").privacy.k == 5
    assert run(["examples", str(folder)]) == 1
    assert "is not empty" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["anonymize", "check", "profile", "hierarchy", "demo", "examples"])
def test_every_command_is_in_the_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    assert command in capsys.readouterr().out
    assert run([command, "--help"]) == 0
    assert "Usage: kanon " + command in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["anonymise", "x"], "Did you mean 'anonymize'?"),
        (["profil", "x"], "Did you mean 'profile'?"),
        (["anonymize", "x", "--polcy", "y"], "--policy"),
    ],
)
def test_misspellings_are_suggested(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 1
    assert message in capsys.readouterr().err
