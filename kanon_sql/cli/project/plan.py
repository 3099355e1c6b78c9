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
    SelectorCommand,
    State,
    Target,
    Threads,
    Vars,
    execute,
    parse_variables,
)


@app.command(rich_help_panel=PANEL, cls=SelectorCommand)
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
    """Search for a solution for each policy and write it as a plan.

    Writes plans/NAME.yml and prints the difference from the previous plan.
    Creates only temporary tables. Review and commit the plans: kanon run
    publishes with them.
    """
    from kanon_sql.project.planning import plan as run
    from kanon_sql.project.session import Options

    options = Options(
        project_dir, profiles_dir, target, parse_variables(variables), tuple(select or ()), tuple(exclude or ()), state,
        threads=threads, fail_fast=fail_fast, log_format=log_format, quiet=quiet,
    )  # fmt: skip
    execute(lambda: run(options), json=json)
