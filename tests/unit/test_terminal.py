"""Tables and progress on a terminal."""

from __future__ import annotations

import pytest

from kanon_sql import terminal
from kanon_sql.terminal.layout import text_table
from kanon_sql.workspace import Stage

LONG = [f"a_rather_long_name_of_column_{number}" for number in range(15)]


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_a_table_is_no_wider_than_the_terminal_and_keeps_its_text(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    reason = "column name suggests a name or number of a person, although rows share its values"
    shown = text_table(("column", "distinct", "reason"), [(name, "1,234", reason) for name in LONG], left=("column", "reason"))
    assert max(map(len, shown.splitlines())) <= columns
    assert shown.count("1,234") == len(LONG)
    assert shown.count("suggests") == len(LONG)


def test_a_table_in_a_pipe_has_one_line_per_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert len(text_table(("column", "reason"), [(name, "x " * 80) for name in LONG]).splitlines()) == len(LONG) + 1


def test_progress_on_a_terminal_shows_elapsed_time_and_counts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    with terminal.progress(quiet=False) as listener:
        assert listener is not None
        listener("search", None)
        listener("search: 12 nodes checked", None)
        listener("search", Stage("search", 0.5, 3))
    shown = capsys.readouterr().err
    assert "search: 12 nodes checked" in shown
    assert "0:00:00" in shown
    assert "3 statements" in shown


def test_progress_in_a_pipe_is_a_line_per_stage(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    with terminal.progress(quiet=False) as listener:
        assert listener is not None
        listener("search", None)
        listener("search: 12 nodes checked", None)
        listener("search", Stage("search", 0.5, 3))
    assert capsys.readouterr().err == "search       0.50 s  3 statements\n"


def test_quiet_shows_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with terminal.progress(quiet=True) as listener:
        assert listener is None
    assert capsys.readouterr().err == ""
