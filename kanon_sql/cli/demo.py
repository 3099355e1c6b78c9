"""`kanon demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import START_PANEL, app
from kanon_sql.cli.options import Quiet


@app.command(rich_help_panel=START_PANEL)
def demo(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder to create.")] = Path("kanon_demo"),
    rows: Annotated[int, typer.Option("--rows", min=100, metavar="N", help="Number of generated patients.")] = 100_000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The seed of the generated data.")] = 1,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the files of an earlier demo.")] = False,
    quiet: Quiet = False,
) -> None:
    """Create a hospital table in DuckDB and anonymize it."""
    from kanon_sql import terminal
    from kanon_sql.commands.demo import demo as run

    with terminal.progress(quiet=quiet) as listener:
        report = run(folder, rows=rows, seed=seed, force=force, listener=listener)
    typer.echo(terminal.describe_demo(report))
