"""The command line: parse arguments, call a command, print its result; one file per command."""

from __future__ import annotations

import gc
import os
import signal
import sys
import traceback
from importlib import import_module
from typing import Any

import typer

from kanon_sql.cli.app import DEBUG, app
from kanon_sql.cli.release_status import release_status
from kanon_sql.errors import KanonError, QueryError
from kanon_sql.project.scrubbing import secrets_of

__all__ = ["COMMANDS", "main", "run"]

# The modules of the commands, in the order of the help text; each registers its command when it is imported.
COMMANDS = (
    "anonymize",
    "check",
    "demo",
    "examples",
    "explain",
    "hierarchy",
    "history",
    "measure",
    "profile",
    "project.clean",
    "project.debug",
    "project.init",
    "project.jobs",
    "project.plan",
    "project.retry",
    "project.run",
    "project.test",
    "recover",
    "risk",
    "solve",
)
for _command in COMMANDS:
    import_module(f"{__name__}.{_command}")

CTRL_C = 130
OBJECTS_PER_COLLECTION = 50_000  # modules and models live until the process ends; Python would look through them a hundred times


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with 0 (success), 1 (not satisfied, or expected failure), 2 (unexpected) or 130 (Ctrl-C)."""
    gc.set_threshold(OBJECTS_PER_COLLECTION)
    code = run(arguments)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the result is final: Ctrl-C while Python exits must not change the exit code
    sys.exit(code)


def run(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    release_status.reset()
    words = sys.argv[1:] if arguments is None else arguments
    try:
        outcome: Any = app(args=[word for word in words if word != DEBUG], prog_name="kanon", standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        outcome = CTRL_C
    except BrokenPipeError:
        return 1
    except Exception as error:
        if DEBUG in words:
            typer.echo(secrets_of(os.environ).scrub(_trace(error)), err=True)
        return _report(error)
    if outcome == CTRL_C:
        typer.echo(f"Stopped. {release_status}", err=True)
    return outcome if isinstance(outcome, int) else 0


def _report(error: Exception) -> int:
    """Print an error without anything that may contain cell values, and return the exit code."""
    if isinstance(error, KanonError):
        typer.echo(f"Error: {secrets_of(os.environ).scrub(str(error))}", err=True)
        return 1
    if hasattr(error, "show"):  # an invalid command line; typer does not export the class of this exception
        if hasattr(error, "message"):
            error.message = secrets_of(os.environ).scrub(str(error.message))
        error.show()
        return 1
    typer.echo(
        f"Unexpected failure ({type(error).__name__}). {release_status} "
        "Please report it with the command and the versions of kanon_sql, Python and the database.",
        err=True,
    )
    return 2


def _trace(error: Exception) -> str:
    """Return the traceback and the failed statement, without the driver's message, which may contain cell values."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    statement = f"\nThe statement that failed ({error.template}):\n{error.sql}\n" if isinstance(error, QueryError) else ""
    return f"Traceback (most recent call last):\n{frames}{type(error).__name__}\n{statement}"
