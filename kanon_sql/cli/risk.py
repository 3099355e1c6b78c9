"""`kanon risk`."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, Quiet, Table, Url, split
from kanon_sql.cli.output import print_report


@app.command()
def risk(
    url: Url,
    table: Table,
    qi: Annotated[str, typer.Option("--qi", metavar="COLUMNS", help="Quasi-identifiers, separated by commas.")],
    sensitive: Annotated[
        str | None, typer.Option("--sensitive", metavar="COLUMNS", help="Columns whose values must not be inferred, separated by commas.")
    ] = None,
    identifier: Annotated[
        str | None, typer.Option("--identifier", metavar="COLUMNS", help="Columns that identify persons directly, separated by commas.")
    ] = None,
    population: Annotated[
        str | None,
        typer.Option("--population", metavar="TABLE", help="A table of the whole population, with the same quasi-identifiers and labels."),
    ] = None,
    threshold: Annotated[
        str, typer.Option("--threshold", metavar="RISK", help="Rows with a higher re-identification risk count as at risk.")
    ] = "0.2",
    subset: Annotated[
        list[str] | None, typer.Option("--subset", metavar="A,B", help="Also measure this combination of quasi-identifiers. Repeatable.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure the re-identification risk of a table.

    Shows which combinations of quasi-identifiers single out rows, and how much
    they reveal about sensitive columns.

      kanon risk URL patients --qi birth_date,zip,sex --sensitive diagnosis
    """
    from kanon_sql import terminal
    from kanon_sql.commands.risk import risk as run

    with terminal.progress(quiet=quiet) as listener:
        report = run(
            url, table, quasi_identifiers=split(qi), sensitive=split(sensitive), identifiers=split(identifier),
            population=population, threshold=threshold, subsets=[split(names) for names in subset or []], listener=listener,
        )  # fmt: skip
    print_report(report, terminal.describe_risk, json=json, quiet=quiet)
