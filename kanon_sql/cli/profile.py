"""`kanon profile`."""

from __future__ import annotations

import json as json_writer
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kanon_sql.cli.app import START_PANEL, app
from kanon_sql.cli.options import Force, Json, Quiet, Url
from kanon_sql.common.output_file import OutputFile
from kanon_sql.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kanon_sql.report.profile import ProfileReport
    from kanon_sql.tables import TableName


@app.command(rich_help_panel=START_PANEL)
def profile(
    url: Url,
    table: Annotated[str | None, typer.Argument(metavar="TABLE", help="The table or view, as TABLE or SCHEMA.TABLE.")] = None,
    schema: Annotated[
        str | None, typer.Option("--schema", metavar="NAME", help="Profile every table and view of this schema, instead of TABLE.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="PATH", help="Write the suggested policy to this file. With --schema: a folder, one file per table."
        ),
    ] = None,
    force: Force = False,
    k: Annotated[int, typer.Option("--k", metavar="N", help="k of the suggested policy.")] = 5,
    with_values: Annotated[bool, typer.Option("--with-values", help="Also show column values that at least k rows share.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Profile a table and suggest a policy.

    Shows the role of each column and the rows that can be singled out. Review
    the policy before you publish with it:

      kanon profile duckdb:///clinic.duckdb patients -o patients.yml
      kanon anonymize duckdb:///clinic.duckdb --policy patients.yml
    """
    from kanon_sql import terminal
    from kanon_sql.commands.profile import profile as run
    from kanon_sql.commands.profile import profile_schema as run_schema
    from kanon_sql.tables import TableName

    if table is None and schema is None:
        raise RequestError("no table is set. Add TABLE, or --schema NAME for all tables of a schema")
    if table is not None and schema is not None:
        raise RequestError("TABLE and --schema cannot be combined. Omit one of them")
    files = _PolicyFiles(output, force=force, per_table=schema is not None)
    if table is not None:
        files.claim([TableName.parse(table)])
    with terminal.progress(quiet=quiet) as listener:
        if table is not None:
            reports = [run(url, table, k=k, with_values=with_values, listener=listener)]
        else:
            reports = run_schema(url, schema or "", k=k, with_values=with_values, listener=listener, claim=files.claim)
    written = files.write(reports)
    if json:
        documents = [report.to_dict() for report in reports]
        typer.echo(json_writer.dumps({"tables": documents} if table is None else documents[0], indent=2, ensure_ascii=False))
    else:
        typer.echo("\n\n".join(terminal.describe_profile(report) for report in reports))
    if not quiet:
        for path in written:
            terminal.note(f"The policy is in {path}. Review it, then run: kanon anonymize URL --policy {path}")


class _PolicyFiles:
    """The files that the suggested policies are written to: one file, or one file per table in a folder."""

    def __init__(self, output: Path | None, *, force: bool, per_table: bool) -> None:
        self._output, self._force, self._per_table = output, force, per_table
        self._files: list[OutputFile] = []

    def claim(self, tables: Sequence[TableName]) -> None:
        """Raise an error if a file exists or cannot be written, before any table is counted."""
        if self._output is None:
            return
        if self._per_table:
            try:
                self._output.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise RequestError(f"folder {self._output} cannot be created: {error.strerror}. Choose another folder with -o") from None
        names = [table.table.replace("/", "_") for table in tables]
        paths = [self._output / f"{name}.yml" if self._per_table else self._output for name in names]
        duplicates = [path for path in paths if paths.count(path) > 1]
        if duplicates:
            raise RequestError(
                f"{duplicates[0]} would hold the policies of two tables. Profile these tables one at a time, each with its own -o FILE"
            )
        self._files = [OutputFile(path, force=self._force) for path in paths]
        for file in self._files:
            file.require_writable()

    def write(self, reports: Sequence[ProfileReport]) -> list[Path]:
        """Write the policies to the claimed files, in the same order, and return the paths."""
        for file, report in zip(self._files, reports, strict=bool(self._files)):
            file.write(report.to_yaml())
        return [file.path for file in self._files]
