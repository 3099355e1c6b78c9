"""The list of benchmarks: what each one measures and how its section of RESULTS.md is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.engine_databases import ENGINES
from benchmarks.measurements.engines import find_problems, measure_engines
from benchmarks.measurements.in_place import measure_in_place
from benchmarks.measurements.information import measure_information
from benchmarks.measurements.models import measure_models
from benchmarks.measurements.mondrian import measure_adult, measure_mondrian
from benchmarks.measurements.search import measure_searches
from benchmarks.measurements.small import measure_small
from benchmarks.measurements.whole_run import VARIANTS, measure_cases
from benchmarks.results.engines import write_engines
from benchmarks.results.in_place import write_in_place
from benchmarks.results.information import write_information
from benchmarks.results.models import write_models
from benchmarks.results.mondrian import write_adult, write_mondrian
from benchmarks.results.search import write_search
from benchmarks.results.small import write_small
from benchmarks.results.whole_run import write_whole_run
from benchmarks.settings import Settings


@dataclass(frozen=True)
class Benchmark:
    """One benchmark; a variant names a part of it that can be measured alone."""

    name: str
    measure: Callable[[Settings], Any]
    write: Callable[[Any, Settings], str]
    variants: tuple[str, ...] = ()
    find_problems: Callable[[Any], list[str]] | None = None


def _by_engine(name: str) -> tuple[str, ...]:
    return tuple(f"{name}_{engine}" for engine in ENGINES)


ADULT = Benchmark("adult", measure_adult, write_adult)
SMALL = Benchmark("small", measure_small, write_small)
BENCHMARKS = (
    Benchmark("whole_run", measure_cases, write_whole_run, VARIANTS),
    Benchmark("in_place", measure_in_place, write_in_place),
    Benchmark("mondrian", measure_mondrian, write_mondrian),
    ADULT,
    SMALL,
    Benchmark("information", measure_information, write_information),
    Benchmark("search", measure_searches, write_search, _by_engine("search")),
    Benchmark("models", measure_models, write_models, _by_engine("models")),
    Benchmark("engines", measure_engines, write_engines, _by_engine("engines"), find_problems),
)
