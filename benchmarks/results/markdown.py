"""Tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Line = Sequence[str]


def table(head: Line, lines: Iterable[Line]) -> str:
    """A Markdown table whose columns line up; those that hold figures are set right."""
    body = list(lines) or [("–",) * len(head)]
    widths = [max(len(line[index]) for line in (head, *body)) for index in range(len(head))]
    figures = [all(line[index][:1].isdigit() or line[index][:1] in "-–" for line in body) for index in range(len(head))]
    rule = ["-" * (width - 1) + ":" if right else "-" * width for width, right in zip(widths, figures, strict=True)]
    aligned = [
        [cell.rjust(width) if right else cell.ljust(width) for cell, width, right in zip(line, widths, figures, strict=True)]
        for line in (head, *body)
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in (aligned[0], rule, *aligned[1:]))
