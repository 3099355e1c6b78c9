"""Ctrl-C after the commit: exit code 130, the release is published, original rows remain, and the printed command erases them."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import yaml
from faults.injection import Action, Moment, Trap, interrupt, interrupt_statement, trapped
from faults.outcome_checks import Uninjured, run_uninjured
from faults.sample_database import SECRET, Clinic, policy
from faults.selection import COUNTS, WHOLE
from faults.test_leftovers import found_in_files, state_of_run
from support.databases import Database, DuckDB, SQLite
from support.processes import heed_ctrl_c
from support.projects import ProjectFolder

from kanon_sql.cli import run

Capture = pytest.CaptureFixture[str]
Point = tuple[int, Moment, Action]
pytestmark = pytest.mark.timeout(3600 if WHOLE else 300)


@pytest.fixture
def policy_file(tmp_path: Path) -> str:
    file = tmp_path / "policy.yml"
    file.write_text(yaml.safe_dump(policy()))
    return str(file)


def points(numbers: Sequence[int]) -> list[Point]:
    """Return the points before, within and after each step; every fifth of many, unless all are requested."""
    every: list[Point] = []
    for number in numbers:
        every += [(number, "before", interrupt), (number, "before", interrupt_statement), (number, "after", interrupt)]
    return every if WHOLE or len(every) < 15 else [*every[::5], every[-1]]


def scrub_steps(uninjured: Uninjured) -> list[int]:
    return [step.number for step in uninjured.steps if step.stage == "scrub"]


def command(clinic: Clinic) -> str:
    """Return the command that is printed for the user, with its password masked."""
    return f"kanon recover {shlex.quote(sa.make_url(clinic.url).render_as_string(hide_password=True))}"


def finish(clinic: Clinic, uninjured: Uninjured, said: str) -> None:
    """Run the printed command and require that no original row remains."""
    assert clinic.content() == uninjured.contents[1], "the release is published"
    if state_of_run(clinic) != "scrubbed":
        assert "original rows remain" in said
        assert command(clinic) in said
    assert run(["recover", clinic.url, "--quiet"]) == 0
    assert state_of_run(clinic) == "scrubbed"
    assert clinic.content() == uninjured.contents[1]
    if isinstance(clinic.database, DuckDB | SQLite):
        assert found_in_files(clinic) == []
        assert {path.name for path in clinic.database.path.parent.iterdir()} == {clinic.database.path.name}


def each(clinic: Clinic, kind: str, chosen: Sequence[Point], check: Callable[[Trap], None]) -> None:
    """Stop at each point and report all failures."""
    wrong = []
    for number, moment, action in chosen:
        trap = Trap(number, moment, action)
        try:
            check(trap)
            assert trap.sprung
        except AssertionError as problem:
            wrong.append(f"{action.__name__} {moment} {trap.steps[number - 1 : number]}: {problem}")
        COUNTS[clinic.database.name, kind] += 1
    assert not wrong, f"{len(wrong)} of {len(chosen)} points:\n" + "\n".join(wrong)


@pytest.fixture
def clinic(backend: Database, tmp_path: Path) -> Clinic:
    """Return the sample database in its own folder."""
    folder = tmp_path / "database"
    folder.mkdir()
    kinds: dict[str, Callable[[Path], Database]] = {"duckdb": DuckDB, "sqlite": SQLite}
    return Clinic(kinds[backend.name](folder) if backend.name in kinds else backend)


def test_a_run_that_is_stopped_after_its_commit(clinic: Clinic, policy_file: str, capfd: Capture) -> None:
    uninjured = run_uninjured(clinic)

    def check(trap: Trap) -> None:
        clinic.set_up()
        with trapped(trap):
            assert run(["anonymize", clinic.url, "--policy", policy_file, "--yes", "--quiet"]) == 130
        said = capfd.readouterr()
        assert said.err.startswith("Stopped. The release "), said.err
        finish(clinic, uninjured, said.err)

    each(clinic, "Ctrl-C in a scrub", points(scrub_steps(uninjured)), check)
    assert SECRET not in str(capfd.readouterr())


def test_recover_that_is_stopped(clinic: Clinic, policy_file: str, capfd: Capture) -> None:
    uninjured = run_uninjured(clinic)
    first = scrub_steps(uninjured)[0]

    def leave_a_scrub(trap: Trap) -> int:
        clinic.set_up()
        with trapped(Trap(first, "before", interrupt)):
            assert run(["anonymize", clinic.url, "--policy", policy_file, "--yes", "--quiet"]) == 130
        capfd.readouterr()
        with trapped(trap):
            return run(["recover", clinic.url, "--quiet"])

    whole = Trap()
    assert leave_a_scrub(whole) == 0
    late = len(whole.steps) // 2  # before, nothing is at work

    def check(trap: Trap) -> None:
        assert leave_a_scrub(trap) == 130
        said = capfd.readouterr().err
        assert said == f"Stopped. Runs may be unfinished, and original rows may remain. Finish them with: {command(clinic)}\n"
        finish(clinic, uninjured, f"original rows remain {said}")

    each(clinic, "Ctrl-C in recover", points([step.number for step in whole.steps[late:]]), check)


def test_a_project_that_is_stopped_after_a_commit(clinic: Clinic, tmp_path: Path, capfd: Capture) -> None:
    uninjured = run_uninjured(clinic)
    project = ProjectFolder(tmp_path / "project", {"patients": policy()}, url=clinic.url)
    clinic.set_up()
    with trapped(Trap()) as whole:
        assert project.run("run", "--auto-plan", "--yes") == 0
    scrubbing = [step.number for step in whole.steps if step.stage == "scrub"]
    for number, retries in ((scrubbing[0], True), (scrubbing[1], False)):
        clinic.set_up()
        capfd.readouterr()
        with trapped(Trap(number, "before", interrupt_statement)):
            assert project.run("run", "--auto-plan", "--yes") == 130
        said = capfd.readouterr()
        assert "ERROR=1" in said.out
        (result,) = project.artifact()["results"]
        assert result["status"] == "error_after_release"
        assert "the release is published, but original rows remain" in result["message"]
        assert command(clinic) in result["message"]
        assert result["message"] in said.err
        if retries:
            assert project.run("retry") == 0
            assert project.statuses() == {"patients": "success"}
            assert state_of_run(clinic) == "scrubbed"
        finish(clinic, uninjured, said.err)


PROGRAM = "import sys; from kanon_sql.cli import main; main(sys.argv[1:])"
BULK = {
    "duckdb": "create table bulk as select i, hash(i)::varchar || hash(-i)::varchar as t from range(1000000) as r(i)",
    "sqlite": "create table bulk as with recursive r(i) as (select 1 union all select i + 1 from r where i < 400000)"
    " select i, hex(randomblob(18)) as t from r",
}


def start(*arguments: str) -> subprocess.Popen[str]:
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-c", PROGRAM, *arguments], stdin=subprocess.DEVNULL, preexec_fn=heed_ctrl_c, **pipes)


def wait_for_the_commit(process: subprocess.Popen[str]) -> str:
    """Read until the process has printed that the release is published; return the output."""
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        if line.startswith("swap "):
            return said
    raise AssertionError(f"no release: {said}")


@pytest.mark.engines("duckdb", "sqlite")
def test_a_signal_while_a_file_is_rewritten(clinic: Clinic, policy_file: str) -> None:
    uninjured = run_uninjured(clinic)
    clinic.set_up()
    clinic.ask(BULK[clinic.database.name])
    process = start("anonymize", clinic.url, "--policy", policy_file, "--yes")
    said = wait_for_the_commit(process)
    process.send_signal(signal.SIGINT)
    said += process.communicate(timeout=120)[1]
    assert process.returncode == 130, said
    assert "Stopped. The release is published, but original rows remain." in said
    finish(clinic, uninjured, said)


@pytest.mark.engines("mariadb")
def test_a_signal_while_a_table_is_rebuilt(clinic: Clinic, policy_file: str, capfd: Capture) -> None:
    uninjured = run_uninjured(clinic)
    (rebuild,) = [step.number for step in uninjured.steps if step.what == "replace/rebuild"]
    clinic.set_up()
    engine = sa.create_engine(clinic.url, poolclass=sa.NullPool)
    waits = "select 1 from information_schema.processlist where info like '%%optimize%%' and state like 'Waiting for table metadata%%'"

    def press_ctrl_c() -> None:
        while not clinic.ask(waits)[0]:
            pass
        os.kill(os.getpid(), signal.SIGINT)

    def hold(backend: object, what: str) -> None:
        reader.execute(sa.text("select * from patients")).all()  # the rebuild waits for this transaction
        threading.Thread(target=press_ctrl_c, daemon=True).start()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with engine.connect() as reader, trapped(Trap(rebuild, "before", hold)):
            assert run(["anonymize", clinic.url, "--policy", policy_file, "--yes", "--quiet"]) == 130
            said = capfd.readouterr().err
            assert said == f"Stopped. The release is published, but original rows remain. Erase them with: {command(clinic)}\n"
            assert run(["recover", clinic.url, "--quiet"]) == 1, "the server still waits in the name of the run"
            assert "another session is still erasing the original rows" in capfd.readouterr().out
    finally:
        signal.signal(signal.SIGINT, before)
    while run(["recover", clinic.url, "--quiet"]) != 0:  # until the server has noticed that its client is gone
        assert "another session is still erasing the original rows" in capfd.readouterr().out
    finish(clinic, uninjured, said)
