"""The examples in README and docs are run as they are written."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
import yaml

import kanon_sql as ks
from kanon_sql.cli import run
from kanon_sql.commands.demo import demo

HOME = Path(__file__).parents[2]
NOT_OURS = ("pip install", "make ")


def blocks(file: str) -> Iterator[tuple[str, str]]:
    """Return the fenced blocks of a page with their languages, in order."""
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", (HOME / file).read_text(), re.MULTILINE | re.DOTALL):
        yield match[1], match[2]


def commands(block: str) -> Iterator[list[str]]:
    """Return the calls of `kanon` in a block of shell lines; fail if it contains anything unknown."""
    for line in block.splitlines():
        words = shlex.split(line, comments=True)
        if words and not line.startswith(NOT_OURS):
            assert words[0] == "kanon", line
            yield words[1:]


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the database that the pages use."""
    monkeypatch.chdir(tmp_path)
    demo(Path("made"), rows=3000, seed=1)
    Path("made/hospital.duckdb").rename("clinic.duckdb")
    with duckdb.connect("clinic.duckdb") as connection:
        connection.execute("drop table patients_anon")
    return tmp_path


def test_readme(clinic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen = []
    for language, text in blocks("README.md"):
        seen.append(language)
        if language == "sh":
            for arguments in commands(text):
                assert run(arguments) == 0, arguments
        elif language == "yaml":
            Path("patients.yml").write_text(text)
            assert ks.anonymize("duckdb:///clinic.duckdb", "patients.yml", replace=True).k >= 5  # type: ignore[operator]
        else:
            exec(text, {})
    assert seen == ["sh", "sh", "yaml", "sh", "python", "sh", "sh"]
    with duckdb.connect("clinic.duckdb") as connection:
        names = {row[0] for row in connection.execute("select name from pragma_table_info('patients_anon')").fetchall()}
    assert {"birth_date_min", "birth_date_max"} <= names
    assert not {"name", "email", "patient_id"} & names


def test_python_page(clinic: Path) -> None:
    for file in Path("made").iterdir():
        file.rename(file.name)
    names: dict[str, object] = {}
    for _, text in blocks("docs/python.md"):
        exec(text, names)


def test_measure_page(clinic: Path) -> None:
    for file in Path("made").iterdir():
        file.rename(file.name)
    ks.anonymize("duckdb:///clinic.duckdb", "patients.yml", replace=True)
    for language, text in blocks("docs/measure.md"):
        if language == "sh":
            for arguments in commands(text):
                assert run(arguments) == 0, arguments
        elif language == "yaml":
            policy = ks.load_policy("patients.yml").to_dict() | yaml.safe_load(text)
            ks.load_policy(policy, folder=Path())
        elif language == "python":
            exec(text, {})


def test_project_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for language, text in blocks("docs/project.md"):
        if language == "sh":
            for arguments in commands(text):
                assert run(arguments) == 0, arguments


def test_command_line_page(clinic: Path) -> None:
    for language, text in blocks("docs/command_line.md"):
        if language == "sh":
            for arguments in commands(text):
                assert run(arguments) == 0, arguments
