"""`kanon anonymize`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app, swap_note
from kanon_sql.cli.options import (
    Algorithm,
    Cost,
    Json,
    K,
    PolicyFile,
    QuasiIdentifiers,
    Quiet,
    Sensitive,
    SqlFile,
    Suppression,
    Table,
    TimeBudget,
    Unlisted,
    Url,
    output_file,
    split,
)  # fmt: skip
from kanon_sql.errors import AfterReleaseError


@app.command()
def anonymize(
    url: Url,
    table: Table = None,
    policy: PolicyFile = None,
    qi: QuasiIdentifiers = None,
    sensitive: Sensitive = None,
    k: K = None,
    into: Annotated[str | None, typer.Option("--into", help="The table to publish into.")] = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Replace the table's own rows; needs --yes.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Agree to replacing the table's own rows for good.")] = False,
    allow_loss: Annotated[
        list[str] | None, typer.Option("--allow-loss", metavar="NAME", help="A key, view, trigger … that may be lost; may be repeated.")
    ] = None,
    suppression: Suppression = None,
    others: Unlisted = None,
    algorithm: Algorithm = None,
    cost: Cost = None,
    time_budget: TimeBudget = None,
    levels: Annotated[str | None, typer.Option("--levels", help="Publish these levels after checking them: age=1,zip=2.")] = None,
    plan: Annotated[Path | None, typer.Option("--plan", help="Publish the plan that kanon solve wrote, after checking it.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace the target if it exists.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Find the solution, name what would stop a run, publish nothing.")] = False,
    sql: SqlFile = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", help="Draw the regions of mondrian over the data's density, as SVG, into this file.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Publish a k-anonymous copy of a table.

    With a policy file:  kanon anonymize duckdb:///clinic.duckdb --policy patients.yml

    In place, so that the table itself becomes anonymous:  kanon anonymize URL --policy patients.yml --in-place --yes

    Without one:  kanon anonymize sqlite:///clinic.db patients --qi age,zip,sex --sensitive diagnosis --k 5 --into patients_anon
    """
    from kanon_sql import terminal
    from kanon_sql.artifacts.plan import read_plan
    from kanon_sql.backends import recover_command
    from kanon_sql.commands.anonymize import anonymize as run
    from kanon_sql.commands.request import levels_from_argument, policy_from_arguments
    from kanon_sql.report.run import SQL_MARK, write_statements
    from kanon_sql.stages.measure.picture import SVG_MARK

    saved = read_plan(plan) if plan is not None else None
    checked = policy_from_arguments(
        policy=policy, table=table, quasi_identifiers=split(qi), sensitive=split(sensitive), k=k, into=into,
        suppression=suppression, others=others.value if others else None, in_place=in_place, allow_loss=allow_loss or [],
        algorithm=algorithm, cost=split(cost), time_budget=time_budget, plan=plan,
    )  # fmt: skip
    named = levels_from_argument(levels)
    sql_file, picture_file = output_file(sql, mark=SQL_MARK), output_file(picture, mark=SVG_MARK)
    failed: AfterReleaseError | None = None
    with terminal.progress(quiet=quiet) as listener:
        erases = checked.publish.in_place and checked.publish.scrub != "off"
        told = swap_note.listening(listener, erase_with=recover_command(url) if erases else "")
        try:
            report = run(
                url, checked, replace=replace, dry_run=dry_run, yes=yes, levels=named, plan=saved, picture=picture is not None,
                listener=told,
            )  # fmt: skip
        except AfterReleaseError as error:
            failed, report = error, error.report
    if sql_file is not None:
        sql_file.write(write_statements(report.statements))
    if picture_file is not None and report.picture is not None:
        picture_file.write(report.picture)
    if not quiet:
        terminal.warn(report.warnings)
        if any(rule.hierarchy is None for rule in checked.quasi_identifiers.values()):
            terminal.note(f"The policy that was used (save it to run it again with --policy):\n\n{report.policy.to_yaml()}")
    typer.echo(report.to_json() if json else terminal.describe_anonymize(report))
    if failed is not None:
        raise failed
