"""How a solution was found, as plain values for JSON and as sentences for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.artifacts import Solution


def search_story(solution: Solution, names: Sequence[str]) -> dict[str, Any]:
    """The search as plain values: what was looked at, whether the solution is the best, and the minimal nodes."""
    nodes = solution.nodes
    return {
        "algorithm": solution.algorithm,
        "algorithm_reason": solution.choice,
        "cost": dict(solution.costs),
        "nodes": {"total": nodes.total, "checked": nodes.checked, "inferred": nodes.inferred, "pruned": nodes.pruned},
        "optimal": solution.optimal,
        "optimal_reason": solution.optimal_reason,
        "bound": solution.bound,
        "minimal": [{"levels": dict(zip(names, m.node, strict=True)), "cost": m.cost} for m in solution.minimal],
        "minimal_complete": solution.minimal_complete,
    }


def describe_search(solution: Solution) -> str:
    """The search in sentences."""
    nodes = solution.nodes
    known = [f"{count:,} {word}" for count, word in ((nodes.inferred, "inferred"), (nodes.pruned, "pruned by subset")) if count]
    text = f"{solution.algorithm} checked {nodes.checked:,} of {nodes.total:,} nodes"
    text += f" ({', '.join(known)})" if known else ""
    proven = "Proven best" if solution.optimal else "Not proven best"
    lines = [f"{text}. {proven}: {solution.optimal_reason}."]
    if solution.choice:
        lines.append(f"auto picked {solution.algorithm}: {solution.choice}.")
    return "\n".join(lines)
