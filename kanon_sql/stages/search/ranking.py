"""The ranking of nodes by cost: known costs, the best node so far, and the candidates that may still be better."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import NodeCost
from kanon_sql.lattice import Lattice, Node, rank
from kanon_sql.stages.search.evaluator import Evaluator
from kanon_sql.stages.search.node_sets import NodesByBound, NodeSet, NodeSets

TOLERANCE = 1e-9


def margin(loss: float) -> float:
    """Return the largest difference between two losses that count as equal."""
    return TOLERANCE * max(1.0, abs(loss))


class Ranking:
    """Costs of nodes, and the candidates: nodes that may be the best and whose cost is not known yet."""

    def __init__(self, lattice: Lattice, sets: NodeSets, evaluator: Evaluator) -> None:
        self.candidates: NodeSet = sets.all
        self.costs: dict[Node, NodeCost] = {}
        self.best: NodeCost | None = None
        self._sets = sets
        self._inherits = evaluator.inherits
        self._by_bound = NodesByBound(lattice, evaluator.level_bounds, evaluator.bound) if evaluator.level_bounds else None
        self._surpluses: list[tuple[Node, float | None]] = []

    def add(self, costs: Sequence[NodeCost]) -> None:
        """Add costs of nodes, and prune candidates that cannot cost less than the best node."""
        improved = False
        for cost in costs:
            self.costs[cost.node] = cost
            self._surpluses.append((cost.node, cost.surplus))
            if self.best is None or cost.losses[0] < self.best.losses[0]:
                self.best, improved = cost, True
            else:
                self._prune_below(cost.node, cost.surplus)
            self._prune_above(cost)
        if improved:
            self.candidates &= self._may_improve(0.0)
            for node, surplus in self._surpluses:
                self._prune_below(node, surplus)

    def may_be_best(self, floor: NodeCost) -> bool:
        """Return whether a node with this lower bound on its cost may be the best; if not, prune the candidates that this excludes."""
        if not self._exceeds_best(floor.losses[0]):
            return True
        self._prune_below(floor.node, floor.surplus)
        self._prune_above(floor)
        return False

    def bound_of(self, node: Node) -> tuple[float, int, Node]:
        """Return the sort key of a node: its lower bound, then its height and levels."""
        return (self._by_bound.bound_at(self._sets.index(node)) if self._by_bound else 0.0, *rank(node))

    def lower_bound(self) -> float | None:
        """Return a lower bound on the loss of all candidates."""
        return self._by_bound.lowest(self.candidates) if self._by_bound else None

    def best_node(self) -> NodeCost | None:
        """Return the best node by costs in order, then by height, then by levels."""
        return cheapest(list(self.costs.values()))

    def _prune_below(self, node: Node, surplus: float | None) -> None:
        """Prune nodes below: suppression adds at least as much to their loss, and their levels add the rest."""
        if surplus and self._inherits and self._by_bound is not None and self.best is not None:
            self.candidates &= ~self._sets.down(node) | self._may_improve(surplus)

    def _prune_above(self, cost: NodeCost) -> None:
        """Prune nodes above: without suppression, a node costs no more than the nodes above it."""
        if cost.surplus is not None and self._exceeds_best(cost.losses[0] - cost.surplus):
            self.candidates &= ~self._sets.up(cost.node)

    def _exceeds_best(self, loss: float) -> bool:
        return self.best is not None and loss > self.best.losses[0] + 2 * margin(self.best.losses[0])

    def _may_improve(self, surplus: float) -> NodeSet:
        if self._by_bound is None or self.best is None:
            return self._sets.all
        return self._by_bound.within(self.best.losses[0] + 2 * margin(self.best.losses[0]) - surplus)


def cheapest(costs: Sequence[NodeCost]) -> NodeCost | None:
    """Return the node with the lowest first cost; ties are broken by the next cost, then by height, then by levels."""
    remaining = list(costs)
    for index in range(len(remaining[0].losses) if remaining else 0):
        least = min(cost.losses[index] for cost in remaining)
        remaining = [cost for cost in remaining if cost.losses[index] <= least + margin(least)]
    return min(remaining, key=lambda cost: rank(cost.node), default=None)
