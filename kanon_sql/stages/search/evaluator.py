"""The interface between a search and the evaluation of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from kanon_sql.artifacts import NodeCost, Verdict
from kanon_sql.lattice import Node
from kanon_sql.metrics import Number


def rules_out(evaluator: Evaluator, verdict: Verdict, allowed_rows: int) -> bool:
    """Return whether a verdict also rejects every node below its node."""
    return verdict.failing_below_rows > allowed_rows or (evaluator.inherits and not verdict.is_within(allowed_rows))


class Evaluator(Protocol):
    """Evaluates nodes; the nodes of one call are evaluated in one statement."""

    inherits: bool  # every node above an accepted node is accepted
    cost_names: Sequence[str]
    level_bounds: tuple[tuple[float, ...], ...] | None  # per quasi-identifier and level; `bound` takes their sum

    def verdicts(self, nodes: Sequence[Node]) -> list[Verdict]:
        """Return the verdict on each node."""

    def bound(self, total: float) -> float:
        """Return the lower bound on the first cost of a node whose level bounds have this sum."""

    def floor(self, verdict: Verdict) -> NodeCost:
        """Return a lower bound on the cost of the node."""

    def costs(self, verdicts: Sequence[Verdict]) -> list[NodeCost]:
        """Return the cost of each node."""

    def shown(self, cost: NodeCost) -> dict[str, Number]:
        """Return the costs of a node in the units of the metrics."""

    def distinct_labels(self, node: Node) -> list[int]:
        """Return the number of labels of each quasi-identifier at the node."""
