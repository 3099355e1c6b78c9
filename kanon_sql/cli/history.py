"""`kanon history`."""

from __future__ import annotations

import json as plain

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, Url


@app.command()
def history(url: Url, json: Json = False) -> None:
    """Show the runs that a database remembers: when, who, which table, k reached, what it cost."""
    from kanon_sql import terminal
    from kanon_sql.commands.history import history as run

    entries = run(url)
    typer.echo(plain.dumps([entry.to_dict() for entry in entries], indent=2) if json else terminal.describe_history(entries))
