"""Slow libraries are imported only by the commands that need them."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

DRIVERS = ("duckdb", "sqlite3", "sqlalchemy", "psycopg", "pymysql")
FRAMES = ("pandas", "numpy", "pyarrow")
SLOW = (*DRIVERS, *FRAMES, "sqlglot", "jinja2", "yaml", "pydantic", "rich")


def imported(program: str, *arguments: str) -> set[str]:
    """Run a program in a new process, and return the slow libraries that it imported."""
    ending = f"import json, sys; print('\\n' + json.dumps([name for name in {SLOW!r} if name in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\n{ending}", *arguments], capture_output=True, text=True, check=True, env={"COLUMNS": "80"}
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


def command(*arguments: str) -> set[str]:
    """Run a command in a new process, and return the slow libraries that it imported."""
    return imported("import sys; from kanon_sql.cli import run; assert run(sys.argv[1:]) == 0", *arguments)


def test_importing_the_package_imports_no_library() -> None:
    assert imported("import kanon_sql") == set()


def test_importing_the_command_line_imports_no_library() -> None:
    assert imported("import kanon_sql.cli") == set()


def test_the_version_needs_no_library() -> None:
    assert command("--version") == set()


def test_help_imports_what_typer_needs() -> None:
    assert command("--help") == {"rich"}


@pytest.mark.parametrize("name", ["anonymize", "explain", "plan", "profile", "run"])
def test_help_of_a_command_imports_what_typer_needs(name: str) -> None:
    assert command(name, "--help") <= {"rich", "pydantic"}


@pytest.mark.parametrize("name", ["anonymize", "solve", "check", "measure", "risk", "explain", "profile"])
def test_commands_on_duckdb_need_no_other_database(name: str, hospital: tuple[str, Path]) -> None:
    url, policy = hospital
    arguments = {
        "risk": [url, "patients", "--qi", "birth_date,zip,sex", "--sensitive", "diagnosis"],
        "profile": [url, "patients"],
    }.get(name, [url, "--policy", str(policy)])
    replace = ["--replace"] if name == "anonymize" else []
    by_driver = {"numpy", "pandas"} if version("duckdb").startswith("1.") else set()  # that imports them to bind parameters
    assert command(name, *arguments, *replace) <= {"duckdb", "jinja2", "pydantic", "rich", "yaml"} | by_driver


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return the URL of a database with patients and their release, and the policy."""
    folder = tmp_path_factory.mktemp("hospital")
    command("demo", str(folder / "demo"), "--rows", "2000")
    return f"duckdb:///{folder / 'demo' / 'hospital.duckdb'}", folder / "demo" / "patients.yml"
