"""What a release holds, counted in plain Python over fetched rows: none of the product's SQL, every value byte for byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from support.databases import Database
from support.engine_types import SPELLED

Cells = tuple[str | None, ...]


def exact_rows(backend: Database, table: str, columns: Sequence[str]) -> Counter[Cells]:
    """The multiset of a table's rows; two values that differ in a single byte differ here."""
    cells = ", ".join(SPELLED[backend.name].format(backend.quote(column)) for column in columns)
    return Counter(tuple(row) for row in backend.execute(f"select {cells} from {backend.quote(table)}"))


def class_sizes(rows: Counter[Cells], places: Sequence[int]) -> Counter[Cells]:
    """How many rows each class holds, a class being the cells at these places."""
    sizes: Counter[Cells] = Counter()
    for row, count in rows.items():
        sizes[tuple(row[place] for place in places)] += count
    return sizes
