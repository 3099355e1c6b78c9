"""Why no node meets a policy, and what would help."""

from __future__ import annotations

from kanon_sql.artifacts import FrequencyTable, Verdict
from kanon_sql.judge.arguments import classes_at, combination_tables
from kanon_sql.lattice import Lattice
from kanon_sql.models import Rules
from kanon_sql.stages.evaluate.nodes import NodeEvaluator
from kanon_sql.workspace import Workspace


def explain_unmet(
    workspace: Workspace, frequencies: FrequencyTable, lattice: Lattice, rules: Rules, allowed_rows: int, best: Verdict
) -> str:
    """The best verdict in words: rows that fail, the k that can be reached, which limit stands in the way."""
    evaluator = NodeEvaluator(workspace, frequencies, rules)
    (best,) = evaluator.verdicts([best.node])
    names = [column.column.name for column in frequencies.columns]
    levels = ", ".join(f"{name}={level}" for name, level in zip(names, best.node, strict=True))
    place = "with every quasi-identifier at its root" if best.node == lattice.heights else f"at the highest allowed levels ({levels})"
    (k,) = workspace.fetch_one(
        "evaluate/reachable_k",
        **classes_at(frequencies, best.node, combination_tables(frequencies)),
        carried=(),
        persons=frequencies.counts_persons,
        counted="persons" if frequencies.counts_persons else "class_size",
        allowed_rows=allowed_rows,
    )
    if best.failing_rows <= allowed_rows:
        risk = (best.classes - best.failing_classes) / (frequencies.rows - best.failing_rows)
        return f"no node meets the policy: even {place} the average risk is {risk:.6g}. What would help: a higher average_risk"
    helps = [f"a suppression limit of {best.failing_rows} rows"] if best.failing_rows < frequencies.rows else []
    beside_k = [model.in_words() for model in rules if model.values is not None]
    if beside_k:
        helps.append(f"weaker rules than {', '.join(beside_k)}")
    for index, verdict in _freed(evaluator, lattice, best)[:3]:
        limit = f"max_level: {best.node[index]} of column {names[index]!r}"
        helps.append(f"dropping {limit}, or the column from the quasi-identifiers ({verdict.failing_rows} rows would fail)")
    held = [repr(names[index]) for index in _held(lattice, best)]
    if not helps:  # no limit alone, so several at once
        helps = [f"a higher max_level of several of the columns {', '.join(held)}, or none"]
    return (
        f"no node meets the policy: even {place} {best.failing_rows} rows fail, and the suppression limit allows {allowed_rows}; "
        f"the best reachable k is {k}. What would help: {'; '.join(helps)}"
    )


def _held(lattice: Lattice, best: Verdict) -> list[int]:
    """The quasi-identifiers that a limit keeps below their root."""
    return [index for index, level in enumerate(best.node) if level < lattice.heights[index]]


def _freed(evaluator: NodeEvaluator, lattice: Lattice, best: Verdict) -> list[tuple[int, Verdict]]:
    """The quasi-identifiers whose limit stands in the way, each with the verdict without it, the most helpful first."""
    held = _held(lattice, best)
    nodes = [(*best.node[:index], lattice.heights[index], *best.node[index + 1 :]) for index in held]
    pairs = list(zip(held, evaluator.verdicts(nodes), strict=True)) if nodes else []
    return sorted((pair for pair in pairs if pair[1].failing_rows < best.failing_rows), key=lambda pair: (pair[1].failing_rows, pair[0]))
