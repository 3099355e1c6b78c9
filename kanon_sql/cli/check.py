"""`kanon check`."""

from __future__ import annotations

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, K, PolicyFile, QuasiIdentifiers, Quiet, Source, Table, Url, split


@app.command()
def check(
    url: Url,
    table: Table = None,
    policy: PolicyFile = None,
    qi: QuasiIdentifiers = None,
    k: K = None,
    source: Source = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count a table's classes and say whether each holds k rows, or keeps the policy's models (exit 0), or not (exit 1).

    With a policy the table it publishes into is checked, unless TABLE names another. What t-closeness and its kin compare with is taken
    from --source, or else from the table itself.
    """
    from kanon_sql import terminal
    from kanon_sql.commands.check import check as run
    from kanon_sql.commands.request import check_from_arguments

    request = check_from_arguments(policy=policy, table=table, quasi_identifiers=split(qi), k=k, source=source)
    with terminal.progress(quiet=quiet) as listener:
        report = run(
            url,
            request.table,
            quasi_identifiers=request.quasi_identifiers,
            k=request.k,
            policy=request.policy,
            source=request.source,
            listener=listener,
        )
    typer.echo(report.to_json() if json else terminal.describe_check(report))
    if not report.holds:
        raise typer.Exit(1)
