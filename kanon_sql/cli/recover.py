"""`kanon recover`."""

from __future__ import annotations

import json as json_writer
from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, Quiet, Url
from kanon_sql.cli.release_status import release_status


@app.command()
def recover(
    url: Url,
    drop_backups: Annotated[bool, typer.Option("--drop-backups", help="Also drop the backup tables that runs were asked to keep.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Finish or undo runs that were killed.

    Does not touch runs that are still active. Every run that publishes does
    this first, so you rarely need the command.

    Exit code 1 if a run could not be finished, for example because the disk
    was too full to erase original rows.
    """
    from kanon_sql import terminal
    from kanon_sql.backends import recover_command
    from kanon_sql.commands.erasure import to_finish, unfinished
    from kanon_sql.commands.recover import recover as run
    from kanon_sql.errors import BackendError

    release_status.fixed_text = f"Runs may be unfinished, and original rows may remain. Finish them with: {recover_command(url)}"

    with terminal.progress(quiet=quiet) as listener:
        found = run(url, drop_backups=drop_backups, listener=listener)
    if json:
        typer.echo(json_writer.dumps([entry.to_dict() for entry in found], indent=2))
    else:
        typer.echo("\n".join(f"run {entry.run_id}, {entry.table}: {entry.done}" for entry in found) or "No unfinished runs.")
    if not all(entry.complete for entry in found):
        raise BackendError(f"{'; '.join(unfinished(found)) or 'another session is finishing a run'}. {to_finish(url)}")
