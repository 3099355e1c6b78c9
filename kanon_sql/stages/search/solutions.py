"""The result of a search as a solution: the node, how it was found, and whether it is proven optimal."""

from __future__ import annotations

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.artifacts import LatticeSearch, MinimalNode, NodeAssignment, NodeCost, NodeCounts, Solution, Verdict
from kanon_sql.common.spelling import many
from kanon_sql.lattice import Lattice
from kanon_sql.metrics import Number
from kanon_sql.stages.search.auto import Choice
from kanon_sql.stages.search.clock import Clock
from kanon_sql.stages.search.descent import Descent
from kanon_sql.stages.search.evaluator import Evaluator
from kanon_sql.stages.search.findings import Findings
from kanon_sql.stages.search.ranking import cheapest
from kanon_sql.stages.search.samarati import lowest_accepted


def from_path(algorithm: str, lattice: Lattice, evaluator: Evaluator, before: Verdict, verdict: Verdict) -> Solution:
    """Return the first accepted node of a path, without a proof of optimality."""
    search = LatticeSearch(
        optimal=False,
        optimal_reason=f"{algorithm} is greedy and follows a single path through the lattice",
        nodes=NodeCounts(lattice.size, sum(verdict.node) - sum(lattice.bottom) + 1),  # the path rises by one level at a time
    )
    costs = evaluator.shown(evaluator.costs([verdict])[0])
    return Solution(algorithm, NodeAssignment(verdict.node), verdict, before, search, costs)


def from_findings(
    choice: Choice, lattice: Lattice, findings: Findings, evaluator: Evaluator, before: Verdict, clock: Clock, *, timed_out: bool
) -> Solution:
    """Return the best node of the findings; compute the cost of every minimal node if time remains."""
    minimal = findings.minimal()
    if choice.algorithm == "samarati" and not timed_out:
        minimal = lowest_accepted(findings)
        best = cheapest([findings.ranking.costs[node] for node in minimal])
    else:
        best = findings.ranking.best_node()
    if best is None:
        raise AssertionError("a search without an accepted node ends earlier")
    if not timed_out:
        findings.add_costs_of([findings.verdicts[node] for node in minimal])
    open_bound = findings.ranking.lower_bound() if timed_out else None
    bound = None if open_bound is None else _shown(evaluator, best, open_bound)
    costs = findings.ranking.costs
    finds_all = ALGORITHMS[choice.algorithm].finds_all_minimal
    search = LatticeSearch(
        optimal=not timed_out,
        optimal_reason=_reason(choice.algorithm, findings, evaluator, clock, bound, timed_out=timed_out),
        nodes=_counts(lattice, findings),
        choice=choice.why,
        bound=bound,
        minimal=tuple(MinimalNode(node, _first(evaluator, costs[node])) for node in minimal if node in costs),
        minimal_complete=not timed_out and findings.inherits and (finds_all or not findings.open),
    )
    verdict = findings.verdicts[best.node]
    return Solution(choice.algorithm, NodeAssignment(best.node), verdict, before, search, evaluator.shown(best))


def from_descent(
    choice: Choice,
    lattice: Lattice,
    narrowed: Lattice,
    descent: Descent,
    evaluator: Evaluator,
    before: Verdict,
    clock: Clock,
    *,
    timed_out: bool,
) -> Solution:
    """Return the best node of a lattice too large for memory."""
    best = descent.best()
    if best is None:
        raise AssertionError("a descent without an accepted node ends earlier")
    bound = None if descent.lower_bound is None else _shown(evaluator, best, descent.lower_bound)
    optimal = not timed_out and (evaluator.inherits or descent.reached_bound)
    search = LatticeSearch(
        optimal=optimal,
        optimal_reason=_descent_reason(lattice, descent, evaluator, clock, bound, optimal=optimal, timed_out=timed_out),
        nodes=NodeCounts(lattice.size, len(descent.verdicts), len(descent.inferred), lattice.size - narrowed.size),
        choice=choice.why,
        bound=None if optimal else bound,
    )
    verdict = descent.verdicts[best.node]
    return Solution(choice.algorithm, NodeAssignment(best.node), verdict, before, search, evaluator.shown(best))


def _descent_reason(
    lattice: Lattice, descent: Descent, evaluator: Evaluator, clock: Clock, bound: Number, *, optimal: bool, timed_out: bool
) -> str:
    if optimal:
        return "no accepted node can have a lower loss" if descent.reached_bound else "descents reached every accepted node"
    if not timed_out:
        return "descents may miss accepted nodes, because under these models a node above an accepted one may be rejected"
    text = f"the time budget of {clock.budget:g} s ended before all {lattice.size:,} nodes were evaluated or inferred"
    return text if bound is None else f"{text}; no accepted node can have a better {evaluator.cost_names[0]} than {bound:.6g}"


def _counts(lattice: Lattice, findings: Findings) -> NodeCounts:
    """Count each node of the lattice once, even if it was evaluated for several subsets; ignore nodes outside the lattice."""
    checked = findings.evaluated | findings.evaluated_for_subsets
    known = (findings.accepted | findings.rejected) & ~checked & ~findings.pruned
    return NodeCounts(
        total=lattice.size,
        checked=checked.bit_count(),
        inferred=known.bit_count(),
        pruned=(findings.pruned & ~checked).bit_count() + lattice.size - findings.sets.size,
    )


def _reason(algorithm: str, findings: Findings, evaluator: Evaluator, clock: Clock, bound: Number, *, timed_out: bool) -> str:
    cost = evaluator.cost_names[0]
    if timed_out:
        open_nodes = (findings.candidates | findings.open).bit_count()
        text = f"the time budget of {clock.budget:g} s ended with {many(open_nodes, 'node')} open"
        return text if bound is None else f"{text}, none of which can have a better {cost} than {bound:.6g}"
    if algorithm == "samarati":
        return f"no lower height has an accepted node, and no node of this height has a better {cost}"
    if findings.evaluated == findings.sets.all:
        return "every node was evaluated, and no accepted node has a lower loss"
    skipped = findings.open.bit_count()
    text = "every node was evaluated or inferred"
    return f"{text}, except {skipped:,} that cannot have a lower loss" if skipped else text


def _shown(evaluator: Evaluator, best: NodeCost, loss: float) -> Number:
    """Return a loss of the first cost in the units of its metric."""
    return _first(evaluator, NodeCost(best.node, (loss, *best.losses[1:]), 0.0))


def _first(evaluator: Evaluator, cost: NodeCost) -> Number:
    return evaluator.shown(cost)[evaluator.cost_names[0]]
