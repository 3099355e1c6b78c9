"""The cost of a search on every engine: checks, time per check, the share of Python, and the same search on more rows."""

from __future__ import annotations

import time
from dataclasses import dataclass

from benchmarks.engine_databases import Database, UnmeasuredEngine, measure_on_engines, start_database
from benchmarks.settings import Settings
from benchmarks.tables.census import COLUMNS, TABLE, census_policy, load_census
from kanon_sql import solve

POLICIES = ((5, 0.0), (5, 0.04), (10, 0.02), (100, 0.04))
COPIES = 8


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


def measure_searches(settings: Settings) -> list[SearchFigures | UnmeasuredEngine]:
    """Return the figures of every engine, or the reason why it was not measured."""
    return measure_on_engines(settings.variant, None, _measure_engine, settings.census_rows)


def _measure_engine(database: Database, rows: int) -> list[SearchFigures]:
    with start_database(database.name) as copies:
        load_census(database, rows)
        load_census(copies, rows, COPIES)
        solve(database.url, census_policy(k=2, suppression=0.0))  # warm-up: every process translates each statement once
        return [_measure(database, copies, k=k, suppression=limit) for k, limit in POLICIES]


def _measure(database: Database, copies: Database, *, k: int, suppression: float) -> SearchFigures:
    policy = census_policy(k=k, suppression=suppression)
    report = solve(database.url, policy)
    statements = [statement for statement in report.statements if statement.stage == "search"]
    (search,) = [stage for stage in report.stages if stage.name == "search"]
    # The same classes in 8 times the rows: k and the suppression limit grow with them.
    more = solve(copies.url, {**policy, "privacy": {"k": k * COPIES}})
    (search_of_copies,) = [stage for stage in more.stages if stage.name == "search"]
    assert more.levels == report.levels
    return SearchFigures(
        engine=database.name,
        k=k,
        suppression=suppression,
        combinations=report.solution.before.classes,
        checked=report.solution.search.nodes.checked,
        statements=len(statements),
        seconds=search.seconds,
        in_statements=sum(statement.seconds for statement in statements),
        grouping=_measure_grouping(database),
        seconds_of_copies=search_of_copies.seconds,
    )


def _measure_grouping(database: Database) -> float:
    names = ", ".join(COLUMNS)
    started = time.perf_counter()
    database.execute(f"select count(*) from (select {names}, count(*) as n from {TABLE} group by {names}) as g")
    return time.perf_counter() - started
