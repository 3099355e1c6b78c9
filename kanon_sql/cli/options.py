"""Arguments and options that commands share, and how their texts are read."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from kanon_sql.common.output_file import OutputFile


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
Source = Annotated[
    str | None, typer.Option("--source", help="The table whose sensitive values t-closeness and its kin compare with: the original one.")
]
K = Annotated[int | None, typer.Option("--k", help="Rows each class must hold at least.")]
Sensitive = Annotated[str | None, typer.Option("--sensitive", help="Sensitive columns, comma-separated; kept as they are.")]
Suppression = Annotated[str | None, typer.Option("--suppression", help="Rows that may be left out: a share (0.02) or a number (50).")]
Unlisted = Annotated[Others | None, typer.Option("--others", help="Columns not listed: error, drop or keep (without a policy: drop).")]
Algorithm = Annotated[
    str | None, typer.Option("--algorithm", help="auto, flash, ola, incognito, mingen, samarati, datafly or mondrian.", show_default=False)
]
Cost = Annotated[
    str | None,
    typer.Option("--cost", help="What the search minimizes, comma-separated in order: geniloss, ncp, nllm, dm, c_avg, classes, prec …"),
]
TimeBudget = Annotated[str | None, typer.Option("--time-budget", help="How long the search may take: 60s, 5m, 1h.")]
SqlFile = Annotated[Path | None, typer.Option("--sql", help="Write every statement that was run to this file.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as one JSON document.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print the result only: no progress, no warnings.")]


def output_file(path: Path | None, *, force: bool = False, mark: str | None = None) -> OutputFile | None:
    """The file that was named, checked before any work starts."""
    if path is None:
        return None
    file = OutputFile(path, force=force, mark=mark)
    file.require_writable()
    return file


def split(names: str | None) -> list[str]:
    """The names of a comma-separated list."""
    return [name.strip() for name in names.split(",") if name.strip()] if names else []
