"""Progress and warnings, on stderr."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from kanon_sql.workspace import Stage, StageListener


@contextmanager
def progress(*, quiet: bool) -> Iterator[StageListener | None]:
    """Yield a listener that shows the stages: with elapsed time on a terminal, as plain lines in a pipe, not at all when quiet."""
    if quiet:
        yield None
        return
    console = _console()
    if not console.is_terminal:
        yield lambda _, stage: _print_stage(console, stage)
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("connect", total=None)

        def show(name: str, stage: Stage | None) -> None:
            if stage is not None:
                _print_stage(console, stage)
            elif ": " in name:
                shown.update(task, description=name, refresh=True)
            else:
                shown.reset(task, description=name, total=None)

        yield show


def _print_stage(console: Console, stage: Stage | None) -> None:
    if stage is not None:
        unit = "statement" if stage.statements == 1 else "statements"
        console.print(f"{stage.name:<8} {stage.seconds:8.2f} s  {stage.statements} {unit}", style="dim")


def warn(warnings: Sequence[str]) -> None:
    """Print warnings on stderr."""
    for warning in warnings:
        _console(soft_wrap=True).print(f"Warning: {warning}", style="yellow", markup=False)


def note(text: str) -> None:
    """Print a remark on stderr."""
    _console(soft_wrap=True).print(text, markup=False)


def _console(*, soft_wrap: bool = False) -> Console:
    from rich.console import Console  # here, because it is slow to import

    return Console(stderr=True, highlight=False, soft_wrap=soft_wrap)
