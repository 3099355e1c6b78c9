"""Measures every case against its floor and writes RESULTS.md."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from benchmarks.cases import CASES, Case
from benchmarks.floor import FloorFigures, measure_floor
from benchmarks.fresh_process import fresh_copy, in_fresh_process
from benchmarks.results import CaseFigures, write_results
from benchmarks.settings import Settings, memory_size
from benchmarks.source_tables import source_file
from benchmarks.whole_run import RunFigures, measure_run

RESULTS = Path(__file__).parent / "RESULTS.md"
NAMES = [name for case in CASES for name in (case.name, f"{case.name}_floor", f"{case.name}_run")]

Figures = TypeVar("Figures")
Measure = Callable[[Case, Path, Settings], Figures]


def main() -> None:
    """Prints the figures; all of them together are also written to RESULTS.md."""
    arguments = _arguments()
    settings = Settings(arguments.rows, arguments.memory_limit, arguments.rounds)
    figures = [_measure_case(case, settings, only=arguments.only, keep=arguments.keep) for case in CASES if _wanted(case, arguments.only)]
    text = write_results(settings, figures)
    print(text)
    if arguments.only is None:
        RESULTS.write_text(text, encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the table (default: %(default)s)")
    parser.add_argument("--memory-limit", type=memory_size, default="4GB", help="DuckDB's memory_limit (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="how often everything is measured (default: %(default)s)")
    parser.add_argument("--only", metavar="NAME", choices=NAMES, help=f"measure only this, print it, write nothing: {', '.join(NAMES)}")
    parser.add_argument("--keep", action="store_true", help="keep the databases that were measured, in benchmarks/data")
    return parser.parse_args()


def _wanted(case: Case, only: str | None) -> bool:
    return only is None or only.split("_")[0] == case.name


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
