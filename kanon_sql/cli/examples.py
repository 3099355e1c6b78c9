"""`kanon examples`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app


@app.command(rich_help_panel="Begin here")
def examples(
    folder: Annotated[Path, typer.Argument(help="Where the examples are put; made if missing.")] = Path("kanon_examples"),
) -> None:
    """Copy the examples, policies with their hierarchy files, to a folder."""
    from kanon_sql.commands.examples import copy_examples

    for path in copy_examples(folder):
        typer.echo(str(path))
