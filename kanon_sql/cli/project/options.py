"""Options that the project commands share.

The command line overrides the KANON_* environment variables, and these override the project file.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from kanon_sql.cli.release_status import release_status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kanon_sql.project.results import Outcome

PANEL = "Projects"
_PROJECT, _SELECTION, _EXECUTION = "Project", "Selection", "Execution"  # panels of --help
_TAKES_SEVERAL = ("--select", "-s", "--exclude")


class LogFormat(StrEnum):
    """The format of log lines."""

    TEXT = "text"
    JSON = "json"


ProjectDir = Annotated[
    Path | None,
    typer.Option(
        "--project-dir",
        metavar="FOLDER",
        envvar="KANON_PROJECT_DIR",
        help="The project folder. Default: the current folder or the nearest one above that has a kanon_project.yml.",
        show_default=False,
        rich_help_panel=_PROJECT,
    ),
]
ProfilesDir = Annotated[
    Path | None,
    typer.Option(
        "--profiles-dir",
        metavar="FOLDER",
        envvar="KANON_PROFILES_DIR",
        help="The folder of profiles.yml. Default: the project folder, or else ~/.kanon.",
        rich_help_panel=_PROJECT,
    ),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--target",
        "-t",
        metavar="NAME",
        envvar="KANON_TARGET",
        help="The target of the profile, for example dev or prod.",
        rich_help_panel=_PROJECT,
    ),
]
Vars = Annotated[
    str | None,
    typer.Option(
        "--vars",
        metavar="YAML",
        envvar="KANON_VARS",
        help="Variables of the policies, as YAML: '{k: 10}'.",
        rich_help_panel=_PROJECT,
    ),
]
Select = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        "-s",
        metavar="SELECTOR...",
        help="Policies to process: patients, tag:nightly, path:policies/hr, state:modified or result:error. Default: all policies.",
        rich_help_panel=_SELECTION,
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option("--exclude", metavar="SELECTOR...", help="Policies to leave out, by the same selectors.", rich_help_panel=_SELECTION),
]
State = Annotated[
    Path | None,
    typer.Option(
        "--state",
        metavar="FOLDER",
        envvar="KANON_STATE",
        help="The folder of the manifest.json that state:modified compares with. Default: the last run of this project.",
        rich_help_panel=_SELECTION,
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        min=1,
        metavar="N",
        envvar="KANON_THREADS",
        help="Number of tables to process at the same time.",
        rich_help_panel=_EXECUTION,
    ),
]
FailFast = Annotated[
    bool | None,
    typer.Option(
        "--fail-fast/--no-fail-fast",
        envvar="KANON_FAIL_FAST",
        help="Start no further jobs after a failure.",
        rich_help_panel=_EXECUTION,
    ),
]
AutoPlan = Annotated[
    bool | None,
    typer.Option(
        "--auto-plan/--no-auto-plan",
        envvar="KANON_AUTO_PLAN",
        help="Make a new plan first, and publish it.",
        rich_help_panel=_EXECUTION,
    ),
]
Log = Annotated[
    LogFormat | None,
    typer.Option("--log-format", envvar="KANON_LOG_FORMAT", help="The format of log lines, text or JSON.", show_default=False),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result, warnings and failures, without progress.")]


class SelectorCommand(TyperCommand):
    """A command whose --select and --exclude accept several values up to the next option, as in dbt."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments after repeating the option before each of its values."""
        return super().parse_args(ctx, repeat_options(args))


def repeat_options(arguments: Sequence[str]) -> list[str]:
    """Return `--select a b` as `--select a --select b`."""
    repeated: list[str] = []
    option = None
    for word in arguments:
        if word.startswith("-"):
            option = word if word in _TAKES_SEVERAL else None
            repeated.append(word)
        elif option is not None and repeated[-1] != option:
            repeated += [option, word]
        else:
            repeated.append(word)
    return repeated


def parse_variables(text: str | None) -> Mapping[str, Any]:
    """Return the variables of a YAML text."""
    from kanon_sql.project.variables import read_variables  # imports yaml, which --help does not need

    return read_variables(text)


def execute(command: Callable[[], Outcome], *, json: bool) -> None:
    """Run a project command, print its outcome, and exit with its exit code if it failed."""
    import json as json_writer
    import os

    from kanon_sql import terminal
    from kanon_sql.project.scrubbing import secrets_of

    release_status.fixed_text = (
        "Results so far are in the target folder. Repeat the command, or use kanon retry after kanon run and kanon test."
    )
    outcome = command()
    text = json_writer.dumps(outcome.document, indent=2, ensure_ascii=False) if json else terminal.describe_outcome(outcome)
    typer.echo(secrets_of(os.environ).scrub(text))
    if outcome.exit_code:
        raise typer.Exit(outcome.exit_code)
