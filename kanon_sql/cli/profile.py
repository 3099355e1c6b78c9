"""`kanon profile`."""

from __future__ import annotations

import json as json_writer
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql.cli.app import app
from kanon_sql.cli.options import Force, Json, Quiet, Url
from kanon_sql.common.output_file import OutputFile
from kanon_sql.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kanon_sql.report.profile import ProfileReport
    from kanon_sql.tables import TableName


@app.command(rich_help_panel="Begin here")
def profile(
    url: Url,
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help="The table or view; schema.table works.")] = None,
    schema: Annotated[str | None, typer.Option("--schema", help="Every table and view of this schema, instead of one table.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Write the suggested policy to this file; with --schema, one each to this folder.",
        ),
    ] = None,
    force: Force = False,
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
    from kanon_sql.tables import TableName

    if (table is None) == (schema is None):
        raise RequestError("give either TABLE or --schema NAME")
    files = _Policies(output, force=force, many=schema is not None)
    if table is not None:
        files.claim([TableName.parse(table)])
    with terminal.progress(quiet=quiet) as listener:
        if table is not None:
            reports = [run(url, table, k=k, with_values=with_values, listener=listener)]
        else:
            reports = run_all(url, schema or "", k=k, with_values=with_values, listener=listener, claim=files.claim)
    written = files.write(reports)
    if json:
        documents = [report.to_dict() for report in reports]
        typer.echo(json_writer.dumps({"tables": documents} if table is None else documents[0], indent=2, ensure_ascii=False))
    else:
        typer.echo("\n\n".join(terminal.describe_profile(report) for report in reports))
    if not quiet:
        for path in written:
            terminal.note(f"The policy is in {path}. Read it, then: kanon anonymize URL --policy {path}")


class _Policies:
    """The files of the suggested policies: the one that was named, or one per table in the folder that was named."""

    def __init__(self, output: Path | None, *, force: bool, many: bool) -> None:
        self._output, self._force, self._many = output, force, many
        self._files: list[OutputFile] = []

    def claim(self, tables: Sequence[TableName]) -> None:
        """Raise an error if a file cannot be written or exists, before any table is counted."""
        if self._output is None:
            return
        if self._many:
            try:
                self._output.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise RequestError(f"{self._output} cannot be made a folder: {error.strerror}") from None
        names = [table.table.replace("/", "_") for table in tables]
        paths = [self._output / f"{name}.yml" if self._many else self._output for name in names]
        shared = [path for path in paths if paths.count(path) > 1]
        if shared:
            raise RequestError(f"{shared[0]} would be the policy of two tables; profile one of them alone, with a file of its own")
        self._files = [OutputFile(path, force=self._force) for path in paths]
        for file in self._files:
            file.require_writable()

    def write(self, reports: Sequence[ProfileReport]) -> list[Path]:
        """Write the policies that were claimed, in the same order."""
        for file, report in zip(self._files, reports, strict=bool(self._files)):
            file.write(report.to_yaml())
        return [file.path for file in self._files]
