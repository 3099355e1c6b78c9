"""`kanon run`."""

from __future__ import annotations

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, Yes
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
    SelectorCommand,
    State,
    Target,
    Threads,
    Vars,
    execute,
    parse_variables,
)


@app.command(rich_help_panel=PANEL, cls=SelectorCommand)
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
    yes: Yes = False,
    log_format: Log = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Publish each policy with its committed plan.

    If a plan does not satisfy the policy on the current data, nothing is
    published for this policy, and the message says what changed. Exit code 1
    if a policy was not published.
    """
    from kanon_sql.project.running import run as run_jobs
    from kanon_sql.project.session import Options

    options = Options(
        project_dir, profiles_dir, target, parse_variables(variables), tuple(select or ()), tuple(exclude or ()), state,
        threads=threads, fail_fast=fail_fast, auto_plan=auto_plan, yes=yes, log_format=log_format, quiet=quiet,
    )  # fmt: skip
    execute(lambda: run_jobs(options), json=json)
