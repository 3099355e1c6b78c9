"""Count a release in plain Python over fetched rows, without the product's SQL, byte for byte."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from support.databases import Database
from support.engine_types import SPELLED

Cells = tuple[str | None, ...]


def exact_rows(backend: Database, table: str, columns: Sequence[str]) -> Counter[Cells]:
    """Return the multiset of a table's rows, in which values that differ in one byte are different."""
    cells = ", ".join(SPELLED[backend.name].format(backend.quote(column)) for column in columns)
    return Counter(tuple(row) for row in backend.execute(f"select {cells} from {backend.quote(table)}"))


def class_sizes(rows: Counter[Cells], places: Sequence[int]) -> Counter[Cells]:
    """Return the number of rows of each class, which is defined by the cells at these positions."""
    sizes: Counter[Cells] = Counter()
    for row, count in rows.items():
        sizes[tuple(row[place] for place in places)] += count
    return sizes
