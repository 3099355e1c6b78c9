"""Why no node meets a policy, and what would help."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import FrequencyTable, Verdict
from kanon_sql.evaluate.nodes import NodeEvaluator
from kanon_sql.lattice import Lattice
from kanon_sql.models import Model
from kanon_sql.workspace import Workspace


def explain_unmet(
    workspace: Workspace, frequencies: FrequencyTable, lattice: Lattice, models: Sequence[Model], allowed_rows: int, best: Verdict
) -> str:
    """The best verdict in words: rows that fail, the k that can be reached, which limit stands in the way."""
    names = [column.column.name for column in frequencies.columns]
    levels = ", ".join(f"{name}={level}" for name, level in zip(names, best.node, strict=True))
    place = "with every quasi-identifier at its root" if best.node == lattice.heights else f"at the highest allowed levels ({levels})"
    (k,) = workspace.fetch_one(
        "evaluate/reachable_k",
        frequencies=frequencies.table,
        keys=frequencies.key_parts(best.node),
        carried=(),
        label=frequencies.label,
        allowed_rows=allowed_rows,
    )
    helps = [f"a suppression limit of {best.failing_rows} rows"] if best.failing_rows < frequencies.rows else []
    for index, verdict in _freed(NodeEvaluator(workspace, frequencies, models), lattice, best)[:3]:
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
