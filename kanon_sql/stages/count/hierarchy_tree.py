"""The hierarchy of a column with counts: its tree of labels, and its leaves with and without rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kanon_sql.artifacts import CodedColumn
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class Branch:
    """A label that at least k rows share, and the labels below it."""

    label: str
    rows: int
    leaves: int
    below: tuple[Branch, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the branch as plain values."""
        return {"label": self.label, "rows": self.rows, "leaves": self.leaves, "below": [branch.to_dict() for branch in self.below]}


@dataclass(frozen=True)
class HierarchyCounts:
    """The leaves of a hierarchy and the rows of its column."""

    leaves: int
    occurring: int
    rows: int
    null_rows: int


def shared_tree(workspace: Workspace, coded: CodedColumn, k: int) -> tuple[tuple[Branch, ...], tuple[int, ...]]:
    """Return the tree of labels that at least k rows share, from level 1 up, and the number of such labels per level."""
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
    """Count the leaves of a hierarchy, those that occur, and the rows of its column."""
    return HierarchyCounts(*workspace.fetch_one("count/hierarchy_tree/counts", hierarchy=coded.hierarchy_table))


def leaf_lines(workspace: Workspace, coded: CodedColumn) -> list[tuple[str, ...]]:
    """Return every leaf with its labels, as lines of a file; without a list, leaves are values of the data."""
    rows = workspace.fetch("count/hierarchy_tree/leaves", hierarchy=coded.hierarchy_table, height=coded.height, column=coded.column)
    return [tuple(str(cell).lower() if isinstance(cell, bool) else str(cell) for cell in row[:-1]) for row in rows]
