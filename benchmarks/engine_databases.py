"""Start an engine in a fresh process and measure on a new, empty database of it."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from benchmarks.fresh_process import in_fresh_process

# The tests start the same engines; pytest adds their folder to the path in the same way.
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.databases import ENGINES, Database, DuckDB, SQLite
from support.servers import Unavailable

__all__ = ["ENGINES", "Database", "DuckDB", "SQLite", "UnmeasuredEngine", "measure_on_engine", "measure_on_engines", "start_database"]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


@dataclass(frozen=True)
class UnmeasuredEngine:
    """An engine that is not installed on this machine, or whose run failed."""

    engine: str
    reason: str
    failed: bool = False


@contextmanager
def start_database(engine: str, folder: Path | None = None) -> Iterator[Database]:
    """Create an empty database of an engine and remove it afterwards; its files are in a subfolder of the folder, if one is passed."""
    with tempfile.TemporaryDirectory(dir=folder) as subfolder:
        try:
            database: Database = ENGINES[engine](Path(subfolder))  # type: ignore[call-arg]
        except ImportError as missing:
            raise Unavailable(str(missing)) from missing
        with closing(database):
            yield database


def measure_on_engines(
    variant: str | None,
    folder: Path | None,
    measure: Callable[Concatenate[Database, Parameters], list[Result]],
    /,
    *args: Parameters.args,
    **kwargs: Parameters.kwargs,
) -> list[Result | UnmeasuredEngine]:
    """Return the figures of the engine that the variant ends with, or of every engine."""
    figures: list[Result | UnmeasuredEngine] = []
    for engine in [variant.split("_")[-1]] if variant else ENGINES:
        print(f"measuring {engine} …", file=sys.stderr)
        measured = measure_on_engine(engine, folder, measure, *args, **kwargs)
        figures += [measured] if isinstance(measured, UnmeasuredEngine) else measured
    return figures


def measure_on_engine(
    engine: str,
    folder: Path | None,
    measure: Callable[Concatenate[Database, Parameters], Result],
    /,
    *args: Parameters.args,
    **kwargs: Parameters.kwargs,
) -> Result | UnmeasuredEngine:
    """Return what `measure` returns for a new database of the engine, in a process that also starts and stops the server."""
    return in_fresh_process(_measure, engine, folder, measure, *args, **kwargs)


def _measure(
    engine: str,
    folder: Path | None,
    measure: Callable[Concatenate[Database, Parameters], Result],
    /,
    *args: Parameters.args,
    **kwargs: Parameters.kwargs,
) -> Result | UnmeasuredEngine:
    try:
        with start_database(engine, folder) as database:
            return measure(database, *args, **kwargs)
    except Unavailable as reason:
        return UnmeasuredEngine(engine, str(reason))
