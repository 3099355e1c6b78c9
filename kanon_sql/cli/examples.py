"""`kanon examples`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import START_PANEL, app


@app.command(rich_help_panel=START_PANEL)
def examples(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to create.")] = Path("kanon_examples"),
) -> None:
    """Copy the example policies and their hierarchy files to a folder."""
    from kanon_sql.commands.examples import copy_examples

    for path in copy_examples(folder):
        typer.echo(str(path))
