"""`kanon anonymize`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import (
    Algorithm,
    Cost,
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
    Yes,
    split,
)
from kanon_sql.cli.output import output_file, print_report
from kanon_sql.cli.release_status import release_status
from kanon_sql.errors import AfterReleaseError


@app.command()
def anonymize(
    url: Url,
    table: OptionalTable = None,
    policy: OptionalPolicyFile = None,
    qi: QuasiIdentifiers = None,
    sensitive: Sensitive = None,
    k: K = None,
    into: Annotated[str | None, typer.Option("--into", metavar="TABLE", help="The table to publish into.")] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Replace the rows of the source table instead of publishing into another. Needs --yes.")
    ] = False,
    yes: Yes = False,
    allow_loss: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-loss", metavar="NAME", help="In place: a key, view, trigger or other object that may be dropped. Repeatable."
        ),
    ] = None,
    suppression: Suppression = None,
    others: Unlisted = None,
    algorithm: Algorithm = None,
    cost: Cost = None,
    time_budget: TimeBudget = None,
    levels: Annotated[
        str | None,
        typer.Option("--levels", metavar="LEVELS", help="Publish these levels instead of searching, after checking them: age=1,zip=2."),
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option("--plan", metavar="FILE", help="Publish this plan of kanon solve instead of searching, after checking it."),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace the target table if it exists.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Find the solution and list everything that would stop the run. Publish nothing.")
    ] = False,
    sql: SqlFile = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="FILE", help="With mondrian: draw the regions and the density of the data as SVG.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Publish a k-anonymous table.

    With a policy file:

      kanon anonymize duckdb:///clinic.duckdb --policy patients.yml

    In place, which replaces the rows of the source table:

      kanon anonymize URL --policy patients.yml --in-place --yes

    Without a policy file:

      kanon anonymize URL patients --qi age,zip --k 5 --into patients_anon
    """
    from kanon_sql import terminal
    from kanon_sql.artifacts.plan import read_plan
    from kanon_sql.backends import recover_command
    from kanon_sql.commands.anonymize import anonymize as run
    from kanon_sql.commands.request import PolicyArguments, levels_from_argument, policy_from_arguments
    from kanon_sql.report.run import SQL_MARK, write_statements
    from kanon_sql.stages.measure.picture import SVG_MARK

    saved_plan = read_plan(plan) if plan is not None else None
    arguments = PolicyArguments(
        policy=policy, plan=plan, table=table, quasi_identifiers=split(qi), sensitive=split(sensitive), k=k, into=into,
        in_place=in_place, allow_loss=tuple(allow_loss or ()), suppression=suppression, others=others.value if others else None,
        algorithm=algorithm, cost=split(cost), time_budget=time_budget,
    )  # fmt: skip
    checked = policy_from_arguments(arguments)
    chosen_levels = levels_from_argument(levels)
    sql_file, picture_file = output_file(sql, mark=SQL_MARK), output_file(picture, mark=SVG_MARK)
    failure: AfterReleaseError | None = None
    with terminal.progress(quiet=quiet) as listener:
        erases = checked.publish.in_place and checked.publish.scrub != "off"
        watching = release_status.watch(listener, recover_command=recover_command(url) if erases else "")
        try:
            report = run(
                url, checked, replace=replace, dry_run=dry_run, yes=yes, levels=chosen_levels, plan=saved_plan,
                picture=picture is not None, listener=watching,
            )  # fmt: skip
        except AfterReleaseError as error:
            failure, report = error, error.report
    if sql_file is not None:
        sql_file.write(write_statements(report.statements))
    if picture_file is not None and report.picture is not None:
        picture_file.write(report.picture)
    if not quiet and any(rule.hierarchy is None for rule in checked.quasi_identifiers.values()):
        terminal.note(f"The policy that was used. Save it to use it again with --policy:\n\n{report.policy.to_yaml()}")
    print_report(report, terminal.describe_anonymize, json=json, quiet=quiet)
    if failure is not None:
        raise failure
