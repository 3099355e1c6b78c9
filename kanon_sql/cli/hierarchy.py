"""`kanon hierarchy show|check|export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Force, Json, PolicyFile, Table, Url
from kanon_sql.cli.output import output_file

hierarchies = typer.Typer(no_args_is_help=True, help="Show, check or export the hierarchy of a column.")
app.add_typer(hierarchies, name="hierarchy")

Column = Annotated[str, typer.Argument(metavar="COLUMN", help="A quasi-identifier of the policy.")]


@hierarchies.command()
def show(url: Url, table: Table, column: Column, policy: PolicyFile, json: Json = False) -> None:
    """Print the hierarchy as a tree with row counts.

    Prints the labels from the root down to level 1, and only labels that at
    least k rows share.
    """
    from kanon_sql import terminal
    from kanon_sql.commands.hierarchy import hierarchy

    report = hierarchy(url, table, column, policy)
    typer.echo(report.to_json() if json else terminal.describe_hierarchy(report))


@hierarchies.command()
def check(url: Url, table: Table, column: Column, policy: PolicyFile) -> None:
    """Check that the hierarchy fits the values of the column.

    Exit code 0 if the hierarchy is a tree and labels every value of the
    column, 1 otherwise.
    """
    from kanon_sql import terminal
    from kanon_sql.commands.hierarchy import hierarchy

    typer.echo(terminal.describe_fit(hierarchy(url, table, column, policy)))


@hierarchies.command()
def export(
    url: Url,
    table: Table,
    column: Column,
    policy: PolicyFile,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to this file instead of stdout.")] = None,
    force: Force = False,
    with_values: Annotated[
        bool,
        typer.Option("--with-values", help="Permit column values in the output. Needed for intervals, masks and other rules."),
    ] = False,
) -> None:
    """Write the hierarchy as CSV, one line per value, in the format of ARX."""
    from kanon_sql.commands.hierarchy import export_hierarchy

    file = output_file(output, force=force)
    text = export_hierarchy(url, table, column, policy, with_values=with_values)
    if file is None:
        typer.echo(text, nl=False)
    else:
        file.write(text)
