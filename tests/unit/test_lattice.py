"""Nodes and lattices."""

from __future__ import annotations

from kanon_sql.lattice import Lattice


def test_lattice() -> None:
    lattice = Lattice((2, 0, 1))
    assert lattice.size == 6
    assert lattice.bottom == (0, 0, 0)
    assert lattice.can_rise((2, 0, 0)) == [2]
    assert lattice.can_rise((2, 0, 1)) == []
    assert lattice.raised((0, 0, 0), 2) == (0, 0, 1)
