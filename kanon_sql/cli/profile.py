"""`kanon profile`."""

from __future__ import annotations

import json as json_writer
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Json, Quiet, Url, require_writable
from kanon_sql.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kanon_sql.profile_report import ProfileReport


@app.command(rich_help_panel="Begin here")
def profile(
    url: Url,
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help="The table or view; schema.table works.")] = None,
    schema: Annotated[str | None, typer.Option("--schema", help="Every table and view of this schema, instead of one table.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write the suggested policy to this file; with --schema, one each to this folder.")
    ] = None,
    k: Annotated[int, typer.Option("--k", help="The k of the policy.")] = 5,
    with_values: Annotated[bool, typer.Option("--with-values", help="Also show values that at least k rows share.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Look at a table: what each column is, how far rows stand out, and a policy to begin with.

    kanon profile duckdb:///clinic.duckdb patients -o patients.yml

    kanon anonymize duckdb:///clinic.duckdb --policy patients.yml
    """
    from kanon_sql import terminal
    from kanon_sql.commands.profile import profile as run
    from kanon_sql.commands.profile import profile_schema as run_all

    if (table is None) == (schema is None):
        raise RequestError("give either TABLE or --schema NAME")
    _require_place(output, many=schema is not None)
    with terminal.progress(quiet=quiet) as listener:
        if table is not None:
            reports = [run(url, table, k=k, with_values=with_values, listener=listener)]
        else:
            reports = run_all(url, schema or "", k=k, with_values=with_values, listener=listener)
    written = _write(reports, output, many=schema is not None)
    if json:
        documents = [report.to_dict() for report in reports]
        typer.echo(json_writer.dumps({"tables": documents} if table is None else documents[0], indent=2, ensure_ascii=False))
    else:
        typer.echo("\n\n".join(terminal.describe_profile(report) for report in reports))
    if not quiet:
        for path in written:
            terminal.note(f"The policy is in {path}. Read it, then: kanon anonymize URL --policy {path}")


def _require_place(output: Path | None, *, many: bool) -> None:
    """The file or folder can be written, known before the run."""
    if many and output is not None:
        try:
            output.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RequestError(f"{output} cannot be made a folder: {error.strerror}") from None
    else:
        require_writable(output)


def _write(reports: Sequence[ProfileReport], output: Path | None, *, many: bool) -> list[Path]:
    """The policies as files."""
    if output is None:
        return []
    paths = [output / f"{report.table.table.replace('/', '_')}.yml" if many else output for report in reports]
    for report, path in zip(reports, paths, strict=True):
        path.write_text(report.to_yaml(), encoding="utf-8")
    return paths
