"""Nodes of the generalization lattice: one level per quasi-identifier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

Node = tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """All nodes between the lowest and the highest allowed level of every quasi-identifier."""

    heights: tuple[int, ...]
    lowest: tuple[int, ...] = ()
    highest: tuple[int, ...] = ()

    @property
    def bottom(self) -> Node:
        """The node that generalizes least; without lower limits it leaves every value as it is."""
        return self.lowest or (0,) * len(self.heights)

    @property
    def top(self) -> Node:
        """The node that generalizes most; without upper limits every quasi-identifier is at its root."""
        return self.highest or self.heights

    @property
    def ranges(self) -> list[range]:
        """The levels of each quasi-identifier."""
        return [range(low, high + 1) for low, high in zip(self.bottom, self.top, strict=True)]

    @property
    def size(self) -> int:
        """The number of nodes."""
        return prod(len(levels) for levels in self.ranges)

    def __contains__(self, node: Node) -> bool:
        return len(node) == len(self.heights) and all(level in levels for level, levels in zip(node, self.ranges, strict=True))

    def nodes(self) -> Iterator[Node]:
        """Return every node, in lexicographic order of levels."""
        return product(*self.ranges)

    def raised(self, node: Node, index: int) -> Node:
        """Return the node one level up in one quasi-identifier."""
        return (*node[:index], node[index] + 1, *node[index + 1 :])

    def lowered(self, node: Node, index: int) -> Node:
        """Return the node one level down in one quasi-identifier."""
        return (*node[:index], node[index] - 1, *node[index + 1 :])

    def can_rise(self, node: Node) -> list[int]:
        """Return the indexes of the quasi-identifiers below their highest level."""
        return [index for index, level in enumerate(node) if level < self.top[index]]

    def can_sink(self, node: Node) -> list[int]:
        """Return the indexes of the quasi-identifiers above their lowest level."""
        return [index for index, level in enumerate(node) if level > self.bottom[index]]


def is_at_most(lower: Node, upper: Node) -> bool:
    """Return whether one node generalizes no quasi-identifier further than another."""
    return all(low <= high for low, high in zip(lower, upper, strict=True))


def rank(node: Node) -> tuple[int, Node]:
    """Return the key that orders nodes of equal cost: height, then levels."""
    return sum(node), node
