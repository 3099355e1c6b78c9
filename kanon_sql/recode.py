"""Turns a solution into the recoding: its classes, each with labels and whether it is suppressed."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import FrequencyTable, Recoding, Solution
from kanon_sql.models import Model
from kanon_sql.workspace import Workspace


def recode(workspace: Workspace, frequencies: FrequencyTable, solution: Solution, models: Sequence[Model]) -> Recoding:
    """The classes of the solution's node."""
    keys = frequencies.key_parts(solution.node)
    table = workspace.create(
        "classes",
        "recode/full_domain",
        frequencies=frequencies.table,
        keys=keys,
        columns=list(zip(frequencies.columns, solution.node, strict=True)),
        models=models,
    )
    if keys:
        workspace.index(table, "key_1")
    workspace.forget(frequencies.table)
    classes, published, suppressed, smallest = workspace.fetch_one("recode/totals", classes=table)
    return Recoding(table, frequencies, solution.node, classes, published, suppressed, smallest)
