"""`kanon retry`."""

from __future__ import annotations

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, Yes
from kanon_sql.cli.project.options import (
    PANEL,
    AutoPlan,
    FailFast,
    Log,
    ProfilesDir,
    ProjectDir,
    Quiet,
    Target,
    Threads,
    Vars,
    execute,
    parse_variables,
)


@app.command(rich_help_panel=PANEL)
def retry(
    project_dir: ProjectDir = None,
    profiles_dir: ProfilesDir = None,
    target: Target = None,
    variables: Vars = None,
    threads: Threads = None,
    fail_fast: FailFast = None,
    auto_plan: AutoPlan = None,
    yes: Yes = False,
    log_format: Log = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Repeat the jobs that failed or did not run in the last run or test.

    Uses the options of that command, unless you override them here. Also works
    after a command was stopped or killed.
    """
    from kanon_sql.project.retrying import prepare
    from kanon_sql.project.session import Options

    options = Options(
        project_dir, profiles_dir, target, parse_variables(variables),
        threads=threads, fail_fast=fail_fast, auto_plan=auto_plan, yes=yes, log_format=log_format, quiet=quiet,
    )  # fmt: skip
    command = prepare(options)
    if command is None:
        typer.echo("{}" if json else "Nothing to retry: no job of the last run or test failed.")
    else:
        execute(command, json=json)
