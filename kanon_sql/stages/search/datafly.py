"""Datafly: generalize the quasi-identifier with the most distinct values until few enough rows fail."""

from __future__ import annotations

from kanon_sql.artifacts import Verdict
from kanon_sql.lattice import Lattice, Node
from kanon_sql.stages.search.evaluator import Evaluator


def datafly(lattice: Lattice, evaluator: Evaluator, allowed_rows: int, before: Verdict) -> Verdict:
    """Return the verdict on the first accepted node of Datafly's path, or on the last node if none is accepted."""
    verdict = before if before.node == lattice.bottom else evaluator.verdicts([lattice.bottom])[0]
    for node in path(lattice, evaluator)[1:]:
        if verdict.is_within(allowed_rows):
            break
        verdict = evaluator.verdicts([node])[0]
    return verdict


def path(lattice: Lattice, evaluator: Evaluator) -> list[Node]:
    """Return the path from bottom to top that always generalizes the quasi-identifier with the most labels."""
    nodes = [lattice.bottom]
    while open_columns := lattice.can_rise(nodes[-1]):
        distinct = evaluator.distinct_labels(nodes[-1])
        widest = max(open_columns, key=lambda index: (distinct[index], -index))
        nodes.append(lattice.raised(nodes[-1], widest))
    return nodes
