"""`kanon clean`."""

from __future__ import annotations

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.project.options import PANEL, ProjectDir, Vars, parse_variables


@app.command(rich_help_panel=PANEL)
def clean(project_dir: ProjectDir = None, variables: Vars = None) -> None:
    """Remove the files in target/. Changes nothing else."""
    import os

    from kanon_sql.common.spelling import many
    from kanon_sql.project.settings import find_project, read_settings
    from kanon_sql.project.target_folder import clean as run

    folder = find_project(project_dir)
    removed = run(folder, read_settings(folder, os.environ, parse_variables(variables)))
    typer.echo(f"{many(len(removed), 'file')} removed.")
