"""Run a function in a process of its own, on a copy of a database file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def in_fresh_process(work: Callable[Parameters, Result], /, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
    """Return what the function returns when a new process runs it, so peak memory is measured for this function alone."""
    with ProcessPoolExecutor(max_workers=1, mp_context=get_context("spawn")) as fresh:
        return fresh.submit(work, *args, **kwargs).result()


@contextmanager
def fresh_copy(source: Path, name: str, *, keep: bool = False) -> Iterator[Path]:
    """Copy a database file within its folder, flush it to disk, and remove it afterwards unless it is to be kept."""
    copy = source.with_name(f"{source.stem}_{name}.duckdb")
    remove_database(copy)
    shutil.copyfile(source, copy)
    with copy.open("rb+") as written:
        os.fsync(written.fileno())
    try:
        yield copy
    finally:
        if not keep:
            remove_database(copy)


def remove_database(database: Path) -> None:
    """Remove a database file with its log and its temporary files."""
    database.unlink(missing_ok=True)
    database.with_name(database.name + ".wal").unlink(missing_ok=True)
    shutil.rmtree(database.with_name(database.name + ".tmp"), ignore_errors=True)
