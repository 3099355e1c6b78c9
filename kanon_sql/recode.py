"""Turns a solution into the recoding: its classes, each with labels and whether it is suppressed."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import FrequencyTable, Recoding, Solution
from kanon_sql.bounds import bounds_table
from kanon_sql.errors import KanonError
from kanon_sql.models import Model
from kanon_sql.workspace import Workspace


def recode(workspace: Workspace, frequencies: FrequencyTable, solution: Solution, models: Sequence[Model]) -> Recoding:
    """The classes of the solution's node."""
    keys = frequencies.key_parts(solution.node)
    columns = list(zip(frequencies.columns, solution.node, strict=True))
    shape = {"keys": keys, "columns": columns, "label": frequencies.label}
    classes = workspace.create("classes", "recode/classes", frequencies=frequencies.table, **shape)
    workspace.forget(frequencies.table)
    bounds = {column.number: bounds_table(workspace, column, level) for column, level in columns if level and column.has_bounds}
    table = workspace.create("recoding", "recode/full_domain", classes=classes, models=models, bounds=bounds, **shape)
    workspace.forget(classes, *bounds.values())
    if keys:
        workspace.index(table, "key_1")
    count, published, suppressed, unlabelled, smallest = workspace.fetch_one("recode/totals", classes=table)
    if unlabelled or (published + suppressed, suppressed) != (frequencies.rows, solution.verdict.failing_rows):
        raise KanonError(
            f"recoding {frequencies.rows} rows gave {published} to publish, {suppressed} to suppress and {unlabelled} classes "
            "without a label; nothing was published"
        )
    return Recoding(table, frequencies, solution.node, count, published, suppressed, smallest)
