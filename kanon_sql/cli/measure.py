"""`kanon measure`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, Quiet, Url


@app.command()
def measure(
    url: Url,
    policy: Annotated[Path, typer.Option("--policy", "-p", help="The policy whose roles, hierarchies, k and queries are used.")],
    source: Annotated[str | None, typer.Option("--source", help="The original table, instead of the policy's.")] = None,
    released: Annotated[
        str | None, typer.Option("--released", help="The released table, whoever made it, instead of the one the policy publishes into.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure what a released table costs compared with its source, in total and per quasi-identifier.

    The policy's own release:  kanon measure duckdb:///clinic.duckdb --policy patients.yml

    Any other:  kanon measure URL --source patients --released patients_by_others --policy patients.yml
    """
    from kanon_sql import terminal
    from kanon_sql.commands.measure import measure as run

    with terminal.progress(quiet=quiet) as listener:
        report = run(url, policy, source=source, released=released, listener=listener)
    if not quiet:
        terminal.warn(report.warnings)
    typer.echo(report.to_json() if json else terminal.describe_measure(report))
