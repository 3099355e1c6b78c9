"""Write and print the results of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

import typer

from kanon_sql.common.output_file import OutputFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Report(Protocol):
    """A result that can be printed."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of the run."""

    def to_json(self) -> str:
        """Return the report as one JSON document."""


AnyReport = TypeVar("AnyReport", bound=Report)


def output_file(path: Path | None, *, force: bool = False, mark: str | None = None) -> OutputFile | None:
    """Return the output file after checking that it can be written, before any work starts; None if no path is set."""
    if path is None:
        return None
    file = OutputFile(path, force=force, mark=mark)
    file.require_writable()
    return file


def print_report(report: AnyReport, describe: Callable[[AnyReport], str], *, json: bool, quiet: bool) -> None:
    """Print a report to stdout, as text or JSON, and its warnings to stderr."""
    from kanon_sql import terminal

    if not quiet:
        terminal.warn(report.warnings)
    typer.echo(report.to_json() if json else describe(report))
