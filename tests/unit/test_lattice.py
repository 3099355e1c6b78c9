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


def test_limits_narrow_the_lattice() -> None:
    lattice = Lattice((2, 1), (1, 0), (2, 0))
    assert list(lattice.nodes()) == [(1, 0), (2, 0)]
    assert (lattice.bottom, lattice.top, lattice.size) == ((1, 0), (2, 0), 2)
    assert lattice.can_rise((2, 0)) == []
    assert lattice.can_sink((2, 0)) == [0]
    assert (2, 0) in lattice
    assert (0, 0) not in lattice
