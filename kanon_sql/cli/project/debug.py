"""`kanon debug`."""

from __future__ import annotations

import json as plain

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json
from kanon_sql.cli.project.options import PANEL, ProfilesDir, ProjectDir, Target, Vars, variables_of


@app.command(rich_help_panel=PANEL)
def debug(
    project_dir: ProjectDir = None, profiles_dir: ProfilesDir = None, target: Target = None, variables: Vars = None, json: Json = False
) -> None:
    """Look at project, profile, connection, versions and rights: exit 0, or 1 with what is wrong.

    The rights are tried on scratch tables, which are removed again.
    """
    from kanon_sql.project.debugging import diagnose
    from kanon_sql.project.session import Options

    found = diagnose(Options(project_dir, profiles_dir, target, variables_of(variables)))
    typer.echo(plain.dumps(found.to_dict(), indent=2, ensure_ascii=False) if json else str(found))
    if not found.is_well:
        raise typer.Exit(1)
