"""What a search found, as a solution: the node, how it was found, and whether it is proven to be the best."""

from __future__ import annotations

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.artifacts import LatticeSearch, MinimalNode, NodeAssignment, NodeCost, NodeCounts, Solution, Verdict
from kanon_sql.lattice import Lattice
from kanon_sql.metrics import Number
from kanon_sql.stages.search.auto import Choice
from kanon_sql.stages.search.clock import Clock
from kanon_sql.stages.search.contest import best_of
from kanon_sql.stages.search.descent import Descent
from kanon_sql.stages.search.evaluator import Evaluator
from kanon_sql.stages.search.findings import Findings
from kanon_sql.stages.search.samarati import lowest_accepted


def from_path(algorithm: str, lattice: Lattice, evaluator: Evaluator, before: Verdict, verdict: Verdict) -> Solution:
    """Return the first accepted node of a path, about which nothing is proven."""
    search = LatticeSearch(
        optimal=False,
        optimal_reason=f"{algorithm} is greedy: it follows one path of the lattice only",
        nodes=NodeCounts(lattice.size, sum(verdict.node) - sum(lattice.bottom) + 1),  # the path rises by one level at a time
    )
    costs = evaluator.shown(evaluator.costs([verdict])[0])
    return Solution(algorithm, NodeAssignment(verdict.node), verdict, before, search, costs)


def from_findings(
    choice: Choice, lattice: Lattice, findings: Findings, evaluator: Evaluator, before: Verdict, clock: Clock, *, ended: bool
) -> Solution:
    """The best node of the findings; every minimal node gets its cost if there is time."""
    minimal = findings.minimal()
    if choice.algorithm == "samarati" and not ended:
        minimal = lowest_accepted(findings)
        winner = best_of([findings.contest.costs[node] for node in minimal])
    else:
        winner = findings.contest.winner()
    if winner is None:
        raise AssertionError("a search without an accepted node ends earlier")
    if not ended:
        findings.price([findings.verdicts[node] for node in minimal])
    left = findings.contest.least_left() if ended else None
    bound = None if left is None else _shown(evaluator, winner, left)
    costs = findings.contest.costs
    finds_all = ALGORITHMS[choice.algorithm].finds_all_minimal
    search = LatticeSearch(
        optimal=not ended,
        optimal_reason=_reason(choice.algorithm, findings, evaluator, clock, bound, ended=ended),
        nodes=_counts(lattice, findings),
        choice=choice.why,
        bound=bound,
        minimal=tuple(MinimalNode(node, _first(evaluator, costs[node])) for node in minimal if node in costs),
        minimal_complete=not ended and findings.inherits and (finds_all or not findings.open),
    )
    verdict = findings.verdicts[winner.node]
    return Solution(choice.algorithm, NodeAssignment(winner.node), verdict, before, search, evaluator.shown(winner))


def from_descent(
    choice: Choice, lattice: Lattice, held: Lattice, descent: Descent, evaluator: Evaluator, before: Verdict, clock: Clock, *, ended: bool
) -> Solution:
    """The best node of a lattice too large to be held."""
    winner = descent.best()
    if winner is None:
        raise AssertionError("the top was accepted before")
    least = None if descent.least is None else _shown(evaluator, winner, descent.least)
    optimal = not ended and (evaluator.inherits or descent.reached_bound)
    search = LatticeSearch(
        optimal=optimal,
        optimal_reason=_descent_reason(lattice, descent, evaluator, clock, least, optimal=optimal, ended=ended),
        nodes=NodeCounts(lattice.size, len(descent.verdicts), len(descent.inferred), lattice.size - held.size),
        choice=choice.why,
        bound=None if optimal else least,
    )
    verdict = descent.verdicts[winner.node]
    return Solution(choice.algorithm, NodeAssignment(winner.node), verdict, before, search, evaluator.shown(winner))


def _descent_reason(
    lattice: Lattice, descent: Descent, evaluator: Evaluator, clock: Clock, least: Number, *, optimal: bool, ended: bool
) -> str:
    if optimal:
        return "no node can cost less" if descent.reached_bound else "every accepted node was reached by descents"
    if not ended:
        return "a node above an accepted one may be rejected under these models, so that descents do not reach every accepted node"
    text = f"the lattice has {lattice.size:,} nodes, and the time budget of {clock.budget:g} s ended before all were known"
    return text if least is None else f"{text}; the {evaluator.cost_names[0]} of a node can be no better than {least:.6g}"


def _counts(lattice: Lattice, findings: Findings) -> NodeCounts:
    """Each node of the lattice once, however often it is asked about; nodes outside of it do not count."""
    checked = findings.checked | findings.consulted
    known = (findings.accepted | findings.rejected) & ~checked & ~findings.pruned
    return NodeCounts(
        total=lattice.size,
        checked=checked.bit_count(),
        inferred=known.bit_count(),
        pruned=(findings.pruned & ~checked).bit_count() + lattice.size - findings.sets.size,
    )


def _reason(algorithm: str, findings: Findings, evaluator: Evaluator, clock: Clock, left: Number, *, ended: bool) -> str:
    cost = evaluator.cost_names[0]
    if ended:
        open_nodes = (findings.candidates | findings.open).bit_count()
        text = f"the time budget of {clock.budget:g} s ended with {open_nodes:,} nodes open"
        return text if left is None else f"{text}, none of which can have a better {cost} than {left:.6g}"
    if algorithm == "samarati":
        return f"the lowest height that has an accepted node, and the best {cost} of that height"
    if findings.checked == findings.sets.all:
        return f"every node was checked, and none has a better {cost}"
    left_out = findings.open.bit_count()
    text = "every node is checked or follows from a checked one"
    return f"{text}, but {left_out:,} that cannot have a better {cost}" if left_out else text


def _shown(evaluator: Evaluator, winner: NodeCost, loss: float) -> Number:
    """A loss of the first cost as that metric's own value."""
    return _first(evaluator, NodeCost(winner.node, (loss, *winner.losses[1:]), 0.0))


def _first(evaluator: Evaluator, cost: NodeCost) -> Number:
    return evaluator.shown(cost)[evaluator.cost_names[0]]
