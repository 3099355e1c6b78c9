"""`kanon measure`."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, PolicyFile, Quiet, Url
from kanon_sql.cli.output import print_report


@app.command()
def measure(
    url: Url,
    policy: PolicyFile,
    source: Annotated[
        str | None, typer.Option("--source", metavar="TABLE", help="The original table. Default: the table of the policy.")
    ] = None,
    released: Annotated[
        str | None,
        typer.Option(
            "--released", metavar="TABLE", help="The released table, made by any tool. Default: the table that the policy publishes into."
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure the information loss of a release.

    Compares the released table with the original one, in total and per
    quasi-identifier. Uses the roles, hierarchies, k and queries of the policy.

      kanon measure duckdb:///clinic.duckdb --policy patients.yml
      kanon measure URL --policy patients.yml --released other_release
    """
    from kanon_sql import terminal
    from kanon_sql.commands.measure import measure as run

    with terminal.progress(quiet=quiet) as listener:
        report = run(url, policy, source=source, released=released, listener=listener)
    print_report(report, terminal.describe_measure, json=json, quiet=quiet)
