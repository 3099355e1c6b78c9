"""`kanon init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.project.options import PANEL


@app.command(rich_help_panel=PANEL)
def init(
    name: Annotated[Path, typer.Argument(metavar="NAME", help="The project's folder, which names it; made if missing.")],
    rows: Annotated[int, typer.Option("--rows", min=100, help="How many made-up patients to begin with.")] = 5000,
) -> None:
    """Make a project that works at once, with made-up patients in DuckDB.

    kanon init hospital && cd hospital && kanon plan && kanon run && kanon test
    """
    from kanon_sql.project.scaffold import scaffold

    for path in scaffold(name, rows=rows):
        typer.echo(str(path))
    typer.echo(f"Go on with: cd {name} && kanon plan && kanon run && kanon test", err=True)
