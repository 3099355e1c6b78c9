"""Tables and figures as text."""

from __future__ import annotations

import io
import shutil
import sys

from rich.console import Console
from rich.table import Table


def as_text(table: Table) -> str:
    """A table without colors, as wide as it is."""
    buffer = io.StringIO()
    Console(file=buffer, width=1000, highlight=False, color_system=None).print(table)
    return "\n".join(line.rstrip() for line in buffer.getvalue().splitlines()) + "\n"


def program() -> str:
    """How the user can call this program again."""
    return "kanon" if shutil.which("kanon") else sys.argv[0]
