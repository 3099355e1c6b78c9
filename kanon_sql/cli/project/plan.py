"""`kanon plan`."""

from __future__ import annotations

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json
from kanon_sql.cli.project.options import (
    PANEL,
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
def plan(
    project_dir: ProjectDir = None,
    profiles_dir: ProfilesDir = None,
    target: Target = None,
    select: Select = None,
    exclude: Exclude = None,
    state: State = None,
    variables: Vars = None,
    threads: Threads = None,
    fail_fast: FailFast = None,
    log_format: Log = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Search a solution for each policy, write plans/NAME.yml, and show what changed in it.

    In the database only temporary tables are made. Review the plans and commit them: kanon run publishes by them.
    """
    from kanon_sql.project.planning import plan as run
    from kanon_sql.project.session import Options

    given = Options(
        project_dir, profiles_dir, target, variables_of(variables), tuple(select or ()), tuple(exclude or ()), state,
        threads=threads, fail_fast=fail_fast, log_format=log_format, quiet=quiet,
    )  # fmt: skip
    carry_out(lambda: run(given), json=json)
