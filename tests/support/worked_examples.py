"""The worked examples of the papers, as tables of a database."""

from __future__ import annotations

import csv
from pathlib import Path

from support.databases import Database
from support.oracle import parse

CASES = Path(__file__).parents[1] / "golden" / "cases"


def load(backend: Database, table: str, file: Path, columns: dict[str, str]) -> None:
    """Load a case's CSV file as a table."""
    with file.open(newline="") as lines:
        header, *rows = csv.reader(lines)
    typed = {name: columns[name] for name in header}
    values = [tuple(parse(kind, cell) if cell else None for kind, cell in zip(typed.values(), row, strict=True)) for row in rows]
    backend.create(table, typed, values)
