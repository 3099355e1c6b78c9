"""`kanon demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import START_PANEL, app
from kanon_sql.cli.options import Quiet


@app.command(rich_help_panel=START_PANEL)
def demo(
    folder: Annotated[Path, typer.Argument(help="Where the demo is put; made if missing.")] = Path("kanon_demo"),
    rows: Annotated[int, typer.Option("--rows", min=100, help="How many patients to make.")] = 1_000_000,
    seed: Annotated[int, typer.Option("--seed", help="Another seed makes other patients.")] = 1,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the files of an earlier demo in the folder.")] = False,
    quiet: Quiet = False,
) -> None:
    """Make a hospital table in DuckDB, anonymize it, and show before and after."""
    from kanon_sql import terminal
    from kanon_sql.commands.demo import demo as run

    with terminal.progress(quiet=quiet) as listener:
        report = run(folder, rows=rows, seed=seed, force=force, listener=listener)
    typer.echo(terminal.describe_demo(report))
