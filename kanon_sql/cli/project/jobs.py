"""`kanon list`."""

from __future__ import annotations

import json as plain

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json
from kanon_sql.cli.project.options import PANEL, Exclude, ProfilesDir, ProjectDir, Select, Selecting, State, Target, Vars, variables_of


@app.command("list", rich_help_panel=PANEL, cls=Selecting)
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
    """List the project's policies, or those that a selection means; no database is needed.

    kanon list --select tag:nightly --exclude path:policies/hr
    """
    from kanon_sql import terminal
    from kanon_sql.project.listing import list_jobs as run
    from kanon_sql.project.session import Options

    given = Options(project_dir, profiles_dir, target, variables_of(variables), tuple(select or ()), tuple(exclude or ()), state)
    listed = run(given)
    typer.echo(plain.dumps(listed, indent=2, ensure_ascii=False) if json else terminal.describe_jobs(listed))
