"""`kanon run`."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json
from kanon_sql.cli.project.options import (
    PANEL,
    AutoPlan,
    Exclude,
    FailFast,
    Log,
    ProfilesDir,
    ProjectDir,
    Quiet,
    Select,
    Selecting,
    State,
    Target,
    Threads,
    Vars,
    carry_out,
    variables_of,
)


@app.command(rich_help_panel=PANEL, cls=Selecting)
def run(
    project_dir: ProjectDir = None,
    profiles_dir: ProfilesDir = None,
    target: Target = None,
    select: Select = None,
    exclude: Exclude = None,
    state: State = None,
    variables: Vars = None,
    threads: Threads = None,
    fail_fast: FailFast = None,
    auto_plan: AutoPlan = None,
    yes: Annotated[bool, typer.Option("--yes", help="Agree to policies that replace a table's own rows for good.")] = False,
    log_format: Log = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Publish each policy by its committed plan, verified; exit 1 if any was not published.

    A plan that no longer holds on today's data publishes nothing and says what changed.
    """
    from kanon_sql.project.running import run as run_jobs
    from kanon_sql.project.session import Options

    given = Options(
        project_dir, profiles_dir, target, variables_of(variables), tuple(select or ()), tuple(exclude or ()), state,
        threads=threads, fail_fast=fail_fast, auto_plan=auto_plan, yes=yes, log_format=log_format, quiet=quiet,
    )  # fmt: skip
    carry_out(lambda: run_jobs(given), json=json)
