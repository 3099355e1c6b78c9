"""Help screens: they fit 80 columns, show every option and environment variable in full, and have a summary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer

from kanon_sql.cli import run
from kanon_sql.cli.app import app


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield path, command
    for name, child in getattr(command, "commands", {}).items():
        yield from commands(child, (*path, name))


COMMANDS = list(commands(typer.main.get_command(app)))


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=[" ".join(("kanon", *path)) for path, _ in COMMANDS])
def test_help_fits_80_columns(
    path: tuple[str, ...], command: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run([*path, "--help"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert (command.help or "").strip()
    for parameter in command.params:
        assert all(name in shown for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("-"))
        assert getattr(parameter, "envvar", None) is None or str(parameter.envvar) in shown
