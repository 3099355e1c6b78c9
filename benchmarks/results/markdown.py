"""Markdown tables and notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.engine_databases import UnmeasuredEngine

Line = Sequence[str]


def table(head: Line, lines: Iterable[Line]) -> str:
    """Return an aligned Markdown table; columns of figures are right-aligned."""
    body = list(lines) or [("–",) * len(head)]
    widths = [max(len(line[index]) for line in (head, *body)) for index in range(len(head))]
    figures = [all(line[index][:1].isdigit() or line[index][:1] in "-–" for line in body) for index in range(len(head))]
    rule = ["-" * (width - 1) + ":" if right else "-" * width for width, right in zip(widths, figures, strict=True)]
    aligned = [
        [cell.rjust(width) if right else cell.ljust(width) for cell, width, right in zip(line, widths, figures, strict=True)]
        for line in (head, *body)
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in (aligned[0], rule, *aligned[1:]))


def unmeasured(figures: Iterable[Any]) -> list[str]:
    """Return a sentence for every engine that was not measured."""
    return [f"{f.engine} was not measured: {f.reason}." for f in figures if isinstance(f, UnmeasuredEngine)]
