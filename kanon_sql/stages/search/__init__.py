"""Search algorithms, one per file; each loops over nodes and asks the evaluator it is given."""

from __future__ import annotations

from collections.abc import Callable

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.artifacts import Solution, Verdict
from kanon_sql.errors import NoSolutionError
from kanon_sql.lattice import Lattice
from kanon_sql.stages.search.auto import DEFAULT_BUDGET, HELD_NODES, Choice
from kanon_sql.stages.search.clock import Clock, OutOfTime
from kanon_sql.stages.search.descent import Descent, narrow
from kanon_sql.stages.search.evaluator import Evaluator, rules_out
from kanon_sql.stages.search.findings import Findings
from kanon_sql.stages.search.flash import first_path
from kanon_sql.stages.search.group_bound import bound_by_groups
from kanon_sql.stages.search.solutions import from_descent, from_findings, from_path

__all__ = ["Evaluator", "search"]

BOUND_SHARE = 0.2  # of the time, for the bound on a lattice too large to be held


def search(
    algorithm: str, lattice: Lattice, evaluator: Evaluator, allowed_rows: int, *, time_budget: float | None = None, spent: float = 0.0
) -> Solution:
    """Return the node that the algorithm finds, with up to the allowed rows suppressed; of its budget some seconds are spent already."""
    named = ALGORITHMS[algorithm]
    choice: Choice = named.load_solver()(lattice) if named.solves == "choice" else Choice(algorithm, "")
    before = evaluator.verdicts([(0,) * len(lattice.heights)])[0]
    if named.solves == "path":
        verdict = named.load_solver()(lattice, evaluator, allowed_rows, before)
        _require_accepted(verdict, allowed_rows)
        return from_path(algorithm, lattice, evaluator, before, verdict)
    clock = Clock(
        DEFAULT_BUDGET if time_budget is None and lattice.size > HELD_NODES else time_budget, 0.0 if time_budget is None else spent
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
    """The best node found before the clock ends, on as much of the lattice as can hold one."""
    held = lattice
    try:
        if lattice.size > HELD_NODES:
            held = narrow(lattice, evaluator, allowed_rows, clock)
    except OutOfTime:
        pass
    first = [verdict for verdict in first if verdict.node in held]
    if held.size > HELD_NODES:
        share = Clock(None if clock.budget is None else min(clock.left, clock.budget) * BOUND_SHARE)
        least = bound_by_groups(held, evaluator, allowed_rows, share)
        descent = Descent(held, evaluator, allowed_rows, clock, least)
        descent.learn(first)
        ended = _runs_out(descent.run)
        if descent.best() is None:
            raise NoSolutionError("no node meets the policy", first[-1] if first else before)
        return from_descent(choice, lattice, held, descent, evaluator, before, clock, ended=ended)
    findings = Findings(held, evaluator, allowed_rows, clock)
    findings.learn(first)
    ended = _runs_out(lambda: _run(choice.algorithm, findings, clock))
    if findings.contest.winner() is None:
        raise NoSolutionError("no node meets the policy", max(findings.verdicts.values(), key=lambda v: -v.failing_rows))
    return from_findings(choice, lattice, findings, evaluator, before, clock, ended=ended)


def _run(algorithm: str, findings: Findings, clock: Clock) -> None:
    if not (findings.open or findings.candidates):
        return
    if clock.budget is not None:
        first_path(findings)  # whatever the algorithm finds late, this is known early
    ALGORITHMS[algorithm].load_solver()(findings)


def _runs_out(action: Callable[[], None]) -> bool:
    """Whether the time ended before the action did."""
    try:
        action()
    except OutOfTime:
        return True
    return False


def _require_accepted(verdict: Verdict, allowed_rows: int) -> None:
    if not verdict.is_within(allowed_rows):
        raise NoSolutionError("no node meets the policy", verdict)
