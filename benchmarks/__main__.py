"""Measures every case against its floor and the same run on every engine, and writes RESULTS.md."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.fresh_process import fresh_copy, in_fresh_process
from benchmarks.measurements.baseline import FloorFigures, measure_floor
from benchmarks.measurements.engines import measure_engines
from benchmarks.measurements.in_place import measure_in_place
from benchmarks.measurements.information import measure_information
from benchmarks.measurements.models import measure_models, write_model_results
from benchmarks.measurements.mondrian import measure_adult, measure_mondrian
from benchmarks.measurements.search import measure_searches, write_search_results
from benchmarks.measurements.whole_run import RunFigures, measure_run
from benchmarks.results.engines import find_problems, write_engine_results
from benchmarks.results.file import write_sections
from benchmarks.results.whole_run import CaseFigures, write_results
from benchmarks.settings import Settings, memory_size
from benchmarks.tables.cases import CASES, Case
from benchmarks.tables.duckdb_files import source_file
from benchmarks.tables.patients import ENGINES

ENGINES_PART = "engines"
IN_PLACE_PART = "in_place"
MONDRIAN_PART = "mondrian"
ADULT_PART = "adult"
INFORMATION_PART = "information"
CASE_NAMES = [name for case in CASES for name in (case.name, f"{case.name}_floor", f"{case.name}_run")]
ENGINE_NAMES = {f"{ENGINES_PART}_{engine}": engine for engine in ENGINES}
SEARCH_PART = "search"
SEARCH_NAMES = {f"{SEARCH_PART}_{engine}": engine for engine in ENGINES}
MODELS_PART = "models"
MODELS_NAMES = {f"{MODELS_PART}_{engine}": engine for engine in ENGINES}
NAMES = [
    *CASE_NAMES,
    IN_PLACE_PART,
    MONDRIAN_PART,
    ADULT_PART,
    INFORMATION_PART,
    ENGINES_PART,
    *ENGINE_NAMES,
    SEARCH_PART,
    *SEARCH_NAMES,
    MODELS_PART,
    *MODELS_NAMES,
]

Figures = TypeVar("Figures")
Measure = Callable[[Case, Path, Settings], Figures]


def main() -> None:
    """Prints the figures; those of a whole part are also written to its section of RESULTS.md."""
    arguments = _arguments()
    settings = Settings(arguments.rows, arguments.memory_limit, arguments.rounds)
    only = arguments.only
    if only is None or only in CASE_NAMES:
        figures = [_measure_case(case, settings, only=only, keep=arguments.keep) for case in CASES if _wanted(case, only)]
        _show(write_results(settings, figures), whole=only is None)
    if only in (None, IN_PLACE_PART):
        _show(measure_in_place(settings), whole=True)
    if only in (None, MONDRIAN_PART):
        _show(measure_mondrian(settings, arguments.engine_rows), whole=True)
    if arguments.adult and only in (None, ADULT_PART):
        _show(measure_adult(arguments.adult, settings), whole=True)
    if only in (None, INFORMATION_PART):
        _show(measure_information(settings), whole=True)
    if only is None or only == SEARCH_PART or only in SEARCH_NAMES:
        engines = [SEARCH_NAMES[only]] if only in SEARCH_NAMES else list(ENGINES)
        _show(write_search_results(measure_searches(engines)), whole=only not in SEARCH_NAMES)
    if only is None or only == MODELS_PART or only in MODELS_NAMES:
        engines = [MODELS_NAMES[only]] if only in MODELS_NAMES else list(ENGINES)
        _show(write_model_results(measure_models(engines)), whole=only not in MODELS_NAMES)
    if only is None or only == ENGINES_PART or only in ENGINE_NAMES:
        _compare_engines(dataclasses.replace(settings, rows=arguments.engine_rows), only)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the cases' tables (default: %(default)s)")
    parser.add_argument("--engine-rows", type=int, default=1_000_000, help="rows of the table on every engine (default: %(default)s)")
    parser.add_argument("--memory-limit", type=memory_size, default="4GB", help="DuckDB's memory_limit in the cases (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="how often every case is measured (default: %(default)s)")
    parser.add_argument(
        "--only",
        metavar="NAME",
        choices=NAMES,
        help=f"measure only this and print it (whole parts also write their sections of RESULTS.md): {', '.join(NAMES)}",
    )
    parser.add_argument(
        "--adult",
        metavar="FOLDER",
        type=Path,
        help="also measure Mondrian on the Adult data in this folder (adult.csv and adult_hierarchy_*.csv, as ARX ships them),"
        " grown to --rows and to ten times as many",
    )
    parser.add_argument("--keep", action="store_true", help="keep the cases' databases that were measured, in benchmarks/data")
    arguments = parser.parse_args()
    if arguments.only == ADULT_PART and not arguments.adult:
        parser.error("say where the Adult data is: --adult FOLDER")
    return arguments


def _show(section: str, *, whole: bool) -> None:
    print(section)
    if whole:
        write_sections([section])


def _wanted(case: Case, only: str | None) -> bool:
    return only is None or only.split("_")[0] == case.name


def _compare_engines(settings: Settings, only: str | None) -> None:
    """Shows the engines' figures, and ends with an error if a run failed or the engines decided differently."""
    engines = [ENGINE_NAMES[only]] if only in ENGINE_NAMES else list(ENGINES)
    measured = measure_engines(engines, settings)
    problems = find_problems(measured)
    _show(write_engine_results(settings, measured), whole=only not in ENGINE_NAMES and not problems)
    if problems:
        sys.exit("\n".join(problems))


def _measure_case(case: Case, settings: Settings, *, only: str | None, keep: bool) -> CaseFigures:
    """The case's figures, without those that were not asked for."""
    source = source_file(case, settings)

    def measured(kind: str, measure: Measure[Figures]) -> list[Figures]:
        name = f"{case.name}_{kind}"
        if only not in (None, case.name, name):
            return []
        print(f"measuring {name} …", file=sys.stderr)
        with fresh_copy(source, kind, keep=keep) as database:
            return [in_fresh_process(measure, case, database, settings)]

    floors: list[FloorFigures] = []
    runs: list[RunFigures] = []
    for _ in range(settings.rounds):
        floors += measured("floor", measure_floor)
        runs += measured("run", measure_run)
    return CaseFigures(case, tuple(floors), tuple(runs))


if __name__ == "__main__":
    main()
