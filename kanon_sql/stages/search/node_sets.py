"""Sets of nodes as bits of one integer, for fast unions and intersections of large parts of the lattice."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from operator import mul

from kanon_sql.lattice import Lattice, Node

NodeSet = int

_CHECKPOINT = 2048


class NodeSets:
    """The nodes of a lattice as bits, and the sets above and below each node."""

    def __init__(self, lattice: Lattice) -> None:
        sizes = [len(levels) for levels in lattice.ranges]
        self._low = lattice.bottom
        self._strides = list(accumulate(sizes[:0:-1], mul, initial=1))[::-1]
        self._sizes = sizes
        self.size = lattice.size
        self.all: NodeSet = (1 << self.size) - 1
        self._from = [[self._levels(index, level, size) for level in range(size)] for index, size in enumerate(sizes)]
        self._heights: list[NodeSet] | None = None

    def _levels(self, index: int, level: int, size: int) -> NodeSet:
        """Return the nodes with at least this level of one quasi-identifier."""
        stride = self._strides[index]
        block = ((1 << (stride * (size - level))) - 1) << (stride * level)
        width, bits = stride * size, block
        while width < self.size:
            bits |= bits << width
            width *= 2
        return bits & self.all

    def index(self, node: Node) -> int:
        """Return the index of a node's bit; nodes are numbered lexicographically by levels."""
        return sum((level - low) * stride for level, low, stride in zip(node, self._low, self._strides, strict=True))

    def bit(self, node: Node) -> NodeSet:
        """Return the set of this node alone."""
        return 1 << self.index(node)

    def node(self, index: int) -> Node:
        """Return the node with an index."""
        return tuple(low + index // stride % size for low, stride, size in zip(self._low, self._strides, self._sizes, strict=True))

    def up(self, node: Node) -> NodeSet:
        """Return the node and all more general ones."""
        found = self.all
        for levels, level, low in zip(self._from, node, self._low, strict=True):
            if level > low:
                found &= levels[level - low]
        return found

    def down(self, node: Node) -> NodeSet:
        """Return the node and all more specific ones."""
        cut = 0
        for levels, level, low in zip(self._from, node, self._low, strict=True):
            if level - low + 1 < len(levels):
                cut |= levels[level - low + 1]
        return self.all & ~cut

    def nodes(self, found: NodeSet) -> Iterator[Node]:
        """Yield the nodes of a set, lexicographically by levels."""
        bits = bin(found)[:1:-1]
        index = bits.find("1")
        while index >= 0:
            yield self.node(index)
            index = bits.find("1", index + 1)

    def tops(self, found: NodeSet) -> NodeSet:
        """Return the nodes of a set that have no direct successor in it."""
        covered = 0
        for levels, stride in zip(self._from, self._strides, strict=True):
            if len(levels) > 1:
                covered |= (found & levels[1]) >> stride
        return found & ~covered

    def bottoms(self, found: NodeSet) -> NodeSet:
        """Return the nodes of a set that have no direct predecessor in it."""
        covered = 0
        for levels, stride in zip(self._from, self._strides, strict=True):
            if len(levels) > 1:
                covered |= (found << stride) & levels[1]
        return found & ~covered

    def at_height(self, height: int) -> NodeSet:
        """Return the nodes this number of levels above the bottom."""
        if self._heights is None:
            self._heights = [1]
            for size, stride in zip(self._sizes, self._strides, strict=True):
                sums = [0] * (len(self._heights) + size - 1)
                for level in range(size):
                    for index, bits in enumerate(self._heights):
                        sums[index + level] |= bits << (stride * level)
                self._heights = sums
        return self._heights[height] if height < len(self._heights) else 0

    @property
    def span(self) -> int:
        """Return the number of levels between bottom and top."""
        return sum(self._sizes) - len(self._sizes)


class NodesByBound:
    """Nodes sorted by a lower bound that is a function of a sum over levels, to select all nodes up to a limit at once."""

    def __init__(self, lattice: Lattice, level_bounds: Sequence[Sequence[float]], bound: Callable[[float], float]) -> None:
        sums = [0.0]
        for levels, terms in zip(lattice.ranges, level_bounds, strict=True):
            sums = [total + terms[level] for total in sums for level in levels]
        self._bounds = bounds = [bound(total) for total in sums]
        self._order = sorted(range(len(bounds)), key=bounds.__getitem__)
        self._sorted = [bounds[index] for index in self._order]
        self._checkpoints = self._prefixes()

    def _prefixes(self) -> list[NodeSet]:
        """Return the sets of the first n nodes for every multiple n of the checkpoint distance."""
        bits = bytearray(len(self._order) // 8 + 1)
        prefixes = [0]
        for count, index in enumerate(self._order, start=1):
            bits[index >> 3] |= 1 << (index & 7)
            if count % _CHECKPOINT == 0:
                prefixes.append(int.from_bytes(bits, "little"))
        return prefixes

    def bound_at(self, index: int) -> float:
        """Return the bound of the node with an index."""
        return self._bounds[index]

    def within(self, limit: float) -> NodeSet:
        """Return the nodes whose bound is at most the limit."""
        count = bisect_right(self._sorted, limit)
        start = count // _CHECKPOINT
        bits = bytearray(len(self._order) // 8 + 1)
        for index in self._order[start * _CHECKPOINT : count]:
            bits[index >> 3] |= 1 << (index & 7)
        return self._checkpoints[start] | int.from_bytes(bits, "little")

    def lowest(self, found: NodeSet) -> float | None:
        """Return the smallest bound in a set."""
        return next((self._bounds[index] for index in self._order if found >> index & 1), None) if found else None
