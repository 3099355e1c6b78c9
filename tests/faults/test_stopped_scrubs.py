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
from faults.outcome_checks import FaultlessRun, run_without_faults
from faults.sample_database import SECRET, SampleDatabase, policy
from faults.selection import ALL_FAULTS, COUNTS
from faults.test_leftovers import found_in_files, state_of_run
from support.databases import Database, DuckDB, SQLite
from support.processes import heed_ctrl_c
from support.projects import ProjectFolder

from kanon_sql.cli import run

Capture = pytest.CaptureFixture[str]
Point = tuple[int, Moment, Action]
pytestmark = pytest.mark.timeout(3600 if ALL_FAULTS else 300)


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
    return every if ALL_FAULTS or len(every) < 15 else [*every[::5], every[-1]]


def scrub_steps(faultless: FaultlessRun) -> list[int]:
    return [step.number for step in faultless.steps if step.stage == "scrub"]


def command(sample: SampleDatabase) -> str:
    """Return the command that is printed for the user, with its password masked."""
    return f"kanon recover {shlex.quote(sa.make_url(sample.url).render_as_string(hide_password=True))}"


def finish(sample: SampleDatabase, faultless: FaultlessRun, said: str) -> None:
    """Run the printed command and require that no original row remains."""
    assert sample.content() == faultless.contents[1], "the release is published"
    if state_of_run(sample) != "scrubbed":
        assert "original rows remain" in said
        assert command(sample) in said
    assert run(["recover", sample.url, "--quiet"]) == 0
    assert state_of_run(sample) == "scrubbed"
    assert sample.content() == faultless.contents[1]
    if isinstance(sample.database, DuckDB | SQLite):
        assert found_in_files(sample) == []
        assert {path.name for path in sample.database.path.parent.iterdir()} == {sample.database.path.name}


def each(sample: SampleDatabase, kind: str, chosen: Sequence[Point], check: Callable[[Trap], None]) -> None:
    """Stop at each point and report all failures."""
    wrong = []
    for number, moment, action in chosen:
        trap = Trap(number, moment, action)
        try:
            check(trap)
            assert trap.sprung
        except AssertionError as problem:
            wrong.append(f"{action.__name__} {moment} {trap.steps[number - 1 : number]}: {problem}")
        COUNTS[sample.database.name, kind] += 1
    assert not wrong, f"{len(wrong)} of {len(chosen)} points:\n" + "\n".join(wrong)


@pytest.fixture
def sample(backend: Database, tmp_path: Path) -> SampleDatabase:
    """Return the sample database in its own folder."""
    folder = tmp_path / "database"
    folder.mkdir()
    kinds: dict[str, Callable[[Path], Database]] = {"duckdb": DuckDB, "sqlite": SQLite}
    return SampleDatabase(kinds[backend.name](folder) if backend.name in kinds else backend)


def test_a_run_that_is_stopped_after_its_commit(sample: SampleDatabase, policy_file: str, capfd: Capture) -> None:
    faultless = run_without_faults(sample)

    def check(trap: Trap) -> None:
        sample.set_up()
        with trapped(trap):
            assert run(["anonymize", sample.url, "--policy", policy_file, "--yes", "--quiet"]) == 130
        said = capfd.readouterr()
        assert said.err.startswith("Stopped. The release "), said.err
        finish(sample, faultless, said.err)

    each(sample, "Ctrl-C in a scrub", points(scrub_steps(faultless)), check)
    assert SECRET not in str(capfd.readouterr())


def test_recover_that_is_stopped(sample: SampleDatabase, policy_file: str, capfd: Capture) -> None:
    faultless = run_without_faults(sample)
    first = scrub_steps(faultless)[0]

    def leave_a_scrub(trap: Trap) -> int:
        sample.set_up()
        with trapped(Trap(first, "before", interrupt)):
            assert run(["anonymize", sample.url, "--policy", policy_file, "--yes", "--quiet"]) == 130
        capfd.readouterr()
        with trapped(trap):
            return run(["recover", sample.url, "--quiet"])

    whole = Trap()
    assert leave_a_scrub(whole) == 0
    late = len(whole.steps) // 2  # before, nothing is at work

    def check(trap: Trap) -> None:
        assert leave_a_scrub(trap) == 130
        said = capfd.readouterr().err
        assert said == f"Stopped. Runs may be unfinished, and original rows may remain. Finish them with: {command(sample)}\n"
        finish(sample, faultless, f"original rows remain {said}")

    each(sample, "Ctrl-C in recover", points([step.number for step in whole.steps[late:]]), check)


def test_a_project_that_is_stopped_after_a_commit(sample: SampleDatabase, tmp_path: Path, capfd: Capture) -> None:
    faultless = run_without_faults(sample)
    project = ProjectFolder(tmp_path / "project", {"patients": policy()}, url=sample.url)
    sample.set_up()
    with trapped(Trap()) as whole:
        assert project.run("run", "--auto-plan", "--yes") == 0
    scrubbing = [step.number for step in whole.steps if step.stage == "scrub"]
    for number, retries in ((scrubbing[0], True), (scrubbing[1], False)):
        sample.set_up()
        capfd.readouterr()
        with trapped(Trap(number, "before", interrupt_statement)):
            assert project.run("run", "--auto-plan", "--yes") == 130
        said = capfd.readouterr()
        assert "ERROR=1" in said.out
        (result,) = project.artifact()["results"]
        assert result["status"] == "error_after_release"
        assert "the release is published, but original rows remain" in result["message"]
        assert command(sample) in result["message"]
        assert result["message"] in said.err
        if retries:
            assert project.run("retry") == 0
            assert project.statuses() == {"patients": "success"}
            assert state_of_run(sample) == "scrubbed"
        finish(sample, faultless, said.err)


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
def test_a_signal_while_a_file_is_rewritten(sample: SampleDatabase, policy_file: str) -> None:
    faultless = run_without_faults(sample)
    sample.set_up()
    sample.ask(BULK[sample.database.name])
    process = start("anonymize", sample.url, "--policy", policy_file, "--yes")
    said = wait_for_the_commit(process)
    process.send_signal(signal.SIGINT)
    said += process.communicate(timeout=120)[1]
    assert process.returncode == 130, said
    assert "Stopped. The release is published, but original rows remain." in said
    finish(sample, faultless, said)


@pytest.mark.engines("mariadb")
def test_a_signal_while_a_table_is_rebuilt(sample: SampleDatabase, policy_file: str, capfd: Capture) -> None:
    faultless = run_without_faults(sample)
    (rebuild,) = [step.number for step in faultless.steps if step.what == "replace/rebuild"]
    sample.set_up()
    engine = sa.create_engine(sample.url, poolclass=sa.NullPool)
    waits = "select 1 from information_schema.processlist where info like '%%optimize%%' and state like 'Waiting for table metadata%%'"

    def press_ctrl_c() -> None:
        while not sample.ask(waits)[0]:
            pass
        os.kill(os.getpid(), signal.SIGINT)

    def hold(backend: object, what: str) -> None:
        reader.execute(sa.text("select * from patients")).all()  # the rebuild waits for this transaction
        threading.Thread(target=press_ctrl_c, daemon=True).start()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with engine.connect() as reader, trapped(Trap(rebuild, "before", hold)):
            assert run(["anonymize", sample.url, "--policy", policy_file, "--yes", "--quiet"]) == 130
            said = capfd.readouterr().err
            assert said == f"Stopped. The release is published, but original rows remain. Erase them with: {command(sample)}\n"
            assert run(["recover", sample.url, "--quiet"]) == 1, "the server still waits in the name of the run"
            assert "another session is still erasing the original rows" in capfd.readouterr().out
    finally:
        signal.signal(signal.SIGINT, before)
    while run(["recover", sample.url, "--quiet"]) != 0:  # until the server has noticed that its client is gone
        assert "another session is still erasing the original rows" in capfd.readouterr().out
    finish(sample, faultless, said)
