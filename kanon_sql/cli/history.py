"""`kanon history`."""

from __future__ import annotations

import json as json_writer

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, Url


@app.command()
def history(url: Url, json: Json = False) -> None:
    """List the runs that are recorded in a database.

    Shows time, user, table, the k that was reached, and the information loss.
    """
    from kanon_sql import terminal
    from kanon_sql.commands.history import history as run

    entries = run(url)
    typer.echo(json_writer.dumps([entry.to_dict() for entry in entries], indent=2) if json else terminal.describe_history(entries))
