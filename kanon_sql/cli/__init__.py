"""The command line: reads arguments, calls a command, prints its result; one file per command."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import Any

import typer

from kanon_sql.cli import anonymize, check, demo, examples, explain, hierarchy, history, measure, profile, project, recover, risk, solve
from kanon_sql.cli.app import DEBUG, app, swap_note
from kanon_sql.errors import KanonError, QueryError
from kanon_sql.project.scrubbing import secrets_of

__all__ = [
    "anonymize",
    "check",
    "demo",
    "examples",
    "explain",
    "hierarchy",
    "history",
    "main",
    "measure",
    "profile",
    "project",
    "recover",
    "risk",
    "run",
    "solve",
]

CTRL_C = 130


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line and exits: 0 done, 1 not met or handled failure, 2 unexpected, 130 Ctrl-C."""
    code = run(arguments)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the answer is given, and Ctrl-C while Python ends cannot change it
    sys.exit(code)


def run(arguments: list[str] | None = None) -> int:
    """The exit code of a command line."""
    swap_note.forget()
    given = sys.argv[1:] if arguments is None else arguments
    try:
        outcome: Any = app(args=[argument for argument in given if argument != DEBUG], prog_name="kanon", standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        outcome = CTRL_C
    except BrokenPipeError:
        return 1
    except Exception as error:
        if DEBUG in given:
            typer.echo(secrets_of(os.environ).scrub(_trace(error)), err=True)
        return _explain(error)
    if outcome == CTRL_C:
        typer.echo(f"Stopped. {swap_note}", err=True)
    return outcome if isinstance(outcome, int) else 0


def _explain(error: Exception) -> int:
    """Says what went wrong, without what may hold values, and gives the exit code."""
    if isinstance(error, KanonError):
        typer.echo(f"Error: {secrets_of(os.environ).scrub(str(error))}", err=True)
        return 1
    if hasattr(error, "show"):  # a wrong command line; typer keeps its exception classes to itself
        if hasattr(error, "message"):
            error.message = secrets_of(os.environ).scrub(str(error.message))
        error.show()
        return 1
    typer.echo(
        f"Unexpected failure ({type(error).__name__}). {swap_note} "
        "Please report it with the command and the versions of kanon_sql, Python and the database.",
        err=True,
    )
    return 2


def _trace(error: Exception) -> str:
    """Where an error happened, and the statement that failed; nothing that a driver wrote, which may hold values."""
    places = "".join(traceback.format_tb(error.__traceback__))
    statement = f"\nThe statement that failed ({error.template}):\n{error.sql}\n" if isinstance(error, QueryError) else ""
    return f"Traceback (most recent call last):\n{places}{type(error).__name__}\n{statement}"
