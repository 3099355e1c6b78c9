"""Search algorithms, one per file; each loops over nodes and asks the evaluator it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from kanon_sql.artifacts import Solution, Verdict
from kanon_sql.lattice import Lattice, Node
from kanon_sql.search.datafly import datafly


class Evaluator(Protocol):
    """What a search may ask."""

    checked: int

    def verdicts(self, nodes: Sequence[Node]) -> list[Verdict]:
        """What each node would give."""

    def distinct_labels(self, node: Node) -> list[int]:
        """How many labels each quasi-identifier has at the node."""


ALGORITHMS: dict[str, Callable[[Lattice, Evaluator, int], Solution]] = {"datafly": datafly}


def search(algorithm: str, lattice: Lattice, evaluator: Evaluator, allowed_rows: int) -> Solution:
    """The solution the named algorithm finds with at most so many rows suppressed."""
    return ALGORITHMS[algorithm](lattice, evaluator, allowed_rows)
