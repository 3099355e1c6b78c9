"""A lower bound for lattices too large for memory: solve groups of quasi-identifiers, all others at their roots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kanon_sql.artifacts import NodeCost, Verdict
from kanon_sql.lattice import Lattice, Node
from kanon_sql.metrics import Number
from kanon_sql.stages.search.clock import Clock, OutOfTime
from kanon_sql.stages.search.evaluator import Evaluator
from kanon_sql.stages.search.findings import Findings
from kanon_sql.stages.search.flash import flash

GROUP_NODES = 5_000


class LevelsOnly:
    """An evaluator whose costs depend on levels only, so the costs of groups add up; it rejects only nodes that are ruled out."""

    def __init__(self, evaluator: Evaluator, level_bounds: tuple[tuple[float, ...], ...]) -> None:
        self._evaluator = evaluator
        self.level_bounds: tuple[tuple[float, ...], ...] | None = level_bounds
        self._terms = level_bounds
        self.inherits = True
        self.cost_names: Sequence[str] = ("levels",)

    def verdicts(self, nodes: Sequence[Node]) -> list[Verdict]:
        """Return the verdict on each node; only a ruled-out node is rejected."""
        found = self._evaluator.verdicts(nodes)
        if self._evaluator.inherits:
            return found
        return [replace(verdict, failing_rows=verdict.failing_below_rows, holds_as_whole=True) for verdict in found]

    def bound(self, total: float) -> float:
        """Return the sum itself."""
        return total

    def floor(self, verdict: Verdict) -> NodeCost:
        """Return the cost of the node's levels."""
        return NodeCost(verdict.node, (sum(terms[level] for terms, level in zip(self._terms, verdict.node, strict=True)),), 0.0)

    def costs(self, verdicts: Sequence[Verdict]) -> list[NodeCost]:
        """Return the cost of each node's levels."""
        return [self.floor(verdict) for verdict in verdicts]

    def shown(self, cost: NodeCost) -> dict[str, Number]:
        """Return the sum by its name."""
        return {"levels": cost.losses[0]}

    def distinct_labels(self, node: Node) -> list[int]:
        """Return the number of labels of each quasi-identifier at the node."""
        return self._evaluator.distinct_labels(node)


def bound_by_groups(lattice: Lattice, evaluator: Evaluator, allowed_rows: int, clock: Clock) -> float | None:
    """Return a lower bound on the cost of accepted nodes: in each group, their levels cost at least as much as the group's best."""
    if evaluator.level_bounds is None:
        return None
    levels = LevelsOnly(evaluator, evaluator.level_bounds)
    total = 0.0
    for group in _groups(lattice, evaluator.distinct_labels(lattice.bottom)):
        lowest = sum(evaluator.level_bounds[index][lattice.bottom[index]] for index in group)
        try:
            total += max(lowest, _least(lattice, group, levels, allowed_rows, clock))
        except OutOfTime:
            total += lowest
    return evaluator.bound(total)


def _groups(lattice: Lattice, distinct: Sequence[int]) -> list[list[int]]:
    """Return groups of quasi-identifiers with small lattices; columns with many values are grouped together."""
    groups: list[list[int]] = []
    size = GROUP_NODES + 1
    for index in sorted(range(len(distinct)), key=lambda index: (-distinct[index], index)):
        levels = len(lattice.ranges[index])
        if size * levels > GROUP_NODES:
            groups.append([])
            size = 1
        groups[-1].append(index)
        size *= levels
    return groups


def _least(lattice: Lattice, group: Sequence[int], levels: LevelsOnly, allowed_rows: int, clock: Clock) -> float:
    """Return the cost of the levels of a group's best node."""
    fixed = lattice.heights
    low = tuple(lattice.bottom[index] if index in group else height for index, height in enumerate(fixed))
    high = tuple(lattice.top[index] if index in group else height for index, height in enumerate(fixed))
    findings = Findings(Lattice(lattice.heights, low, high), levels, allowed_rows, clock)
    flash(findings)
    best = findings.ranking.best_node()
    others = sum(terms[fixed[index]] for index, terms in enumerate(levels.level_bounds or ()) if index not in group)
    return best.losses[0] - others if best else 0.0
