"""A column's hierarchy as it meets the column: its tree of labels with counts, its leaves, what does not occur."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kanon_sql.artifacts import CodedColumn
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class Branch:
    """A label that enough rows share, and those below it."""

    label: str
    rows: int
    leaves: int
    below: tuple[Branch, ...]

    def to_dict(self) -> dict[str, Any]:
        """The branch as plain values."""
        return {"label": self.label, "rows": self.rows, "leaves": self.leaves, "below": [branch.to_dict() for branch in self.below]}


@dataclass(frozen=True)
class HierarchyCounts:
    """What a hierarchy meets in its column."""

    leaves: int
    occurring: int
    rows: int
    null_rows: int


def shared_tree(workspace: Workspace, coded: CodedColumn, k: int) -> tuple[tuple[Branch, ...], tuple[int, ...]]:
    """The tree from level 1 up, only labels that at least k rows share; and how many labels each level shows."""
    found: dict[tuple[str, ...], tuple[int, int]] = {}
    shown = []
    for level in range(1, coded.height + 1):
        rows = workspace.fetch("count/hierarchy_tree/shared_labels", hierarchy=coded.hierarchy_table, level=level, height=coded.height, k=k)
        shown.append(len(rows))
        found |= {tuple(path): (count, leaves) for *path, count, leaves in rows}
    below: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for path in found:
        below.setdefault(path[:-1], []).append(path)

    def branches(parent: tuple[str, ...]) -> tuple[Branch, ...]:
        return tuple(Branch(path[-1], *found[path], branches(path)) for path in below.get(parent, ()))

    return branches(()), tuple(shown)


def count_hierarchy(workspace: Workspace, coded: CodedColumn) -> HierarchyCounts:
    """How many leaves there are and occur, in how many rows."""
    return HierarchyCounts(*workspace.fetch_one("count/hierarchy_tree/counts", hierarchy=coded.hierarchy_table))


def leaf_lines(workspace: Workspace, coded: CodedColumn) -> list[tuple[str, ...]]:
    """Every leaf with its labels, as lines of a file; these are values of the data where no list names them."""
    rows = workspace.fetch("count/hierarchy_tree/leaves", hierarchy=coded.hierarchy_table, height=coded.height, column=coded.column)
    return [tuple(str(cell).lower() if isinstance(cell, bool) else str(cell) for cell in row[:-1]) for row in rows]
