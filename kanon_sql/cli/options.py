"""Arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Others(StrEnum):
    """What happens to columns that the policy does not list."""

    ERROR = "error"
    DROP = "drop"
    KEEP = "keep"


URL_HELP = (
    "The database: duckdb:///file.duckdb, sqlite:///file.db, postgresql+psycopg://user@host/db or mysql+pymysql://user@host/db."
)  # fmt: skip
_TABLE_HELP = "The table or view, as TABLE or SCHEMA.TABLE."

Url = Annotated[str, typer.Argument(metavar="URL", help=URL_HELP)]
Table = Annotated[str, typer.Argument(metavar="TABLE", help=_TABLE_HELP)]
OptionalTable = Annotated[str | None, typer.Argument(metavar="TABLE", help=f"{_TABLE_HELP} Optional with --policy.")]
PolicyFile = Annotated[Path, typer.Option("--policy", "-p", metavar="FILE", help="The policy, a YAML or JSON file.")]
OptionalPolicyFile = Annotated[Path | None, typer.Option("--policy", "-p", metavar="FILE", help="The policy, a YAML or JSON file.")]
QuasiIdentifiers = Annotated[
    str | None, typer.Option("--qi", metavar="COLUMNS", help="Quasi-identifiers, separated by commas, instead of a policy.")
]
K = Annotated[int | None, typer.Option("--k", metavar="N", help="The smallest number of rows that a class may have.")]
Sensitive = Annotated[
    str | None, typer.Option("--sensitive", metavar="COLUMNS", help="Sensitive columns, separated by commas. Published unchanged.")
]
Suppression = Annotated[
    str | None, typer.Option("--suppression", metavar="LIMIT", help="Rows that may be suppressed: a share (0.02) or a number (50).")
]
Unlisted = Annotated[
    Others | None,
    typer.Option("--others", metavar="ACTION", help="Columns that are not listed: error, drop or keep. Default without a policy: drop."),
]
Algorithm = Annotated[
    str | None,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        help="The search: auto, flash, ola, incognito, mingen, samarati, datafly or mondrian.",
        show_default=False,
    ),
]
Cost = Annotated[
    str | None,
    typer.Option(
        "--cost",
        metavar="METRICS",
        help="Metrics to minimize, separated by commas; later ones break ties: geniloss, ncp, nllm, dm, c_avg, classes, prec …",
    ),
]
TimeBudget = Annotated[str | None, typer.Option("--time-budget", metavar="TIME", help="The time limit of the search: 60s, 5m or 1h.")]
SqlFile = Annotated[Path | None, typer.Option("--sql", metavar="FILE", help="Write every SQL statement of the run to this file.")]
Yes = Annotated[bool, typer.Option("--yes", help="Permit replacing the rows of source tables. This cannot be undone.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as one JSON document.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing files.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result, without progress and warnings.")]


def split(names: str | None) -> tuple[str, ...]:
    """Return the names of a comma-separated list."""
    return tuple(name.strip() for name in names.split(",") if name.strip()) if names else ()
