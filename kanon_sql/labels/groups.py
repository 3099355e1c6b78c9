"""The groups of a table assignment with the cells that are published for them."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.artifacts import ClassCells
from kanon_sql.tables import TableName


@dataclass(frozen=True)
class LabelledGroups:
    """Every group with its rows and a number (span) per quasi-identifier, and the cell that each span is published as."""

    table: TableName  # region, class_size, span_1 …
    cells: tuple[ClassCells, ...]
