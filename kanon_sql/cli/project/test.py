"""`kanon test`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json
from kanon_sql.cli.output import output_file
from kanon_sql.cli.project.options import (
    PANEL,
    Exclude,
    FailFast,
    Log,
    ProfilesDir,
    ProjectDir,
    Quiet,
    Select,
    SelectorCommand,
    State,
    Target,
    Threads,
    Vars,
    execute,
    parse_variables,
)


@app.command("test", rich_help_panel=PANEL, cls=SelectorCommand)
def check_releases(
    project_dir: ProjectDir = None,
    profiles_dir: ProfilesDir = None,
    target: Target = None,
    select: Select = None,
    exclude: Exclude = None,
    state: State = None,
    variables: Vars = None,
    threads: Threads = None,
    fail_fast: FailFast = None,
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Also write the results to this file as JUnit XML.")] = None,
    log_format: Log = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check each published table against its policy.

    Counts the tables again. Exit code 0 if all satisfy their policies,
    1 otherwise.
    """
    from kanon_sql.project.session import Options
    from kanon_sql.project.testing import JUNIT_MARK, recheck

    options = Options(
        project_dir, profiles_dir, target, parse_variables(variables), tuple(select or ()), tuple(exclude or ()), state,
        threads=threads, fail_fast=fail_fast, log_format=log_format, quiet=quiet,
    )  # fmt: skip
    file = output_file(junit, mark=JUNIT_MARK)
    execute(lambda: recheck(options, junit=file), json=json)
