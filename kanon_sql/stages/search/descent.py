"""Descents: in a lattice too large to be held, from accepted nodes down to cheaper ones while there is time."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from kanon_sql.artifacts import NodeCost, Verdict
from kanon_sql.lattice import Lattice, Node, is_at_most, rank
from kanon_sql.stages.search.clock import Clock
from kanon_sql.stages.search.contest import best_of, margin
from kanon_sql.stages.search.datafly import path as datafly_path
from kanon_sql.stages.search.evaluator import Evaluator, rules_out

REMEMBERED = 500  # rejected nodes that are kept to infer from


class Descent:
    """The accepted nodes found so far, cheapest first, and the rejected ones nothing below which needs a check."""

    def __init__(self, lattice: Lattice, evaluator: Evaluator, allowed_rows: int, clock: Clock, least: float | None) -> None:
        self.least = least  # what no node can undercut
        self.verdicts: dict[Node, Verdict] = {}
        self.costs: dict[Node, NodeCost] = {}
        self.inferred: set[Node] = set()
        self._lattice = lattice
        self._evaluator = evaluator
        self._allowed_rows = allowed_rows
        self._clock = clock
        self._rejected: list[Node] = []
        self._cheapest = float("inf")
        self._waiting: list[tuple[float, tuple[int, Node]]] = []

    def run(self) -> None:
        """Goes down from the cheapest accepted node, again and again; ends when none is left or none can cost less."""
        if not self.reached_bound:
            self._bisect(datafly_path(self._lattice, self._evaluator))  # however little time there is
            self._clock.require()
            self._bisect(self._cheapest_path())
        while self._waiting and not self.reached_bound:
            self._clock.require()
            loss, (_, node) = heapq.heappop(self._waiting)
            below = [self._lattice.lowered(node, index) for index in self._lattice.can_sink(node)]
            self._ask(below)
            if not any(self.costs[child].losses[0] < loss for child in below if child in self.costs):
                self._exchange(node)

    def _exchange(self, node: Node) -> None:
        """From a node below which nothing is cheaper: one quasi-identifier up, another one down."""
        lattice, limit = self._lattice, self._cheapest
        for index in lattice.can_rise(node):
            self._clock.require()
            above = lattice.raised(node, index)
            sideways = [lattice.lowered(above, other) for other in lattice.can_sink(node) if other != index]
            self._ask([near for near in sideways if self._bound(near)[0] < limit])

    def learn(self, verdicts: Sequence[Verdict]) -> None:
        """Keeps what verdicts say, and prices the accepted ones; a node that came twice would be gone down from again and again."""
        if any(verdict.node in self.verdicts for verdict in verdicts):
            raise AssertionError("a descent asked for a node twice")
        self.verdicts |= {verdict.node: verdict for verdict in verdicts}
        accepted = [verdict for verdict in verdicts if verdict.is_within(self._allowed_rows)]
        for cost in self._evaluator.costs(accepted) if accepted else []:
            self._cheapest = min(self._cheapest, cost.losses[0])
            self.costs[cost.node] = cost
            heapq.heappush(self._waiting, (cost.losses[0], rank(cost.node)))
        for verdict in verdicts:
            if rules_out(self._evaluator, verdict, self._allowed_rows):
                kept = [node for node in self._rejected if not is_at_most(node, verdict.node)]
                self._rejected = [*kept, verdict.node][-REMEMBERED:]

    def best(self) -> NodeCost | None:
        """The cheapest node found."""
        return best_of(list(self.costs.values()))

    @property
    def reached_bound(self) -> bool:
        """Whether a node costs as little as any can."""
        return self.least is not None and self._cheapest <= self.least + margin(self.least)

    def _ask(self, nodes: Sequence[Node]) -> None:
        unknown = [node for node in nodes if node not in self.verdicts]
        open_nodes = [node for node in unknown if not any(is_at_most(node, rejected) for rejected in self._rejected)]
        self.inferred.update(set(unknown).difference(open_nodes))
        if open_nodes:
            self.learn(self._evaluator.verdicts(open_nodes))

    def _cheapest_path(self) -> list[Node]:
        """The path that always adds least."""
        path = [self._lattice.bottom]
        while open_columns := self._lattice.can_rise(path[-1]):
            path.append(min((self._lattice.raised(path[-1], index) for index in open_columns), key=self._bound))
        return path

    def _bisect(self, path: list[Node]) -> None:
        """Finds where a path becomes accepted, so that the descent begins near the border."""
        low, high = 0, len(path) - 1
        while low < high:
            middle = (low + high) // 2
            self._ask([path[middle]])
            if path[middle] in self.costs:
                high = middle
            else:
                low = middle + 1

    def _bound(self, node: Node) -> tuple[float, int, Node]:
        bounds = self._evaluator.level_bounds
        total = sum(terms[level] for terms, level in zip(bounds, node, strict=True)) if bounds else 0.0
        return (self._evaluator.bound(total), *rank(node))


def narrow(lattice: Lattice, evaluator: Evaluator, allowed_rows: int, clock: Clock) -> Lattice:
    """The lattice without the levels at which a quasi-identifier alone, all others at their roots, is ruled out already."""
    lowest = list(lattice.bottom)
    waiting = [index for index, levels in enumerate(lattice.ranges) if len(levels) > 1]
    while waiting:
        clock.require()
        nodes = [(*lattice.heights[:index], lowest[index], *lattice.heights[index + 1 :]) for index in waiting]
        rejected = [rules_out(evaluator, verdict, allowed_rows) for verdict in evaluator.verdicts(nodes)]
        for index in [index for index, fails in zip(waiting, rejected, strict=True) if fails]:
            lowest[index] += 1
        waiting = [index for index, fails in zip(waiting, rejected, strict=True) if fails and lowest[index] < lattice.top[index]]
    return Lattice(lattice.heights, tuple(lowest), lattice.top)
