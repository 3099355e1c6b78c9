"""Auto: picks an algorithm by the size of the lattice and the time there is."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.lattice import Lattice

FEW_NODES = 64
HELD_NODES = 300_000  # lattices up to this size are held as sets; larger ones are walked by descents
DEFAULT_BUDGET = 60.0  # seconds, for lattices that cannot be held


@dataclass(frozen=True)
class Choice:
    """An algorithm, and why it was picked."""

    algorithm: str
    why: str


def pick_algorithm(lattice: Lattice) -> Choice:
    """MinGen where checking every node is nothing, else Flash."""
    if lattice.size <= FEW_NODES:
        return Choice("mingen", f"the lattice has {lattice.size} nodes, few enough to check every one")
    if lattice.size <= HELD_NODES:
        return Choice("flash", f"the lattice has {lattice.size:,} nodes; flash leaves out those that cannot cost less than the best so far")
    return Choice("flash", f"the lattice has {lattice.size:,} nodes, too many to hold; flash goes on by descents while there is time")
