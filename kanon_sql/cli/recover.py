"""`kanon recover`."""

from __future__ import annotations

import json as plain
from typing import Annotated

import typer

from kanon_sql.cli.app import app, swap_note
from kanon_sql.cli.options import Json, Quiet, Url


@app.command()
def recover(
    url: Url,
    drop_backups: Annotated[bool, typer.Option("--drop-backups", help="Also drop the backups that runs were asked to keep.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Finish or undo what killed runs left behind; nothing of a living run is touched.

    Every run does this first by itself. Exit 1 if something could not be finished, such as erasing original rows on a full disk.
    """
    from kanon_sql import terminal
    from kanon_sql.backends import recover_command
    from kanon_sql.commands.erasure import to_finish, unfinished
    from kanon_sql.commands.recover import recover as run
    from kanon_sql.errors import BackendError

    swap_note.instead = f"Runs may be unfinished, and original rows may remain. Finish them with: {recover_command(url)}"

    with terminal.progress(quiet=quiet) as listener:
        found = run(url, drop_backups=drop_backups, listener=listener)
    if json:
        typer.echo(plain.dumps([entry.to_dict() for entry in found], indent=2))
    else:
        typer.echo("\n".join(f"run {entry.run_id}, {entry.table}: {entry.done}" for entry in found) or "Nothing was left behind.")
    if not all(entry.complete for entry in found):
        raise BackendError(f"{'; '.join(unfinished(found)) or 'another session is at work'}. {to_finish(url)}")
