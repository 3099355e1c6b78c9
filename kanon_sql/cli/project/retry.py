"""`kanon retry`."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json
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
    carry_out,
    variables_of,
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
    yes: Annotated[bool, typer.Option("--yes", help="Agree to policies that replace a table's own rows for good.")] = False,
    log_format: Log = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Do again what failed or was not done in the last run or test, with its options; also after a kill."""
    from kanon_sql.project.retrying import prepare
    from kanon_sql.project.session import Options

    given = Options(
        project_dir, profiles_dir, target, variables_of(variables),
        threads=threads, fail_fast=fail_fast, auto_plan=auto_plan, yes=yes, log_format=log_format, quiet=quiet,
    )  # fmt: skip
    again = prepare(given)
    if again is None:
        typer.echo("Nothing to retry: the last run or test ended well." if not json else "{}")
    else:
        carry_out(again, json=json)
