"""Explains why no node meets a policy, and what would help."""

from __future__ import annotations

from kanon_sql.artifacts import FrequencyTable, Verdict
from kanon_sql.common.spelling import many
from kanon_sql.judge.arguments import ClassArguments, combination_tables, model_arguments
from kanon_sql.lattice import Lattice
from kanon_sql.models import Rules
from kanon_sql.stages.evaluate.nodes import NodeEvaluator
from kanon_sql.workspace import Workspace


def explain_unmet(
    workspace: Workspace, frequencies: FrequencyTable, lattice: Lattice, rules: Rules, allowed_rows: int, best: Verdict
) -> str:
    """Return the best verdict in words: rows that fail, the highest reachable k, and the limits that prevent a solution."""
    evaluator = NodeEvaluator(workspace, frequencies, rules)
    (best,) = evaluator.verdicts([best.node])
    names = [column.column.name for column in frequencies.columns]
    levels = ", ".join(f"{name}={level}" for name, level in zip(names, best.node, strict=True))
    where = "with every quasi-identifier at its root" if best.node == lattice.heights else f"at the highest allowed levels ({levels})"
    sizes = model_arguments(rules.sizes_only(), (), persons=frequencies.counts_persons)
    classes = ClassArguments(combination_tables(frequencies), frequencies.key_parts(best.node), sizes)
    (k,) = workspace.fetch_one("evaluate/reachable_k", **classes.to_dict(), allowed_rows=allowed_rows)
    if best.failing_rows <= allowed_rows:
        risk = (best.classes - best.failing_classes) / (frequencies.rows - best.failing_rows)
        return f"no node meets the policy: even {where}, the average risk is {risk:.6g}. What would help: a higher average_risk"
    helps = [f"a suppression limit of {many(best.failing_rows, 'row')}"] if best.failing_rows < frequencies.rows else []
    other_models = [model.in_words() for model in rules if model.values is not None]
    if other_models:
        helps.append(f"weaker rules than {', '.join(other_models)}")
    for index, verdict in _without_limit(evaluator, lattice, best)[:3]:
        limit = f"max_level: {best.node[index]} of column {names[index]!r}"
        rows = many(verdict.failing_rows, "row")
        helps.append(f"removing {limit}, or removing the column from the quasi-identifiers ({rows} would still fail)")
    limited = [repr(names[index]) for index in _limited(lattice, best)]
    if not helps:  # no single limit is enough
        helps = [f"raising or removing max_level of several of the columns {', '.join(limited)}"]
    failing = f"{many(best.failing_rows, 'row')} {'fails' if best.failing_rows == 1 else 'fail'}"
    return (
        f"no node meets the policy: even {where}, {failing}, and the suppression limit allows {allowed_rows}; "
        f"the highest reachable k is {k}. What would help: {'; '.join(helps)}"
    )


def _limited(lattice: Lattice, best: Verdict) -> list[int]:
    """Return the quasi-identifiers that a limit keeps below their root."""
    return [index for index, level in enumerate(best.node) if level < lattice.heights[index]]


def _without_limit(evaluator: NodeEvaluator, lattice: Lattice, best: Verdict) -> list[tuple[int, Verdict]]:
    """Return the quasi-identifiers whose limit matters, each with the verdict without that limit, the most helpful first."""
    limited = _limited(lattice, best)
    nodes = [(*best.node[:index], lattice.heights[index], *best.node[index + 1 :]) for index in limited]
    pairs = list(zip(limited, evaluator.verdicts(nodes), strict=True)) if nodes else []
    return sorted((pair for pair in pairs if pair[1].failing_rows < best.failing_rows), key=lambda pair: (pair[1].failing_rows, pair[0]))
