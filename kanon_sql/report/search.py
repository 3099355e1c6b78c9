"""The search of a solution, as plain values for JSON and as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.artifacts import Solution
from kanon_sql.policy import Policy


def search_to_dict(solution: Solution, names: Sequence[str]) -> dict[str, Any]:
    """Return the search as plain values: evaluated nodes, whether the solution is optimal, and the minimal nodes."""
    found = solution.search.to_dict(names)
    return {
        "algorithm": solution.algorithm,
        "algorithm_reason": found["algorithm_reason"],
        "cost": dict(solution.costs),
        "nodes": found["nodes"],
        "combinations": {"rows": solution.combinations, "persons": solution.person_combinations},
        **{key: found[key] for key in ("optimal", "optimal_reason", "bound", "minimal", "minimal_complete", "partition")},
    }


def describe_search(solution: Solution) -> str:
    """Return the search in sentences."""
    return "\n".join([solution.search.summary(solution.algorithm), *_describe_persons(solution)])


def _describe_persons(solution: Solution) -> list[str]:
    """Return a sentence on the additional combinations that counting persons needs, if it does."""
    if solution.person_combinations is None:
        return []
    counted = f"{solution.person_combinations:,} combinations with persons instead of {solution.combinations:,} combinations"
    return [f"The search counted {counted}, because the numbers of persons in classes cannot be added when classes are merged."]


def notes_on(solution: Solution, policy: Policy) -> tuple[str, ...]:
    """Return the notes on a run for its warnings."""
    notes = list(solution.search.notes)
    if policy.suppression.limit > 0 and ALGORITHMS[policy.algorithm].suppresses == "nothing":
        notes.append(f"the suppression limit is not used: {policy.algorithm} suppresses nothing")
    return tuple(notes)
