"""`kanon debug`."""

from __future__ import annotations

import json as json_writer

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json
from kanon_sql.cli.project.options import PANEL, ProfilesDir, ProjectDir, Target, Vars, parse_variables


@app.command(rich_help_panel=PANEL)
def debug(
    project_dir: ProjectDir = None, profiles_dir: ProfilesDir = None, target: Target = None, variables: Vars = None, json: Json = False
) -> None:
    """Check the project files, the connection and the permissions.

    Also shows versions. Tests permissions on scratch tables, and drops them.
    Exit code 1 if a check fails.
    """
    from kanon_sql.project.debugging import diagnose
    from kanon_sql.project.session import Options

    diagnosis = diagnose(Options(project_dir, profiles_dir, target, parse_variables(variables)))
    typer.echo(json_writer.dumps(diagnosis.to_dict(), indent=2, ensure_ascii=False) if json else str(diagnosis))
    if not diagnosis.passed:
        raise typer.Exit(1)
