"""How a solution was found, as plain values for JSON and as sentences for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kanon_sql.artifacts import Solution
from kanon_sql.partition import Partition


def search_story(solution: Solution, names: Sequence[str]) -> dict[str, Any]:
    """The search as plain values: what was looked at, whether the solution is the best, and the minimal nodes."""
    nodes = solution.nodes
    return {
        "algorithm": solution.algorithm,
        "algorithm_reason": solution.choice,
        "cost": dict(solution.costs),
        "nodes": {"total": nodes.total, "checked": nodes.checked, "inferred": nodes.inferred, "pruned": nodes.pruned},
        "combinations": {"rows": solution.combinations, "persons": solution.person_combinations},
        "optimal": solution.optimal,
        "optimal_reason": solution.optimal_reason,
        "bound": solution.bound,
        "minimal": [{"levels": dict(zip(names, m.node, strict=True)), "cost": m.cost} for m in solution.minimal],
        "minimal_complete": solution.minimal_complete,
        "partition": None if solution.partition is None else partition_story(solution.partition, names),
    }


def partition_story(partition: Partition, names: Sequence[str]) -> dict[str, Any]:
    """A partition as plain values: by which rules, rounds, regions, cuts per quasi-identifier, statements."""
    return {
        **partition.rules.model_dump(),
        "rounds": partition.rounds,
        "regions": partition.regions,
        "cuts": dict(zip(names, partition.cuts, strict=True)),
        "statements": partition.statements,
    }


def describe_search(solution: Solution) -> str:
    """The search in sentences."""
    return "\n".join([_describe_found(solution), *_describe_persons(solution)])


def _describe_persons(solution: Solution) -> list[str]:
    """What counting persons added to the search."""
    if solution.person_combinations is None:
        return []
    counted = f"{solution.person_combinations:,} combinations with persons, where rows alone have {solution.combinations:,}"
    return [f"Persons do not add up when classes join: the search counted {counted}, and cost accordingly."]


def _describe_found(solution: Solution) -> str:
    if solution.partition is not None:
        return _describe_partition(solution.partition)
    nodes = solution.nodes
    known = [f"{count:,} {word}" for count, word in ((nodes.inferred, "inferred"), (nodes.pruned, "pruned by subset")) if count]
    text = f"{solution.algorithm} checked {nodes.checked:,} of {nodes.total:,} nodes"
    text += f" ({', '.join(known)})" if known else ""
    proven = "Proven best" if solution.optimal else "Not proven best"
    lines = [f"{text}. {proven}: {solution.optimal_reason}."]
    if solution.choice:
        lines.append(f"auto picked {solution.algorithm}: {solution.choice}.")
    return "\n".join(lines)


def _describe_partition(partition: Partition) -> str:
    who = "the plan" if partition.planned else f"mondrian ({partition.rules.mode})"
    text = f"{who} made {sum(partition.cuts):,} cuts in {partition.rounds} rounds"
    return f"{text} and {partition.statements} statements: {partition.regions:,} regions; those published alike are one class."


def notes_on(solution: Solution, *, has_limit: bool) -> tuple[str, ...]:
    """What a user of Mondrian should know of a run."""
    notes = []
    if solution.partition is not None and solution.partition.planned:
        notes.append("the regions are those of the plan, published by the bounds of its cuts")
    elif solution.algorithm != "mondrian":
        return ()
    if has_limit:
        notes.append("the suppression limit is not used: mondrian suppresses nothing")
    if solution.partition is not None and solution.partition.was_anonymous:
        notes.append(
            "the table satisfied the policy as it was, and was cut into regions all the same; to keep such a table as it is, write "
            "mondrian: {keep_if_anonymous: true}"
        )
    return tuple(notes)
