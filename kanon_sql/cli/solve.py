"""`kanon solve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import (
    Algorithm,
    Cost,
    Force,
    Json,
    K,
    OptionalPolicyFile,
    OptionalTable,
    QuasiIdentifiers,
    Quiet,
    Sensitive,
    SqlFile,
    Suppression,
    TimeBudget,
    Unlisted,
    Url,
    split,
)
from kanon_sql.cli.output import output_file, print_report


@app.command()
def solve(
    url: Url,
    table: OptionalTable = None,
    policy: OptionalPolicyFile = None,
    qi: QuasiIdentifiers = None,
    sensitive: Sensitive = None,
    k: K = None,
    suppression: Suppression = None,
    others: Unlisted = None,
    algorithm: Algorithm = None,
    cost: Cost = None,
    time_budget: TimeBudget = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the plan to this file.")] = None,
    force: Force = False,
    sql: SqlFile = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the best generalization levels without publishing.

    Write a plan, review it, and publish it later:

      kanon solve duckdb:///clinic.duckdb --policy patients.yml -o plan.yml
      kanon anonymize duckdb:///clinic.duckdb --plan plan.yml
    """
    from kanon_sql import terminal
    from kanon_sql.artifacts.plan import cuts_file
    from kanon_sql.commands.request import PolicyArguments, policy_from_arguments
    from kanon_sql.commands.solve import solve as run
    from kanon_sql.report.run import SQL_MARK, write_statements

    arguments = PolicyArguments(
        policy=policy, table=table, quasi_identifiers=split(qi), sensitive=split(sensitive), k=k,
        into=None if policy else f"{table}_anon", suppression=suppression, others=others.value if others else None,
        algorithm=algorithm, cost=split(cost), time_budget=time_budget,
    )  # fmt: skip
    checked = policy_from_arguments(arguments)
    sql_file = output_file(sql, mark=SQL_MARK)
    if output is not None:
        output_file(output, force=force)
        output_file(cuts_file(output), force=force)
    with terminal.progress(quiet=quiet) as listener:
        report = run(url, checked, listener=listener)
    if output is not None:
        report.plan.write(output, policy_folder=policy.parent if policy else Path())
    if sql_file is not None:
        sql_file.write(write_statements(report.statements))
    print_report(report, lambda found: terminal.describe_solve(found, output), json=json, quiet=quiet)
