"""How a solution was found, as plain values for JSON and as sentences for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.artifacts import Solution
from kanon_sql.policy import Policy


def search_story(solution: Solution, names: Sequence[str]) -> dict[str, Any]:
    """Return the search as plain values: what was evaluated, whether the solution is the best, and the minimal nodes."""
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
    """Return what counting persons added to the search."""
    if solution.person_combinations is None:
        return []
    counted = f"{solution.person_combinations:,} combinations with persons, where rows alone have {solution.combinations:,}"
    return [f"Persons do not add up when classes join: the search counted {counted}, and cost accordingly."]


def notes_on(solution: Solution, policy: Policy) -> tuple[str, ...]:
    """Return what a user should know about a run."""
    notes = list(solution.search.notes)
    if policy.suppression.limit > 0 and ALGORITHMS[policy.algorithm].suppresses == "nothing":
        notes.append(f"the suppression limit is not used: {policy.algorithm} suppresses nothing")
    return tuple(notes)
