"""The hierarchy `tree`: labels and values nested in the policy."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import field_validator

from kanon_sql.hierarchy.lines import plain_tree, tree_lines
from kanon_sql.hierarchy.listing import Listing
from kanon_sql.tables import Column


class Tree(Listing):
    """A hierarchy in the policy: labels that hold values, or further labels, to any depth."""

    key: ClassVar[str] = "tree"
    unit: ClassVar[str] = "leaf"
    tree: dict[str, Any]

    @field_validator("tree", mode="before")
    @classmethod
    def _plain(cls, value: object) -> object:
        if not isinstance(value, dict):
            raise ValueError("must map each label to a list of values or to further labels, such as {Europe: [France, Italy]}")
        return plain_tree(value)

    @property
    def where(self) -> str:
        return "hierarchy tree"

    def read(self, folder: Path) -> Self:
        del folder
        return self if self.lines else self.with_lines(tree_lines(self.tree))

    def describe_uncovered(self, values: str, column: Column) -> str:
        del column
        advice = "Add the missing values (numbers that begin with 0 in quotes), or map them to the root with unlisted: root next to tree"
        return f"its tree does not list {values}. {advice}"
