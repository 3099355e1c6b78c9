"""Options that the commands of a project share, and how they are read: command line, then KANON_* variables, then the project file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from kanon_sql.cli.app import swap_note

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kanon_sql.project.results import Outcome

PANEL = "Projects"
_TAKES_MANY = ("--select", "-s", "--exclude")


class LogFormat(StrEnum):
    """How log lines are written."""

    TEXT = "text"
    JSON = "json"


ProjectDir = Annotated[
    Path | None,
    typer.Option(
        "--project-dir", envvar="KANON_PROJECT_DIR", help="The project's folder, instead of this one or one above.", show_default=False
    ),
]
ProfilesDir = Annotated[
    Path | None,
    typer.Option("--profiles-dir", envvar="KANON_PROFILES_DIR", help="The folder of profiles.yml, instead of the project's or ~/.kanon."),
]
Target = Annotated[
    str | None, typer.Option("--target", "-t", envvar="KANON_TARGET", help="The target of the profile, such as dev or prod.")
]
Vars = Annotated[str | None, typer.Option("--vars", envvar="KANON_VARS", help="Variables for policies, as YAML: '{k: 10}'.")]
Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        "-s",
        metavar="SELECTOR...",
        help="Policies: name, tag:nightly, path:policies/hr, state:modified, result:error; several add up.",
    ),
]
Exclude = Annotated[list[str] | None, typer.Option("--exclude", metavar="SELECTOR...", help="Policies to leave out, chosen likewise.")]
State = Annotated[
    Path | None,
    typer.Option("--state", envvar="KANON_STATE", help="A folder with another manifest.json for state:modified to compare with."),
]
Threads = Annotated[
    int | None, typer.Option("--threads", min=1, envvar="KANON_THREADS", help="Tables side by side, each on a connection of its own.")
]
FailFast = Annotated[
    bool | None, typer.Option("--fail-fast/--no-fail-fast", envvar="KANON_FAIL_FAST", help="Start nothing more after the first failure.")
]
AutoPlan = Annotated[
    bool | None, typer.Option("--auto-plan/--no-auto-plan", envvar="KANON_AUTO_PLAN", help="Plan first, then publish that plan.")
]
Log = Annotated[
    LogFormat | None, typer.Option("--log-format", envvar="KANON_LOG_FORMAT", help="Log lines as text or JSON.", show_default=False)
]


class Selecting(TyperCommand):
    """A command whose --select and --exclude take every word up to the next option, as dbt's do."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the arguments, each selector with an option of its own."""
        return super().parse_args(ctx, spread(args))


def spread(arguments: Sequence[str]) -> list[str]:
    """`--select a b` as `--select a --select b`."""
    found: list[str] = []
    option = None
    for word in arguments:
        if word.startswith("-"):
            option = word if word in _TAKES_MANY else None
            found.append(word)
        elif option is not None and found[-1] != option:
            found += [option, word]
        else:
            found.append(word)
    return found


def variables_of(text: str | None) -> Mapping[str, Any]:
    """The variables of a text in YAML."""
    from kanon_sql.project.variables import read_variables

    return read_variables(text)


def carry_out(command: Callable[[], Outcome], *, json: bool) -> None:
    """Runs a command, prints how it ended, and exits as it did."""
    import json as plain
    import os

    from kanon_sql import terminal
    from kanon_sql.project.scrubbing import secrets_of

    swap_note.instead = "What was done stands in the artifacts; kanon retry does the rest."
    outcome = command()
    text = plain.dumps(outcome.document, indent=2, ensure_ascii=False) if json else terminal.describe_outcome(outcome)
    typer.echo(secrets_of(os.environ).scrub(text))
    if outcome.exit_code:
        raise typer.Exit(outcome.exit_code)
