"""Search algorithms, one per module. Each chooses nodes and sends them to the evaluator."""

from __future__ import annotations

from collections.abc import Callable

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.artifacts import Solution, Verdict
from kanon_sql.errors import NoSolutionError
from kanon_sql.lattice import Lattice
from kanon_sql.stages.search.auto import DEFAULT_BUDGET, MAX_NODES_IN_MEMORY, Choice
from kanon_sql.stages.search.clock import Clock, OutOfTime
from kanon_sql.stages.search.descent import Descent, narrow
from kanon_sql.stages.search.evaluator import Evaluator, rules_out
from kanon_sql.stages.search.findings import Findings
from kanon_sql.stages.search.flash import first_path
from kanon_sql.stages.search.group_bound import bound_by_groups
from kanon_sql.stages.search.solutions import from_descent, from_findings, from_path

__all__ = ["Evaluator", "search"]

BOUND_TIME_SHARE = 0.2  # of the remaining time, for the lower bound of a lattice too large for memory


def search(
    algorithm: str, lattice: Lattice, evaluator: Evaluator, allowed_rows: int, *, time_budget: float | None = None, spent: float = 0.0
) -> Solution:
    """Return the node that the algorithm finds with at most the allowed rows suppressed; `spent` seconds of the budget are already used."""
    named = ALGORITHMS[algorithm]
    choice: Choice = named.load_solver()(lattice) if named.solves == "choice" else Choice(algorithm, "")
    before = evaluator.verdicts([(0,) * len(lattice.heights)])[0]
    if named.solves == "path":
        verdict = named.load_solver()(lattice, evaluator, allowed_rows, before)
        _require_accepted(verdict, allowed_rows)
        return from_path(algorithm, lattice, evaluator, before, verdict)
    clock = Clock(
        DEFAULT_BUDGET if time_budget is None and lattice.size > MAX_NODES_IN_MEMORY else time_budget, 0.0 if time_budget is None else spent
    )
    first = [before] if before.node == lattice.bottom else []
    if lattice.top != before.node:
        first += evaluator.verdicts([lattice.top])
    if rules_out(evaluator, first[-1], allowed_rows):
        raise NoSolutionError("no node meets the policy", first[-1])
    return _search_within(choice, lattice, evaluator, allowed_rows, clock, before, first)


def _search_within(
    choice: Choice, lattice: Lattice, evaluator: Evaluator, allowed_rows: int, clock: Clock, before: Verdict, first: list[Verdict]
) -> Solution:
    """Return the best node found within the time, in the part of the lattice that can contain accepted nodes."""
    narrowed = lattice
    try:
        if lattice.size > MAX_NODES_IN_MEMORY:
            narrowed = narrow(lattice, evaluator, allowed_rows, clock)
    except OutOfTime:
        pass
    first = [verdict for verdict in first if verdict.node in narrowed]
    if narrowed.size > MAX_NODES_IN_MEMORY:
        share = Clock(None if clock.budget is None else min(clock.remaining, clock.budget) * BOUND_TIME_SHARE)
        lower_bound = bound_by_groups(narrowed, evaluator, allowed_rows, share)
        descent = Descent(narrowed, evaluator, allowed_rows, clock, lower_bound)
        descent.add_verdicts(first)
        timed_out = _ran_out_of_time(descent.run)
        if descent.best() is None:
            raise NoSolutionError("no node meets the policy", first[-1] if first else before)
        return from_descent(choice, lattice, narrowed, descent, evaluator, before, clock, timed_out=timed_out)
    findings = Findings(narrowed, evaluator, allowed_rows, clock)
    findings.add_verdicts(first)
    timed_out = _ran_out_of_time(lambda: _run(choice.algorithm, findings, clock))
    if findings.ranking.best_node() is None:
        raise NoSolutionError("no node meets the policy", max(findings.verdicts.values(), key=lambda v: -v.failing_rows))
    return from_findings(choice, lattice, findings, evaluator, before, clock, timed_out=timed_out)


def _run(algorithm: str, findings: Findings, clock: Clock) -> None:
    if not (findings.open or findings.candidates):
        return
    if clock.budget is not None:
        first_path(findings)  # a good node early, in case the time runs out
    ALGORITHMS[algorithm].load_solver()(findings)


def _ran_out_of_time(action: Callable[[], None]) -> bool:
    """Run the action; return whether the time ended first."""
    try:
        action()
    except OutOfTime:
        return True
    return False


def _require_accepted(verdict: Verdict, allowed_rows: int) -> None:
    if not verdict.is_within(allowed_rows):
        raise NoSolutionError("no node meets the policy", verdict)
