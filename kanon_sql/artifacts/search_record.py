"""The report of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kanon_sql.common.spelling import many
from kanon_sql.lattice import Node
from kanon_sql.metrics import Number

NO_RULE = "its classes were found for these rows, and no rule assigns other rows to them"


@dataclass(frozen=True)
class MinimalNode:
    """An accepted node below which every node is rejected, with its first cost."""

    node: Node
    cost: Number


@dataclass(frozen=True)
class NodeCounts:
    """The nodes of a lattice by how a search decided them."""

    total: int
    checked: int
    inferred: int = 0
    pruned: int = 0

    def to_dict(self) -> dict[str, int]:
        """Return the counts as plain values."""
        return {"total": self.total, "checked": self.checked, "inferred": self.inferred, "pruned": self.pruned}


@dataclass(frozen=True)
class SearchRecord:
    """The report of any search; algorithms with more to report have a subclass."""

    optimal: bool
    optimal_reason: str
    unplannable: str | None = NO_RULE  # why its solution cannot be saved as a plan
    planned: bool = False  # whether a plan was applied
    found: ClassVar[str] = "classes"

    @property
    def nodes(self) -> NodeCounts:
        """Return the counts of nodes."""
        return NodeCounts(0, 0)

    @property
    def bound(self) -> Number:
        """Return the lowest cost that an open node can have if the search was interrupted, else None."""
        return None

    @property
    def minimal(self) -> tuple[MinimalNode, ...]:
        """Return the minimal nodes that were found."""
        return ()

    @property
    def minimal_complete(self) -> bool:
        """Return whether all minimal nodes were found."""
        return False

    @property
    def notes(self) -> tuple[str, ...]:
        """Return notes on the result for the user."""
        return ()

    @property
    def plan_note(self) -> str:
        """Return how a plan of this search differs from its policy."""
        return ""

    @property
    def counts(self) -> Mapping[str, Sequence[int]]:
        """Return figures per quasi-identifier by their heading."""
        return {}

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:  # noqa: ARG002  # a subclass uses it
        """Return the record as plain values."""
        return {
            "algorithm_reason": "",
            "nodes": self.nodes.to_dict(),
            "optimal": self.optimal,
            "optimal_reason": self.optimal_reason,
            "bound": self.bound,
            "minimal": [],
            "minimal_complete": False,
            "partition": None,
        }

    def summary(self, algorithm: str) -> str:
        """Return the search in sentences."""
        return f"{algorithm}: {self.optimal_reason}."


@dataclass(frozen=True)
class LatticeSearch(SearchRecord):
    """The report of a search in the lattice."""

    nodes: NodeCounts = NodeCounts(0, 0)
    choice: str = ""  # why auto picked this algorithm
    bound: Number = None  # the lowest cost that an open node can have, if the search was interrupted
    minimal: tuple[MinimalNode, ...] = ()
    minimal_complete: bool = False
    unplannable: str | None = None
    found: ClassVar[str] = "levels"

    def to_dict(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the record as plain values."""
        minimal = [{"levels": dict(zip(names, m.node, strict=True)), "cost": m.cost} for m in self.minimal]
        found = {"bound": self.bound, "minimal": minimal, "minimal_complete": self.minimal_complete}
        return {**super().to_dict(names), "algorithm_reason": self.choice, **found}

    def summary(self, algorithm: str) -> str:
        """Return the search in sentences."""
        nodes = self.nodes
        known = [f"{count:,} {word}" for count, word in ((nodes.inferred, "inferred"), (nodes.pruned, "pruned")) if count]
        text = f"{algorithm} evaluated {nodes.checked:,} of {many(nodes.total, 'node')}"
        text += f" ({', '.join(known)})" if known else ""
        proven = "Proven optimal" if self.optimal else "Not proven optimal"
        lines = [f"{text}. {proven}: {self.optimal_reason}."]
        if self.choice:
            lines.append(f"auto chose {algorithm}: {self.choice}.")
        return "\n".join(lines)
