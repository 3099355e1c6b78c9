"""Metrics of the classes of a recoding or of a released table."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts.utility import ClassSizes
from kanon_sql.metrics import Metric, Number
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


def class_metrics(
    workspace: Workspace, classes: TableName, metrics: Sequence[Metric], *, rows: int, k: int, suppressed: str = "suppressed"
) -> dict[str, Number]:
    """Return the values of the metrics; DM is None if it could exceed the engine's largest integer."""
    computable = [metric for metric in metrics if metric.name != "dm" or is_dm_exact(workspace, rows)]
    values: dict[str, Number] = dict.fromkeys(metric.name for metric in metrics)
    if computable:
        shape = {"rows": rows, "k": k, "suppressed": suppressed}
        found = workspace.fetch_one("measure/classes/values", classes=classes, metrics=computable, **shape)
        values |= {metric.name: value for metric, value in zip(computable, found, strict=True)}
    return values


def is_dm_exact(workspace: Workspace, rows: int) -> bool:
    """Return whether the engine's integers can hold the DM of any classes of n rows."""
    return rows * rows <= workspace.backend.largest_integer


def class_sizes(workspace: Workspace, classes: TableName) -> ClassSizes:
    """Return the sizes of the published classes."""
    return ClassSizes(*workspace.fetch_one("measure/classes/sizes", classes=classes))
