"""Nodes of the generalization lattice: one level per quasi-identifier."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

Node = tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """All nodes between the bottom (values as they are) and the top (every root)."""

    heights: tuple[int, ...]

    @property
    def bottom(self) -> Node:
        """The node that leaves every value as it is."""
        return (0,) * len(self.heights)

    @property
    def size(self) -> int:
        """The number of nodes."""
        return prod(height + 1 for height in self.heights)

    def raised(self, node: Node, index: int) -> Node:
        """The node one level up in one quasi-identifier."""
        return (*node[:index], node[index] + 1, *node[index + 1 :])

    def can_rise(self, node: Node) -> list[int]:
        """The indexes of the quasi-identifiers that are not at their root yet."""
        return [index for index, level in enumerate(node) if level < self.heights[index]]
