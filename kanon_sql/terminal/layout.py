"""Tables as text, and the name of this program."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterable, Sequence

UNLIMITED = 1000


def text_table(headings: Sequence[str], rows: Iterable[Sequence[str]], left: Sequence[str] | int = 1) -> str:
    """Return rows under headings as text; `left` are the headings, or the number of first columns, that are aligned to the left.

    On a terminal the table is as wide as the terminal at most: longer texts, but no numbers, continue on the next line.
    """
    from rich.console import Console  # here, because it is slow to import
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for place, heading in enumerate(headings):
        to_left = place < left if isinstance(left, int) else heading in left
        table.add_column(heading, justify="left" if to_left else "right", overflow="fold", no_wrap=not to_left)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    buffer = io.StringIO()
    Console(file=buffer, width=_width(), highlight=False, color_system=None).print(table)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def _width() -> int:
    """Return how wide a table may be: a file or a pipe takes any width."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return shutil.get_terminal_size().columns if is_terminal else UNLIMITED


def program() -> str:
    """Return how the user can call this program again."""
    return "kanon" if shutil.which("kanon") or not sys.argv[0] else sys.argv[0]
