"""What l-diversity and t-closeness add to a search, on every engine: its time beside that of k alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from benchmarks.fresh_process import in_fresh_process
from benchmarks.results.markdown import Line, table
from benchmarks.tables.census import COLUMNS, ROWS, TABLE, census_policy, load_census
from benchmarks.tables.patients import Unavailable, started
from kanon_sql import solve

K = 5
LIMITS = (0.0, 0.01, 0.02, 0.05)
ROUNDS = 3
MODELS: dict[str, dict[str, Any]] = {
    "k": {},
    "l": {"l_diversity": [{"column": "income", "l": 2}]},
    "t": {"t_closeness": [{"column": "income", "t": 0.2}]},
    "l and t": {"l_diversity": [{"column": "income", "l": 2}], "t_closeness": [{"column": "income", "t": 0.2}]},
}

_INTRODUCTION = f"""\
The census of {ROWS:,} rows, eight quasi-identifiers and 6,480 nodes, with an income that a quarter of all ages has: k = {K} alone, with
2-diversity, with 0.2-closeness, and with both; cost geniloss, `algorithm: auto`. Seconds are those of the search, the least of {ROUNDS}
rounds; every answer is proven to be the best."""


@dataclass(frozen=True)
class ModelFigures:
    """One search on one engine."""

    engine: str
    limit: float
    models: str
    checked: int
    seconds: float
    of_k: float


def measure_models(engines: Iterable[str]) -> list[ModelFigures | str]:
    """The figures of every engine, or why it has none."""
    found: list[ModelFigures | str] = []
    for engine in engines:
        found += in_fresh_process(_measure_engine, engine)
    return found


def _measure_engine(engine: str) -> list[ModelFigures | str]:
    try:
        with started(engine) as database:
            load_census(database, 1)
            income = "case when age % 4 = 0 then 'high' else 'low' end as income"
            database.execute(f"create table earners as select {', '.join(COLUMNS)}, {income} from {TABLE}")
            _search(database.url, MODELS["l and t"], 0.03)  # statements of every shape are spelled once per process
            return [figures for limit in LIMITS for figures in _measure(engine, database.url, limit)]
    except Unavailable as reason:
        return [f"{engine} was not measured: {reason}."]


def _measure(engine: str, url: str, limit: float) -> list[ModelFigures]:
    figures: list[ModelFigures] = []
    for name, models in MODELS.items():
        seconds, checked = min(_search(url, models, limit) for _ in range(ROUNDS))
        figures.append(ModelFigures(engine, limit, name, checked, seconds, seconds / figures[0].seconds if figures else 1.0))
    return figures


def _search(url: str, models: dict[str, Any], limit: float) -> tuple[float, int]:
    """The seconds of a search, and the nodes it checked."""
    policy = census_policy(k=K, suppression=limit)
    columns = {**policy["columns"], "income": "sensitive"}
    report = solve(url, {**policy, "table": "earners", "privacy": {"k": K, **models}, "columns": columns})
    (search,) = [stage for stage in report.stages if stage.name == "search"]
    if not report.solution.optimal:
        raise AssertionError("the answer is not proven to be the best")
    alone = report.solution.by_size
    return search.seconds - (alone.seconds if alone else 0), report.solution.nodes.checked


def write_model_results(found: Iterable[ModelFigures | str]) -> str:
    """All searches as one section of the results."""
    found = list(found)
    missing = [f for f in found if isinstance(f, str)]
    head = ("engine", "limit", "models", "checked", "seconds", "÷ k alone")
    lines = [_line(f) for f in found if isinstance(f, ModelFigures)]
    return "\n\n".join(["## Privacy models", _INTRODUCTION, *missing, table(head, lines)]) + "\n"


def _line(f: ModelFigures) -> Line:
    return f.engine, f"{f.limit:.0%}", f.models, str(f.checked), f"{f.seconds:.2f}", f"{f.of_k:.2f}"
