"""The section on searches."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.engine_databases import UnmeasuredEngine
from benchmarks.measurements.search import COPIES, SearchFigures
from benchmarks.results.markdown import Line, table, unmeasured
from benchmarks.settings import Settings

_HEAD = ("engine", "k", "limit", "combinations", "checked", "statements", "ms per check", "÷ one grouping", "Python", "8 × rows ÷ once")


def write_search(measured: Sequence[SearchFigures | UnmeasuredEngine], settings: Settings) -> str:
    """Return the section with all searches."""
    lines = [_line(f) for f in measured if isinstance(f, SearchFigures)]
    return "\n\n".join(["## Search", _introduction(settings), *unmeasured(measured), table(_HEAD, lines)]) + "\n"


def _introduction(settings: Settings) -> str:
    return f"""\
A synthetic census of {settings.census_rows:,} rows with eight quasi-identifiers and 6,480 nodes, similar to the Adult data; cost geniloss,
`algorithm: auto`. A check computes the frequency set of one node; its time is that of the statements, including those that compute costs.
One grouping is `select …, count(*) … group by` of the eight columns on the source, in the same engine and run. The share of Python is
the part of the search outside the statements. The last column compares the same search on a table with every row {COPIES} times."""


def _line(f: SearchFigures) -> Line:
    per_check = f.in_statements / f.checked
    return (
        f.engine, str(f.k), f"{f.suppression:.0%}", f"{f.combinations:,}", str(f.checked), str(f.statements), f"{1000 * per_check:.1f}",
        f"{per_check / f.grouping:.2f}", f"{1 - f.in_statements / f.seconds:.0%}", f"{f.seconds_of_copies / f.seconds:.2f}",
    )  # fmt: skip
