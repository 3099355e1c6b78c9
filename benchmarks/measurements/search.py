"""What a search costs on every engine: checks, time per check against one grouping, Python's share, and more rows of the same kind."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.fresh_process import in_fresh_process
from benchmarks.results.markdown import Line, table
from benchmarks.tables.census import COLUMNS, ROWS, TABLE, census_policy, load_census
from benchmarks.tables.patients import Database, Unavailable, started
from kanon_sql import solve

POLICIES = ((5, 0.0), (5, 0.04), (10, 0.02), (100, 0.04))
COPIES = 8

_INTRODUCTION = f"""\
A made-up census of {ROWS:,} rows with eight quasi-identifiers and 6,480 nodes, like the Adult data; cost geniloss, `algorithm: auto`.
A check is one node's frequency set; its time is that of the statements, also those that count costs. One grouping is
`select …, count(*) … group by` of the eight columns on the source, in the same engine and run. Python's share is the
part of the search outside the statements. The last column compares the same search on a table that holds every row {COPIES} times."""


@dataclass(frozen=True)
class SearchFigures:
    """One search on one engine."""

    engine: str
    k: int
    suppression: float
    combinations: int
    checked: int
    statements: int
    seconds: float
    in_statements: float
    grouping: float
    seconds_of_copies: float


def measure_searches(engines: Iterable[str]) -> list[SearchFigures | str]:
    """The figures of every engine, or why it has none."""
    found: list[SearchFigures | str] = []
    for engine in engines:
        found += in_fresh_process(_measure_engine, engine)
    return found


def _measure_engine(engine: str) -> list[SearchFigures | str]:
    try:
        with started(engine) as once, started(engine) as copied:
            load_census(once, 1)
            load_census(copied, COPIES)
            solve(once.url, census_policy(k=2, suppression=0.0))  # statements of every shape are spelled once per process
            return [_measure(engine, once, copied, k=k, suppression=limit) for k, limit in POLICIES]
    except Unavailable as reason:
        return [f"{engine} was not measured: {reason}."]


def _measure(engine: str, once: Database, copied: Database, *, k: int, suppression: float) -> SearchFigures:
    policy = census_policy(k=k, suppression=suppression)
    report = solve(once.url, policy)
    asked = [statement for statement in report.statements if statement.stage == "search"]
    (search,) = [stage for stage in report.stages if stage.name == "search"]
    # The same classes in 8 times as many rows: k and the limit grow with them.
    more = solve(copied.url, {**policy, "privacy": {"k": k * COPIES}})
    (search_of_copies,) = [stage for stage in more.stages if stage.name == "search"]
    assert more.levels == report.levels
    return SearchFigures(
        engine=engine,
        k=k,
        suppression=suppression,
        combinations=report.solution.before.classes,
        checked=report.solution.nodes.checked,
        statements=len(asked),
        seconds=search.seconds,
        in_statements=sum(statement.seconds for statement in asked),
        grouping=_grouping(once),
        seconds_of_copies=search_of_copies.seconds,
    )


def _grouping(database: Database) -> float:
    names = ", ".join(COLUMNS)
    started = time.perf_counter()
    database.execute(f"select count(*) from (select {names}, count(*) as n from {TABLE} group by {names}) as g")
    return time.perf_counter() - started


def write_search_results(found: Iterable[SearchFigures | str]) -> str:
    """All searches as one section of the results."""
    found = list(found)
    figures = [f for f in found if isinstance(f, SearchFigures)]
    head = ("engine", "k", "limit", "combinations", "checked", "statements", "ms per check", "÷ one grouping", "Python", "8 × rows ÷ once")
    missing = [f for f in found if isinstance(f, str)]
    return "\n\n".join(["## Search", _INTRODUCTION, *missing, table(head, map(_line, figures))]) + "\n"


def _line(f: SearchFigures) -> Line:
    per_check = f.in_statements / f.checked
    return (
        f.engine, str(f.k), f"{f.suppression:.0%}", f"{f.combinations:,}", str(f.checked), str(f.statements), f"{1000 * per_check:.1f}",
        f"{per_check / f.grouping:.2f}", f"{1 - f.in_statements / f.seconds:.0%}", f"{f.seconds_of_copies / f.seconds:.2f}",
    )  # fmt: skip
