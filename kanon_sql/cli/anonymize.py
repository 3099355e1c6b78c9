"""`kanon anonymize`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.cli.app import app, swap_note
from kanon_sql.cli.options import Algorithm, Json, K, Others, PolicyFile, QuasiIdentifiers, Quiet, Table, Url, require_writable, split


@app.command()
def anonymize(
    url: Url,
    table: Table = None,
    policy: PolicyFile = None,
    qi: QuasiIdentifiers = None,
    sensitive: Annotated[
        str | None, typer.Option("--sensitive", help="Sensitive columns, comma-separated; kept as they are.")
    ] = None,
    k: K = None,
    into: Annotated[str | None, typer.Option("--into", help="The table to publish into.")] = None,
    suppression: Annotated[
        str | None, typer.Option("--suppression", help="Rows that may be left out: a share (0.02) or a number (50).")
    ] = None,
    others: Annotated[
        Others | None, typer.Option("--others", help="Columns not listed: error, drop or keep (without a policy: drop).")
    ] = None,
    algorithm: Algorithm = None,
    in_place: Annotated[bool, typer.Option("--in-place", help="Replace the table's own rows; needs --yes.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Agree to replacing the table's own rows for good.")] = False,
    allow_loss: Annotated[
        list[str] | None, typer.Option("--allow-loss", metavar="NAME", help="A key, view, trigger … that may be lost; may be repeated.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace the target if it exists.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Find the solution and stop; only temporary tables are made.")] = False,
    sql: Annotated[Path | None, typer.Option("--sql", help="Write every statement that was run to this file.")] = None,
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
    from kanon_sql.commands.anonymize import anonymize as run
    from kanon_sql.report import write_statements
    from kanon_sql.request import policy_from_arguments

    checked = policy_from_arguments(
        policy=policy, table=table, quasi_identifiers=split(qi), sensitive=split(sensitive), k=k, into=into,
        suppression=suppression, others=others.value if others else None, in_place=in_place, allow_loss=allow_loss or [],
        algorithm=algorithm,
    )  # fmt: skip
    require_writable(sql)
    require_writable(picture)
    with terminal.progress(quiet=quiet) as listener:
        told = swap_note.listening(listener)
        report = run(url, checked, replace=replace, dry_run=dry_run, yes=yes, picture=picture is not None, listener=told)
    if sql is not None:
        sql.write_text(write_statements(report.statements), encoding="utf-8")
    if picture is not None and report.picture is not None:
        picture.write_text(report.picture, encoding="utf-8")
    if not quiet:
        terminal.warn(report.warnings)
        if any(rule.hierarchy is None for rule in checked.quasi_identifiers.values()):
            terminal.note(f"The policy that was used (save it to run it again with --policy):\n\n{report.policy.to_yaml()}")
    typer.echo(report.to_json() if json else terminal.describe_anonymize(report))
