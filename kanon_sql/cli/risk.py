"""`kanon risk`."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, Quiet, Url, split


@app.command()
def risk(
    url: Url,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table or view, raw or published; schema.table works.")],
    qi: Annotated[str, typer.Option("--qi", help="Quasi-identifiers, comma-separated.")],
    sensitive: Annotated[
        str | None, typer.Option("--sensitive", help="Columns whose values must not be inferred, comma-separated.")
    ] = None,
    identifier: Annotated[str | None, typer.Option("--identifier", help="Columns that name people, comma-separated.")] = None,
    population: Annotated[
        str | None, typer.Option("--population", help="A table of all people the rows may belong to, with the same columns and labels.")
    ] = None,
    threshold: Annotated[str, typer.Option("--threshold", help="The risk from which on (above it) a row is at risk.")] = "0.2",
    subset: Annotated[
        list[str] | None, typer.Option("--subset", metavar="A,B", help="Quasi-identifiers to look at together; may be repeated.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say how far a table's rows can be told apart, by which columns, and what that tells of other columns.

    kanon risk duckdb:///clinic.duckdb patients --qi birth_date,zip,sex --sensitive diagnosis
    """
    from kanon_sql import terminal
    from kanon_sql.commands.risk import risk as run

    with terminal.progress(quiet=quiet) as listener:
        report = run(
            url, table, quasi_identifiers=split(qi), sensitive=split(sensitive), identifiers=split(identifier),
            population=population, threshold=threshold, subsets=[split(names) for names in subset or []], listener=listener,
        )  # fmt: skip
    if not quiet:
        terminal.warn(report.warnings)
    typer.echo(report.to_json() if json else terminal.describe_risk(report))
