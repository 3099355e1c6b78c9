"""Turns a solution into the recoding: its classes, each with labels and whether it is suppressed."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import FrequencyTable, Recoding, Solution
from kanon_sql.bounds import bounds_table
from kanon_sql.errors import KanonError, NoSolutionError
from kanon_sql.models import Model
from kanon_sql.partition import Partition, RegionCells
from kanon_sql.region_labels import label_regions
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


def recode(workspace: Workspace, frequencies: FrequencyTable, solution: Solution, models: Sequence[Model]) -> Recoding:
    """The classes of the solution's node, or of its regions."""
    if solution.partition is not None:
        return _recode_regions(workspace, frequencies, solution.partition, models)
    keys = frequencies.key_parts(solution.node)
    columns = list(zip(frequencies.columns, solution.node, strict=True))
    shape = {"keys": keys, "columns": columns, "label": frequencies.label}
    classes = workspace.create("classes", "recode/classes", frequencies=frequencies.table, **shape)
    workspace.forget(frequencies.table)
    with_bounds = [(column, level) for column, level in columns if level and column.quasi_identifier.has_bounds]
    bounds = {column.number: bounds_table(workspace, column, level) for column, level in with_bounds}
    table = workspace.create("recoding", "recode/full_domain", classes=classes, models=models, bounds=bounds, **shape)
    workspace.forget(classes, *bounds.values())
    if keys:
        workspace.index(table, "key_1")
    count, published, suppressed, smallest = _totals(workspace, frequencies, table, solution.verdict.failing_rows)
    return Recoding(table, frequencies, solution.node, count, published, suppressed, smallest)


def _recode_regions(workspace: Workspace, frequencies: FrequencyTable, partition: Partition, models: Sequence[Model]) -> Recoding:
    """The classes of a partition: regions published alike are one class, and each combination knows its own."""
    regions, splits = partition.table, partition.rules.mode == "relaxed"
    has_label = frequencies.label is not None and not splits
    workspace.forget(frequencies.table)
    spans = label_regions(workspace, frequencies, partition)
    classes = workspace.create("region_classes", "recode/region_classes", spans=spans.table, labels=spans.labels)
    workspace.forget(spans.table)
    workspace.index(classes, "region")
    majorities = workspace.create("majorities", "recode/majorities", regions=regions, region_classes=classes) if has_label else None
    table = workspace.create(
        "recoding", "recode/regions", region_classes=classes, labels=spans.labels, models=models, majorities=majorities
    )
    workspace.index(table, "class")
    keys = len(frequencies.key_parts(frequencies.bottom))
    shape = {"keys": keys, "has_label": has_label, "splits": splits}
    assignments = workspace.create("assignments", "recode/assignments", regions=regions, region_classes=classes, **shape)
    if keys:
        workspace.index(assignments, "key_1")
    workspace.forget(regions, *([majorities] if majorities else []), *([partition.bounds] if partition.bounds else []))
    if partition.planned:
        _require_held(workspace, table)
    count, published, suppressed, smallest = _totals(workspace, frequencies, table, 0)
    cells = RegionCells(assignments, classes, keys, spans.labels, splits)
    return Recoding(table, frequencies, (), count, published, suppressed, smallest, cells)


def _require_held(workspace: Workspace, table: TableName) -> None:
    """Every region of a plan satisfies the policy today, or the run ends here."""
    *_, failing, _, _ = workspace.fetch_one("recode/totals", classes=table)
    if failing:
        raise NoSolutionError(
            f"the plan does not hold on today's table: {failing} rows are in regions that break the policy, and mondrian suppresses "
            "nothing; nothing was published: solve again and review the new plan"
        )


def _totals(workspace: Workspace, frequencies: FrequencyTable, table: TableName, failing_rows: int) -> tuple[int, int, int, int | None]:
    """Classes, rows published and suppressed, and the smallest class; they add up, or the run ends here."""
    count, published, suppressed, unlabelled, smallest = workspace.fetch_one("recode/totals", classes=table)
    if unlabelled or (published + suppressed, suppressed) != (frequencies.rows, failing_rows):
        raise KanonError(
            f"recoding {frequencies.rows} rows gave {published} to publish, {suppressed} to suppress and {unlabelled} classes "
            "without a label; nothing was published"
        )
    return count, published, suppressed, smallest
