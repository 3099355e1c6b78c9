"""What a search may ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kanon_sql.artifacts import NodeCost, Verdict
from kanon_sql.lattice import Node
from kanon_sql.metrics import Number


def rules_out(evaluator: Evaluator, verdict: Verdict, allowed_rows: int) -> bool:
    """Whether a verdict rejects every node below its own, too."""
    return verdict.failing_below_rows > allowed_rows or (evaluator.inherits and not verdict.is_within(allowed_rows))


class Evaluator(Protocol):
    """Answers about nodes; a round of them is one statement."""

    inherits: bool  # a node more general than an accepted one is accepted
    cost_names: Sequence[str]
    level_bounds: tuple[tuple[float, ...], ...] | None  # per quasi-identifier and level; `bound` reads their sum

    def verdicts(self, nodes: Sequence[Node]) -> list[Verdict]:
        """What each node would give."""

    def bound(self, total: float) -> float:
        """The least the first cost can be where the level bounds of a node add up to so much."""

    def floor(self, verdict: Verdict) -> NodeCost:
        """The least the node can cost."""

    def costs(self, verdicts: Sequence[Verdict]) -> list[NodeCost]:
        """What each node costs."""

    def shown(self, cost: NodeCost) -> dict[str, Number]:
        """A node's costs as the metrics' own values."""

    def distinct_labels(self, node: Node) -> list[int]:
        """How many labels each quasi-identifier has at the node."""
