"""Run the benchmarks, print their figures and write RESULTS.md."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.registry import ADULT, BENCHMARKS, SMALL, Benchmark
from benchmarks.results.file import RESULTS, write_section
from benchmarks.settings import Settings, memory_size
from benchmarks.tables.census import ROWS

VARIANTS = [variant for benchmark in BENCHMARKS for variant in benchmark.variants]
NAMES = [*(benchmark.name for benchmark in BENCHMARKS), *VARIANTS]


def main() -> None:
    """Run the selected benchmarks; exit with an error if a run failed or the outcomes differ between engines."""
    arguments = _arguments()
    settings = Settings(
        rows=arguments.rows,
        engine_rows=arguments.engine_rows,
        census_rows=arguments.census_rows,
        memory_limit=arguments.memory_limit,
        rounds=arguments.rounds,
        adult=arguments.adult,
        keep=arguments.keep,
        variant=arguments.only if arguments.only in VARIANTS else None,
    )
    problems = [problem for benchmark in _selected(arguments) for problem in _run(benchmark, settings, arguments.results)]
    if problems:
        sys.exit("\n".join(problems))


def _selected(arguments: argparse.Namespace) -> list[Benchmark]:
    if arguments.only:
        return [benchmark for benchmark in BENCHMARKS if arguments.only in (benchmark.name, *benchmark.variants)]
    return [benchmark for benchmark in BENCHMARKS if benchmark not in (ADULT, SMALL) or arguments.adult]


def _run(benchmark: Benchmark, settings: Settings, results: Path) -> list[str]:
    """Print the section of a benchmark, write it to the file if it is complete, and return the problems found."""
    figures = benchmark.measure(settings)
    section = benchmark.write(figures, settings)
    problems = benchmark.find_problems(figures) if benchmark.find_problems else []
    print(section)
    if settings.variant is None and not problems:
        write_section(section, results)
    return problems


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000, help="rows of the DuckDB tables (default: %(default)s)")
    parser.add_argument("--engine-rows", type=int, default=1_000_000, help="rows of the table on every engine (default: %(default)s)")
    parser.add_argument("--census-rows", type=int, default=ROWS, help="rows of the census in search and models (default: %(default)s)")
    parser.add_argument("--memory-limit", type=memory_size, default="4GB", help="DuckDB's memory_limit (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds (default: %(default)s)")
    parser.add_argument(
        "--only",
        metavar="NAME",
        choices=NAMES,
        help=f"run one benchmark, or one part of it without writing the results: {', '.join(NAMES)}",
    )
    parser.add_argument(
        "--adult",
        metavar="FOLDER",
        type=Path,
        help="also measure the Adult data in this folder (adult.csv and adult_hierarchy_*.csv, as ARX ships them),"
        " grown to --rows and to ten times --rows",
    )
    parser.add_argument("--results", metavar="FILE", type=Path, default=RESULTS, help="file with the results (default: %(default)s)")
    parser.add_argument("--keep", action="store_true", help="keep the measured databases of whole_run in benchmarks/data")
    arguments = parser.parse_args()
    if arguments.only in (ADULT.name, SMALL.name) and not arguments.adult:
        parser.error(f"--only {arguments.only} needs the folder of the Adult data. Add --adult FOLDER.")
    return arguments


if __name__ == "__main__":
    main()
