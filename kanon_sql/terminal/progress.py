"""Progress and warnings, on stderr."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from kanon_sql.workspace import Stage, StageListener


@contextmanager
def progress(*, quiet: bool) -> Iterator[StageListener | None]:
    """A listener that shows the stages: a spinner on a terminal, plain lines in a pipe, nothing when quiet."""
    if quiet:
        yield None
        return
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield lambda _, stage: _print_stage(console, stage)
        return
    with console.status("connect") as status:

        def show(name: str, stage: Stage | None) -> None:
            status.update(name)
            _print_stage(console, stage)

        yield show


def _print_stage(console: Console, stage: Stage | None) -> None:
    if stage is not None:
        unit = "statement" if stage.statements == 1 else "statements"
        console.print(f"{stage.name:<8} {stage.seconds:8.2f} s  {stage.statements} {unit}", style="dim")


def warn(warnings: Sequence[str]) -> None:
    """Prints warnings on stderr."""
    for warning in warnings:
        Console(stderr=True, highlight=False, soft_wrap=True).print(f"Warning: {warning}", style="yellow", markup=False)


def note(text: str) -> None:
    """Prints a remark on stderr."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(text, markup=False)
