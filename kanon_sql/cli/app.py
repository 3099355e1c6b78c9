"""The application that every command registers with."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql import __version__

DEBUG = "--debug"
START_PANEL = "Getting started"

app = typer.Typer(
    name="kanon",
    help="Make a table k-anonymous inside the database that holds it.\n\n"
    "Anonymize a table in two steps:\n\n"
    "  kanon profile duckdb:///clinic.duckdb patients -o patients.yml\n"
    "  kanon anonymize duckdb:///clinic.duckdb --policy patients.yml",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(requested: bool) -> None:
    if requested:
        typer.echo(f"kanon_sql {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")] = False,
    debug: Annotated[
        bool,
        typer.Option(DEBUG, help="After a failure, also print the traceback and the SQL statement that failed. Works with any command."),
    ] = False,
) -> None:
    pass
