"""The contest for the best node: what was priced, the best so far, and which nodes may still be better."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import NodeCost
from kanon_sql.lattice import Lattice, Node, rank
from kanon_sql.stages.search.evaluator import Evaluator
from kanon_sql.stages.search.node_sets import NodesByBound, NodeSet, NodeSets

TOLERANCE = 1e-9


def margin(loss: float) -> float:
    """How far two costs may lie apart and still be equal."""
    return TOLERANCE * max(1.0, abs(loss))


class Contest:
    """Candidates are nodes that may be the best one and are not counted yet."""

    def __init__(self, lattice: Lattice, sets: NodeSets, evaluator: Evaluator) -> None:
        self.candidates: NodeSet = sets.all
        self.costs: dict[Node, NodeCost] = {}
        self.best: NodeCost | None = None
        self._sets = sets
        self._infers = evaluator.inherits
        self._by_bound = NodesByBound(lattice, evaluator.level_bounds, evaluator.bound) if evaluator.level_bounds else None
        self._surpluses: list[tuple[Node, float | None]] = []

    def enter(self, costs: Sequence[NodeCost]) -> None:
        """Takes priced nodes in, and cuts off what cannot cost less than the best."""
        improved = False
        for cost in costs:
            self.costs[cost.node] = cost
            self._surpluses.append((cost.node, cost.surplus))
            if self.best is None or cost.losses[0] < self.best.losses[0]:
                self.best, improved = cost, True
            else:
                self._cut_below(cost.node, cost.surplus)
            self._cut_above(cost)
        if improved:
            self.candidates &= self._within_reach(0.0)
            for node, surplus in self._surpluses:
                self._cut_below(node, surplus)

    def may_win(self, floor: NodeCost) -> bool:
        """Whether a node that costs at least so much may be the best; if not, what follows from it is cut off."""
        if not self._is_beyond(floor.losses[0]):
            return True
        self._cut_below(floor.node, floor.surplus)
        self._cut_above(floor)
        return False

    def bound_of(self, node: Node) -> tuple[float, int, Node]:
        """The order in which nodes are promising."""
        return (self._by_bound.of(self._sets.index(node)) if self._by_bound else 0.0, *rank(node))

    def least_left(self) -> float | None:
        """What no candidate can undercut."""
        return self._by_bound.least(self.candidates) if self._by_bound else None

    def winner(self) -> NodeCost | None:
        """The best node: costs in order, then height, then levels."""
        return best_of(list(self.costs.values()))

    def _cut_below(self, node: Node, surplus: float | None) -> None:
        """What suppression adds to a node it adds to all below it, whose levels alone cost the rest."""
        if surplus and self._infers and self._by_bound is not None and self.best is not None:
            self.candidates &= ~self._sets.down(node) | self._within_reach(surplus)

    def _cut_above(self, cost: NodeCost) -> None:
        """As if nothing were suppressed, a node costs no more than those above it."""
        if cost.surplus is not None and self._is_beyond(cost.losses[0] - cost.surplus):
            self.candidates &= ~self._sets.up(cost.node)

    def _is_beyond(self, loss: float) -> bool:
        return self.best is not None and loss > self.best.losses[0] + 2 * margin(self.best.losses[0])

    def _within_reach(self, surplus: float) -> NodeSet:
        if self._by_bound is None or self.best is None:
            return self._sets.all
        return self._by_bound.within(self.best.losses[0] + 2 * margin(self.best.losses[0]) - surplus)


def best_of(costs: Sequence[NodeCost]) -> NodeCost | None:
    """The cheapest of some nodes, equal costs broken by the next cost, then by height, then by levels."""
    left = list(costs)
    for place in range(len(left[0].losses) if left else 0):
        least = min(cost.losses[place] for cost in left)
        left = [cost for cost in left if cost.losses[place] <= least + margin(least)]
    return min(left, key=lambda cost: rank(cost.node), default=None)
