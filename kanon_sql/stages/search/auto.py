"""Auto: choose an algorithm by the size of the lattice."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.common.spelling import many
from kanon_sql.lattice import Lattice

FEW_NODES = 64
MAX_NODES_IN_MEMORY = 300_000  # smaller lattices are stored as sets of nodes; larger ones are searched by descents
DEFAULT_BUDGET = 60.0  # seconds, for lattices too large for memory


@dataclass(frozen=True)
class Choice:
    """An algorithm and the reason for choosing it."""

    algorithm: str
    why: str


def pick_algorithm(lattice: Lattice) -> Choice:
    """Return MinGen for a lattice small enough to evaluate every node, otherwise Flash."""
    if lattice.size <= FEW_NODES:
        return Choice("mingen", f"the lattice has only {many(lattice.size, 'node')}, so every node is evaluated")
    if lattice.size <= MAX_NODES_IN_MEMORY:
        return Choice("flash", f"the lattice has {lattice.size:,} nodes; flash skips those that cannot have a lower loss")
    return Choice("flash", f"the lattice has {lattice.size:,} nodes, too many for memory; flash uses descents until the time ends")
