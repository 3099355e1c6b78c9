"""The time that l-diversity and t-closeness add to a search with k alone, on every engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.engine_databases import Database, UnmeasuredEngine, measure_on_engines
from benchmarks.settings import Settings
from benchmarks.tables.census import COLUMNS, TABLE, census_policy, load_census
from kanon_sql import solve

K = 5
LIMITS = (0.0, 0.01, 0.02, 0.05)
MODELS: dict[str, dict[str, Any]] = {
    "k": {},
    "l": {"l_diversity": [{"column": "income", "l": 2}]},
    "t": {"t_closeness": [{"column": "income", "t": 0.2}]},
    "l and t": {"l_diversity": [{"column": "income", "l": 2}], "t_closeness": [{"column": "income", "t": 0.2}]},
}


@dataclass(frozen=True)
class ModelFigures:
    """One search on one engine."""

    engine: str
    limit: float
    models: str
    checked: int
    seconds: float
    ratio_to_k: float


def measure_models(settings: Settings) -> list[ModelFigures | UnmeasuredEngine]:
    """Return the figures of every engine, or the reason why it was not measured."""
    return measure_on_engines(settings.variant, None, _measure_engine, settings)


def _measure_engine(database: Database, settings: Settings) -> list[ModelFigures]:
    load_census(database, settings.census_rows)
    income = "case when age % 4 = 0 then 'high' else 'low' end as income"
    database.execute(f"create table earners as select {', '.join(COLUMNS)}, {income} from {TABLE}")
    _search(database.url, MODELS["l and t"], 0.03)  # warm-up: every process translates each statement once
    return [figures for limit in LIMITS for figures in _measure(database, limit, settings.rounds)]


def _measure(database: Database, limit: float, rounds: int) -> list[ModelFigures]:
    figures: list[ModelFigures] = []
    for name, models in MODELS.items():
        seconds, checked = min(_search(database.url, models, limit) for _ in range(rounds))
        figures.append(ModelFigures(database.name, limit, name, checked, seconds, seconds / figures[0].seconds if figures else 1.0))
    return figures


def _search(url: str, models: dict[str, Any], limit: float) -> tuple[float, int]:
    """Return the seconds of a search and the number of nodes it checked."""
    policy = census_policy(k=K, suppression=limit)
    columns = {**policy["columns"], "income": "sensitive"}
    report = solve(url, {**policy, "table": "earners", "privacy": {"k": K, **models}, "columns": columns})
    (search,) = [stage for stage in report.stages if stage.name == "search"]
    if not report.solution.search.optimal:
        raise AssertionError("the solution is not proven optimal")
    alone = report.solution.by_size
    return search.seconds - (alone.seconds if alone else 0), report.solution.search.nodes.checked
