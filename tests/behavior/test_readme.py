"""The examples in README and docs are run as they are written."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
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


@dataclass
class Page:
    """A page whose blocks run in order, each text block after the block that prints it."""

    names: dict[str, object] = field(default_factory=dict)
    printed: str = ""

    def run(self, language: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
        if language == "sh":
            for line in text.splitlines():
                capsys.readouterr()
                self._run_line(line)
                self.printed = capsys.readouterr().out or self.printed
        elif language == "python":
            exec(text, self.names)
            self.printed = capsys.readouterr().out
        elif language == "yaml":
            Path("policy.yml").write_text(text)
        else:
            assert language == "text"
            assert matches(self.printed, text), self.printed

    def _run_line(self, line: str) -> None:
        words = shlex.split(line, comments=True)
        if words[:2] == ["make", "demo"]:
            assert run(["demo", "--force"]) == 0  # as the Makefile does
        elif words[:1] == ["cd"]:
            os.chdir(words[1])
        elif words and words[0] not in ("make", "."):
            assert words[0] == "kanon", line
            assert run(words[1:]) == 0, line


def matches(printed: str, shown: str) -> bool:
    """Whether a page shows what was printed; the line … stands for any lines, and times are not compared."""
    if not duckdb.__version__.startswith("2."):
        return True  # another version generates other patients
    lines = [".*" if line == "…" else re.escape(without_times(line)) for line in shown.rstrip().splitlines()]
    return re.fullmatch("\n".join(lines), without_times(printed.rstrip()), re.DOTALL) is not None


def without_times(text: str) -> str:
    return re.sub(r"\d+\.\d+ s\b", "0.00 s", text)


def test_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    page, seen = Page(), []
    for language, text in blocks("README.md"):
        seen.append(language)
        page.run(language, text, capsys)
    assert seen == ["sh", "text", "sh", "text", "sh", "yaml", "sh", "sh", "text", "python", "text", "python", "text", "sh", "sh"]
    with duckdb.connect("hospital.duckdb") as connection:
        names = {row[0] for row in connection.execute("select name from pragma_table_info('patients_release')").fetchall()}
    assert {"birth_date_min", "birth_date_max"} <= names
    assert not {"name", "email", "patient_id"} & names


@pytest.mark.parametrize(
    ("printed", "shown", "same"),
    [("a\nb\nc", "a\n…", True), ("a\nb", "b\n…", False), ("a 1.20 s", "a 0.37 s", True), ("a 1", "a 2", False), ("a", "a\nb", False)],
)
@pytest.mark.skipif(not duckdb.__version__.startswith("2."), reason="the README shows the output of DuckDB 2")
def test_printed_and_shown_text_are_compared(printed: str, shown: str, same: bool) -> None:
    assert matches(printed, shown) is same


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
