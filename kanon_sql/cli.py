"""The command line: reads arguments, calls a command, prints its result."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kanon_sql import __version__
from kanon_sql.errors import KanonError, RequestError

if TYPE_CHECKING:
    from kanon_sql.workspace import Stage, StageListener

CTRL_C = 130

app = typer.Typer(
    name="kanon",
    help="Makes a table k-anonymous inside the database that holds it.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Others(StrEnum):
    """What becomes of columns that are not listed."""

    ERROR = "error"
    DROP = "drop"
    KEEP = "keep"


WHERE = "Where the table is: duckdb:///file.duckdb, sqlite:///file.db, postgresql+psycopg://user@host/db or mysql+pymysql://user@host/db."

Url = Annotated[str, typer.Argument(metavar="URL", help=WHERE)]
Table = Annotated[str | None, typer.Argument(metavar="TABLE", help="The table or view; schema.table works. Not needed with --policy.")]
PolicyFile = Annotated[Path | None, typer.Option("--policy", "-p", help="The policy: a YAML or JSON file.")]
QuasiIdentifiers = Annotated[str | None, typer.Option("--qi", help="Quasi-identifiers, comma-separated, instead of a policy.")]
K = Annotated[int | None, typer.Option("--k", help="Rows each class must hold at least.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as one JSON document.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only: no progress, no warnings.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kanon_sql {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    pass


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
    replace: Annotated[bool, typer.Option("--replace", help="Replace the target if it exists.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Find the solution and stop; only temporary tables are made.")] = False,
    sql: Annotated[Path | None, typer.Option("--sql", help="Write every statement that was run to this file.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Publish a k-anonymous copy of a table.

    With a policy file:  kanon anonymize duckdb:///clinic.duckdb --policy patients.yml

    Without one:  kanon anonymize sqlite:///clinic.db patients --qi age,zip,sex --sensitive diagnosis --k 5 --into patients_anon
    """
    from kanon_sql import terminal
    from kanon_sql.commands.anonymize import anonymize as run
    from kanon_sql.report import write_statements
    from kanon_sql.request import policy_from_arguments

    checked = policy_from_arguments(
        policy=policy, table=table, quasi_identifiers=_split(qi), sensitive=_split(sensitive), k=k, into=into,
        suppression=suppression, others=others.value if others else None,
    )  # fmt: skip
    _require_writable(sql)
    with terminal.progress(quiet=quiet) as listener:
        report = run(url, checked, replace=replace, dry_run=dry_run, listener=_note.listening(listener))
    if sql is not None:
        sql.write_text(write_statements(report.statements), encoding="utf-8")
    if not quiet:
        terminal.warn(report.warnings)
        if any(rule.hierarchy is None for rule in checked.quasi_identifiers.values()):
            terminal.note(f"The policy that was used (save it to run it again with --policy):\n\n{report.policy.to_yaml()}")
    typer.echo(report.to_json() if json else terminal.describe_anonymize(report))


@app.command()
def check(
    url: Url,
    table: Table = None,
    policy: PolicyFile = None,
    qi: QuasiIdentifiers = None,
    k: K = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Count a table's classes and say whether each holds k rows (exit 0) or not (exit 1).

    With a policy the table it publishes into is checked, unless TABLE names another.
    """
    from kanon_sql import terminal
    from kanon_sql.commands.check import check as run
    from kanon_sql.request import check_from_arguments

    request = check_from_arguments(policy=policy, table=table, quasi_identifiers=_split(qi), k=k)
    with terminal.progress(quiet=quiet) as listener:
        report = run(url, request.table, quasi_identifiers=request.quasi_identifiers, k=request.k, listener=listener)
    typer.echo(report.to_json() if json else terminal.describe_check(report))
    if not report.holds:
        raise typer.Exit(1)


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(help="Where the demo is put; made if missing.")] = Path("kanon_demo"),
    rows: Annotated[int, typer.Option("--rows", min=100, help="How many patients to make.")] = 1_000_000,
    seed: Annotated[int, typer.Option("--seed", help="Another seed makes other patients.")] = 1,
    quiet: Quiet = False,
) -> None:
    """Make a hospital table in DuckDB, anonymize it, and show before and after."""
    from kanon_sql import terminal
    from kanon_sql.commands.demo import demo as run

    with terminal.progress(quiet=quiet) as listener:
        report = run(folder, rows=rows, seed=seed, listener=listener)
    typer.echo(terminal.describe_demo(report))


def _require_writable(file: Path | None) -> None:
    """A file that cannot be written is better known before the run than after it."""
    if file is not None:
        try:
            file.touch()
        except OSError as error:
            raise RequestError(f"{file} cannot be written: {error.strerror}") from None


class _SwapNote:
    """Remembers whether the release got its name, so that no message denies it."""

    published = False

    def listening(self, listener: StageListener | None) -> StageListener:
        """The same listener, which also tells this note of the swap."""

        def listen(name: str, stage: Stage | None) -> None:
            self.published = self.published or (name == "swap" and stage is not None)
            if listener is not None:
                listener(name, stage)

        return listen

    def __str__(self) -> str:
        return "The release had been published by then." if self.published else "Nothing was published."


_note = _SwapNote()


def _split(names: str | None) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()] if names else []


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line and exits: 0 done, 1 not met or handled failure, 2 unexpected, 130 Ctrl-C."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """The exit code of a command line."""
    _note.published = False
    try:
        outcome: Any = app(args=arguments, prog_name="kanon", standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        outcome = CTRL_C
    except BrokenPipeError:
        return 1
    except Exception as error:
        return _explain(error)
    if outcome == CTRL_C:
        typer.echo(f"Stopped. {_note}", err=True)
    return outcome if isinstance(outcome, int) else 0


def _explain(error: Exception) -> int:
    """Says what went wrong, without what may hold values, and gives the exit code."""
    if isinstance(error, KanonError):
        typer.echo(f"Error: {error}", err=True)
        return 1
    if hasattr(error, "show"):  # a wrong command line; typer keeps its exception classes to itself
        error.show()
        return 1
    typer.echo(
        f"Unexpected failure ({type(error).__name__}). {_note} "
        "Please report it with the command and the versions of kanon_sql, Python and the database.",
        err=True,
    )
    return 2
