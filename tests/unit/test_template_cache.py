"""Compiled templates are kept where Python keeps compiled modules, and a changed template is compiled again."""

from __future__ import annotations

import sys
from pathlib import Path

import jinja2
import pytest

from kanon_sql.sql.template_cache import TemplateCache


def render(folder: Path, compiled: list[str]) -> str:
    """Render a template in a new environment; note its name if it is compiled."""

    class Environment(jinja2.Environment):
        def compile(self, source: str, name: str | None = None, *rest: object, **more: object) -> object:  # type: ignore[override]
            compiled.append(str(name))
            return super().compile(source, name, *rest, **more)  # type: ignore[call-overload]

    environment = Environment(loader=jinja2.FileSystemLoader(folder), bytecode_cache=TemplateCache(folder), autoescape=False)
    return environment.get_template("one.sql").render()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "one.sql").write_text("select {{ 1 + 1 }}")
    return tmp_path


def test_a_template_is_compiled_once(folder: Path) -> None:
    compiled: list[str] = []
    assert [render(folder, compiled) for _ in range(3)] == ["select 2"] * 3
    assert compiled == ["one.sql"]
    assert [path.parent.name for path in folder.rglob("*.template")] == ["__pycache__"]


def test_a_changed_template_is_compiled_again(folder: Path) -> None:
    compiled: list[str] = []
    render(folder, compiled)
    (folder / "one.sql").write_text("select {{ 1 + 2 }}")
    assert render(folder, compiled) == "select 3"
    assert compiled == ["one.sql", "one.sql"]


def test_nothing_is_written_if_python_writes_no_compiled_modules(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert render(folder, []) == "select 2"
    assert [path.name for path in folder.iterdir()] == ["one.sql"]


def test_a_folder_that_cannot_be_written_is_no_error(folder: Path) -> None:
    (folder / "__pycache__").write_text("a file instead of a folder")
    assert render(folder, []) == "select 2"
