"""`kanon hierarchy show|check|export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Force, Json, Url, output_file

hierarchies = typer.Typer(no_args_is_help=True, help="Show, check or export the hierarchy of one column.")
app.add_typer(hierarchies, name="hierarchy")

Table = Annotated[str, typer.Argument(metavar="TABLE", help="The table or view; schema.table works.")]
Column = Annotated[str, typer.Argument(metavar="COLUMN", help="A quasi-identifier of the policy.")]
PolicyFile = Annotated[Path, typer.Option("--policy", "-p", help="The policy that holds the hierarchy.")]


@hierarchies.command()
def show(url: Url, table: Table, column: Column, policy: PolicyFile, json: Json = False) -> None:
    """Print the tree from level 1 up with counts: only labels that at least k rows share."""
    from kanon_sql import terminal
    from kanon_sql.commands.hierarchy import hierarchy

    report = hierarchy(url, table, column, policy)
    typer.echo(report.to_json() if json else terminal.describe_hierarchy(report))


@hierarchies.command()
def check(url: Url, table: Table, column: Column, policy: PolicyFile) -> None:
    """Test whether the hierarchy is a tree and labels every value of the column: exit 0, or 1 with what is wrong."""
    from kanon_sql import terminal
    from kanon_sql.commands.hierarchy import hierarchy

    typer.echo(terminal.describe_fit(hierarchy(url, table, column, policy)))


@hierarchies.command()
def export(
    url: Url,
    table: Table,
    column: Column,
    policy: PolicyFile,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The file to write, instead of printing.")] = None,
    force: Force = False,
    with_values: Annotated[
        bool, typer.Option("--with-values", help="Also of a hierarchy by rule, whose leaves are the values of the column.")
    ] = False,
) -> None:
    """Write the hierarchy as a CSV file, one line per value, as ARX reads it."""
    from kanon_sql.commands.hierarchy import export_hierarchy

    file = output_file(output, force=force)
    text = export_hierarchy(url, table, column, policy, with_values=with_values)
    if file is None:
        typer.echo(text, nl=False)
    else:
        file.write(text)
