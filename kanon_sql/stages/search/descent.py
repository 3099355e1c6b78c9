"""Descents: in a lattice too large for memory, go from accepted nodes down to cheaper ones until the time ends."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from kanon_sql.artifacts import NodeCost, Verdict
from kanon_sql.lattice import Lattice, Node, is_at_most, rank
from kanon_sql.stages.search.clock import Clock
from kanon_sql.stages.search.datafly import path as datafly_path
from kanon_sql.stages.search.evaluator import Evaluator, rules_out
from kanon_sql.stages.search.ranking import cheapest, margin

MAX_REJECTED = 500  # rejected nodes kept for inference


class Descent:
    """The accepted nodes so far, cheapest first, and rejected nodes that exclude every node below them."""

    def __init__(self, lattice: Lattice, evaluator: Evaluator, allowed_rows: int, clock: Clock, lower_bound: float | None) -> None:
        self.lower_bound = lower_bound  # on the loss of every accepted node
        self.verdicts: dict[Node, Verdict] = {}
        self.costs: dict[Node, NodeCost] = {}
        self.inferred: set[Node] = set()
        self._lattice = lattice
        self._evaluator = evaluator
        self._allowed_rows = allowed_rows
        self._clock = clock
        self._rejected: list[Node] = []
        self._lowest_loss = float("inf")
        self._queue: list[tuple[float, tuple[int, Node]]] = []

    def run(self) -> None:
        """Evaluate the nodes below the cheapest accepted node, repeatedly, until no node remains or no node can cost less."""
        if not self.reached_bound:
            self._bisect(datafly_path(self._lattice, self._evaluator))  # always, even if no time remains
            self._clock.require_time()
            self._bisect(self._cheapest_path())
        while self._queue and not self.reached_bound:
            self._clock.require_time()
            loss, (_, node) = heapq.heappop(self._queue)
            below = [self._lattice.lowered(node, index) for index in self._lattice.can_sink(node)]
            self._evaluate(below)
            if not any(self.costs[child].losses[0] < loss for child in below if child in self.costs):
                self._exchange(node)

    def _exchange(self, node: Node) -> None:
        """Evaluate the neighbors of a node with no cheaper predecessor: one quasi-identifier raised, another lowered."""
        lattice, limit = self._lattice, self._lowest_loss
        for index in lattice.can_rise(node):
            self._clock.require_time()
            above = lattice.raised(node, index)
            sideways = [lattice.lowered(above, other) for other in lattice.can_sink(node) if other != index]
            self._evaluate([near for near in sideways if self._bound(near)[0] < limit])

    def add_verdicts(self, verdicts: Sequence[Verdict]) -> None:
        """Store verdicts and compute the costs of accepted nodes; raise on a repeated node, which would make the descent endless."""
        if any(verdict.node in self.verdicts for verdict in verdicts):
            raise AssertionError("a descent evaluated a node twice")
        self.verdicts |= {verdict.node: verdict for verdict in verdicts}
        accepted = [verdict for verdict in verdicts if verdict.is_within(self._allowed_rows)]
        for cost in self._evaluator.costs(accepted) if accepted else []:
            self._lowest_loss = min(self._lowest_loss, cost.losses[0])
            self.costs[cost.node] = cost
            heapq.heappush(self._queue, (cost.losses[0], rank(cost.node)))
        for verdict in verdicts:
            if rules_out(self._evaluator, verdict, self._allowed_rows):
                kept = [node for node in self._rejected if not is_at_most(node, verdict.node)]
                self._rejected = [*kept, verdict.node][-MAX_REJECTED:]

    def best(self) -> NodeCost | None:
        """Return the cheapest node so far."""
        return cheapest(list(self.costs.values()))

    @property
    def reached_bound(self) -> bool:
        """Return whether the cheapest node reaches the lower bound."""
        return self.lower_bound is not None and self._lowest_loss <= self.lower_bound + margin(self.lower_bound)

    def _evaluate(self, nodes: Sequence[Node]) -> None:
        unknown = [node for node in nodes if node not in self.verdicts]
        open_nodes = [node for node in unknown if not any(is_at_most(node, rejected) for rejected in self._rejected)]
        self.inferred.update(set(unknown).difference(open_nodes))
        if open_nodes:
            self.add_verdicts(self._evaluator.verdicts(open_nodes))

    def _cheapest_path(self) -> list[Node]:
        """Return the path from bottom to top whose every step has the smallest lower bound."""
        path = [self._lattice.bottom]
        while open_columns := self._lattice.can_rise(path[-1]):
            path.append(min((self._lattice.raised(path[-1], index) for index in open_columns), key=self._bound))
        return path

    def _bisect(self, path: list[Node]) -> None:
        """Bisect a path for its lowest accepted node, to start the descent near minimal nodes."""
        low, high = 0, len(path) - 1
        while low < high:
            middle = (low + high) // 2
            self._evaluate([path[middle]])
            if path[middle] in self.costs:
                high = middle
            else:
                low = middle + 1

    def _bound(self, node: Node) -> tuple[float, int, Node]:
        bounds = self._evaluator.level_bounds
        total = sum(terms[level] for terms, level in zip(bounds, node, strict=True)) if bounds else 0.0
        return (self._evaluator.bound(total), *rank(node))


def narrow(lattice: Lattice, evaluator: Evaluator, allowed_rows: int, clock: Clock) -> Lattice:
    """Return the lattice without the levels at which a quasi-identifier is ruled out even with all others at their roots."""
    lowest = list(lattice.bottom)
    undecided = [index for index, levels in enumerate(lattice.ranges) if len(levels) > 1]
    while undecided:
        clock.require_time()
        nodes = [(*lattice.heights[:index], lowest[index], *lattice.heights[index + 1 :]) for index in undecided]
        rejected = [rules_out(evaluator, verdict, allowed_rows) for verdict in evaluator.verdicts(nodes)]
        for index in [index for index, fails in zip(undecided, rejected, strict=True) if fails]:
            lowest[index] += 1
        undecided = [index for index, fails in zip(undecided, rejected, strict=True) if fails and lowest[index] < lattice.top[index]]
    return Lattice(lattice.heights, tuple(lowest), lattice.top)
