"""`kanon test`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, Quiet, output_file
from kanon_sql.cli.project.options import (
    PANEL,
    Exclude,
    FailFast,
    Log,
    ProfilesDir,
    ProjectDir,
    Select,
    Selecting,
    State,
    Target,
    Threads,
    Vars,
    carry_out,
    variables_of,
)


@app.command("test", rich_help_panel=PANEL, cls=Selecting)
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
    junit: Annotated[Path | None, typer.Option("--junit", help="Also write the results as JUnit XML to this file.")] = None,
    log_format: Log = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count each published table again: exit 0 if all satisfy their policies, 1 if any does not."""
    from kanon_sql.project.session import Options
    from kanon_sql.project.testing import JUNIT_MARK, recheck

    given = Options(
        project_dir, profiles_dir, target, variables_of(variables), tuple(select or ()), tuple(exclude or ()), state,
        threads=threads, fail_fast=fail_fast, log_format=log_format, quiet=quiet,
    )  # fmt: skip
    file = output_file(junit, mark=JUNIT_MARK)
    carry_out(lambda: recheck(given, junit=file), json=json)
