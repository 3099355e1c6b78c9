"""`kanon list`."""

from __future__ import annotations

import json as json_writer

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json
from kanon_sql.cli.project.options import (
    PANEL,
    Exclude,
    ProfilesDir,
    ProjectDir,
    Select,
    SelectorCommand,
    State,
    Target,
    Vars,
    parse_variables,
)


@app.command("list", rich_help_panel=PANEL, cls=SelectorCommand)
def list_jobs(
    project_dir: ProjectDir = None,
    profiles_dir: ProfilesDir = None,
    target: Target = None,
    select: Select = None,
    exclude: Exclude = None,
    state: State = None,
    variables: Vars = None,
    json: Json = False,
) -> None:
    """List the policies of the project, or the selected ones.

    Needs no database connection:

      kanon list --select tag:nightly --exclude path:policies/hr
    """
    from kanon_sql import terminal
    from kanon_sql.project.listing import list_jobs as run
    from kanon_sql.project.session import Options

    options = Options(project_dir, profiles_dir, target, parse_variables(variables), tuple(select or ()), tuple(exclude or ()), state)
    jobs = run(options)
    typer.echo(json_writer.dumps(jobs, indent=2, ensure_ascii=False) if json else terminal.describe_jobs(jobs))
