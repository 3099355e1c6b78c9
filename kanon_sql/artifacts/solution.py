"""What a search asks, is told and chooses."""

from __future__ import annotations

from dataclasses import dataclass, field

from kanon_sql.lattice import Node
from kanon_sql.metrics import Number
from kanon_sql.partition import Partition


@dataclass(frozen=True)
class Verdict:
    """What evaluate says of a node."""

    node: Node
    classes: int
    smallest_class: int
    unique_rows: int
    failing_classes: int
    failing_rows: int
    smallest_published: int | None
    metrics: tuple[float, ...] = ()  # of classes; each also as if nothing were suppressed
    holds_as_whole: bool = True  # average risk, after suppression
    failing_below_rows: int = field(default=0, compare=False)  # rows known to fail at every finer node; 0 if not asked for

    def is_within(self, allowed_rows: int) -> bool:
        """Whether the node is accepted when so many rows may be suppressed."""
        return self.failing_rows <= allowed_rows and self.holds_as_whole


@dataclass(frozen=True)
class NodeCost:
    """What a node costs: one loss per cost (less is better), and how much of the first one suppression adds."""

    node: Node
    losses: tuple[float, ...]
    surplus: float | None  # none: what it costs says nothing of nodes above and below


@dataclass(frozen=True)
class MinimalNode:
    """An accepted node below which every node is rejected, with its first cost."""

    node: Node
    cost: Number


@dataclass(frozen=True)
class NodeCounts:
    """How many nodes there are, and how a search came to know about them."""

    total: int
    checked: int
    inferred: int = 0
    pruned: int = 0


@dataclass(frozen=True)
class BySize:
    """What k alone would have cost, to say what the models beside it cost; or why that is not known."""

    compared: bool
    reason: str
    costs: dict[str, Number] = field(default_factory=dict)
    suppressed_rows: int = 0
    seconds: float = 0.0  # what the comparison took


@dataclass(frozen=True)
class Solution:
    """What search chose, and how it came to it."""

    algorithm: str
    node: Node
    verdict: Verdict
    before: Verdict
    nodes: NodeCounts
    optimal: bool
    optimal_reason: str
    choice: str = ""  # why auto picked this algorithm
    costs: dict[str, Number] = field(default_factory=dict)
    bound: Number = None  # what no node left can undercut, where the search was cut short
    minimal: tuple[MinimalNode, ...] = ()
    minimal_complete: bool = False
    partition: Partition | None = None  # of Mondrian, whose solution is no node
    by_size: BySize | None = None  # where there are models beside k
    combinations: int | None = None  # of quasi-identifiers, which were counted
    person_combinations: int | None = None  # of quasi-identifiers and persons, where these are counted

    @property
    def nodes_checked(self) -> int:
        """The frequency sets that were computed."""
        return self.nodes.checked
