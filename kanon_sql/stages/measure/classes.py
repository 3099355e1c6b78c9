"""Metrics of classes: of a recoding's, and of a released table's."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts.utility import ClassSizes
from kanon_sql.metrics import Metric, Number
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


def class_metrics(
    workspace: Workspace, classes: TableName, metrics: Sequence[Metric], *, rows: int, k: int, suppressed: str = "suppressed"
) -> dict[str, Number]:
    """The metrics' values; DM has none where the engine's whole numbers could not hold it."""
    held = [metric for metric in metrics if metric.name != "dm" or holds_dm(workspace, rows)]
    values: dict[str, Number] = dict.fromkeys(metric.name for metric in metrics)
    if held:
        shape = {"rows": rows, "k": k, "suppressed": suppressed}
        found = workspace.fetch_one("measure/classes/values", classes=classes, metrics=held, **shape)
        values |= {metric.name: value for metric, value in zip(held, found, strict=True)}
    return values


def holds_dm(workspace: Workspace, rows: int) -> bool:
    """Whether the DM of so many rows is exact on this engine, whatever their classes."""
    return rows * rows <= workspace.backend.largest_integer


def class_sizes(workspace: Workspace, classes: TableName) -> ClassSizes:
    """The sizes of the published classes."""
    return ClassSizes(*workspace.fetch_one("measure/classes/sizes", classes=classes))
