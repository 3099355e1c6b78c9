"""`kanon check`."""

from __future__ import annotations

from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, K, OptionalPolicyFile, OptionalTable, QuasiIdentifiers, Quiet, Url, split


@app.command()
def check(
    url: Url,
    table: OptionalTable = None,
    policy: OptionalPolicyFile = None,
    qi: QuasiIdentifiers = None,
    k: K = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            metavar="TABLE",
            help="The original table, for t-closeness and related models. Default: compare with the checked table itself.",
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check whether a table satisfies k or a policy.

    Counts the equivalence classes of the table. Exit code 0 if every class
    satisfies k and the privacy models of the policy, 1 otherwise.

    With --policy, checks the table that the policy publishes into, unless
    TABLE names another:

      kanon check duckdb:///clinic.duckdb --policy patients.yml
      kanon check URL patients_anon --qi birth_date,zip,sex --k 5
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
