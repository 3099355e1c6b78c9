"""`kanon init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.project.options import PANEL


@app.command(rich_help_panel=PANEL)
def init(
    name: Annotated[Path, typer.Argument(metavar="NAME", help="The folder to create. Its name is the name of the project.")],
    rows: Annotated[int, typer.Option("--rows", min=100, metavar="N", help="Number of generated patients.")] = 5000,
) -> None:
    """Create a project with generated patients in DuckDB.

    The project works immediately:

      kanon init hospital
      cd hospital && kanon plan && kanon run && kanon test
    """
    from kanon_sql.project.scaffold import scaffold

    for path in scaffold(name, rows=rows):
        typer.echo(str(path))
    typer.echo(f"Next steps: cd {name} && kanon plan && kanon run && kanon test", err=True)
