"""A bound for lattices too large to be held: groups of quasi-identifiers are solved alone, all others at their roots."""

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
    """An evaluator whose costs are the levels' alone, so that costs of groups add up; it rejects what is ruled out, with all below."""

    def __init__(self, evaluator: Evaluator, level_bounds: tuple[tuple[float, ...], ...]) -> None:
        self._evaluator = evaluator
        self.level_bounds: tuple[tuple[float, ...], ...] | None = level_bounds
        self._terms = level_bounds
        self.inherits = True
        self.cost_names: Sequence[str] = ("levels",)

    def verdicts(self, nodes: Sequence[Node]) -> list[Verdict]:
        """What each node would give, as far as it rules out others."""
        found = self._evaluator.verdicts(nodes)
        if self._evaluator.inherits:
            return found
        return [replace(verdict, failing_rows=verdict.failing_below_rows, holds_as_whole=True) for verdict in found]

    def bound(self, total: float) -> float:
        """The sum itself."""
        return total

    def floor(self, verdict: Verdict) -> NodeCost:
        """What the node's levels cost."""
        return NodeCost(verdict.node, (sum(terms[level] for terms, level in zip(self._terms, verdict.node, strict=True)),), 0.0)

    def costs(self, verdicts: Sequence[Verdict]) -> list[NodeCost]:
        """What each node's levels cost."""
        return [self.floor(verdict) for verdict in verdicts]

    def shown(self, cost: NodeCost) -> dict[str, Number]:
        """The sum by its name."""
        return {"levels": cost.losses[0]}

    def distinct_labels(self, node: Node) -> list[int]:
        """How many labels each quasi-identifier has at the node."""
        return self._evaluator.distinct_labels(node)


def bound_by_groups(lattice: Lattice, evaluator: Evaluator, allowed_rows: int, clock: Clock) -> float | None:
    """What no node can undercut: no accepted node is ruled out in a group, so its levels cost what each group's best do."""
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
    """The quasi-identifiers in groups whose lattices can be searched, those of most values together."""
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
    """What the levels of a group's best node cost."""
    fixed = lattice.heights
    low = tuple(lattice.bottom[index] if index in group else height for index, height in enumerate(fixed))
    high = tuple(lattice.top[index] if index in group else height for index, height in enumerate(fixed))
    findings = Findings(Lattice(lattice.heights, low, high), levels, allowed_rows, clock)
    flash(findings)
    best = findings.contest.winner()
    others = sum(terms[fixed[index]] for index, terms in enumerate(levels.level_bounds or ()) if index not in group)
    return best.losses[0] - others if best else 0.0
