"""The utility of a release as plain values: in total, per quasi-identifier, and the share of each in a loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kanon_sql.metrics import CELL_METRICS, METRICS, Cells, Number, as_loss, of_cells

Utility = dict[str, Any]
NOISE = 1e-13  # a relative difference this small counts as zero


@dataclass(frozen=True)
class ColumnCells:
    """One quasi-identifier of a release: the loss of its published cells, the bits they disclose, and its level."""

    name: str
    weight: float
    height: int | None
    level: int | None
    entropy: float  # of the whole column, in bits
    lost: Mapping[str, float | None]  # per metric of cells, summed over the published ones; None means not known
    disclosed: float | None  # the bits that labels disclose about values, summed

    def cells(self, metric: str) -> Cells | None:
        """Return the loss of the column's cells by a metric, or None."""
        lost = self.lost.get(metric)
        return None if lost is None else Cells(lost, self.entropy if METRICS[metric].in_bits else 1.0)

    def nonuniform(self, rows: int) -> float | None:
        """Return Σ −log P(value | cell): the bits of the values without labels, less the bits that labels disclose."""
        if self.disclosed is None:
            return None
        whole = rows * self.entropy
        remaining = whole - self.disclosed
        return remaining if remaining > NOISE * whole else 0.0


@dataclass(frozen=True)
class ClassSizes:
    """The sizes of the published classes."""

    smallest: int | None
    average: float | None
    largest: int | None
    median: float | None

    def to_dict(self) -> dict[str, Number]:
        """Return the sizes as plain values."""
        return {"min": self.smallest, "avg": self.average, "max": self.largest, "median": self.median}


def utility_of(
    rows: int, suppressed_rows: int, columns: Sequence[ColumnCells], of_classes: Mapping[str, Number], sizes: ClassSizes
) -> Utility:
    """Return every metric of a release; None means not known or not defined."""
    weights = [column.weight for column in columns]
    values: Utility = dict(of_classes)
    cm = of_classes.get("cm")
    values["cm_share"] = None if cm is None else cm / rows
    for metric in CELL_METRICS:
        cells = [column.cells(metric.name) for column in columns]
        known = [found for found in cells if found is not None]
        values[metric.name] = of_cells(metric.name, rows, suppressed_rows, known, weights) if len(known) == len(columns) else None
    bits = [column.nonuniform(rows) for column in columns]
    values["entropy_nonuniform"] = _sum(None if b is None else w * b for b, w in zip(bits, weights, strict=True))
    values["absdist"] = values["height"] = _sum(column.level for column in columns)
    values["reldist"] = _sum(_relative(column) for column in columns)
    values["suppression_rate"] = suppressed_rows / rows
    values["class_size"] = sizes.to_dict()
    values["per_column"] = {column.name: _of_column(rows, suppressed_rows, column) for column in columns}
    _add_shares(values["per_column"], columns)
    return values


def _relative(column: ColumnCells) -> float | None:
    if column.level is None or column.height is None:
        return None
    return column.level / column.height if column.height else 0.0


def _of_column(rows: int, suppressed_rows: int, column: ColumnCells) -> Utility:
    """Return the metrics of one quasi-identifier, as if it were the only one."""
    values: Utility = {"level": column.level, "height": column.height}
    for metric in CELL_METRICS:
        cells = column.cells(metric.name)
        values[metric.name] = None if cells is None else of_cells(metric.name, rows, suppressed_rows, [cells], [1.0])
    values["entropy_nonuniform"] = column.nonuniform(rows)
    return values


def _add_shares(per_column: dict[str, Utility], columns: Sequence[ColumnCells]) -> None:
    """Add the share of each quasi-identifier in the total loss, weights included; None if there is no loss."""
    for column in columns:
        per_column[column.name]["share"] = {}
    for name in (*(metric.name for metric in CELL_METRICS), "entropy_nonuniform"):
        values = [per_column[column.name][name] for column in columns]
        losses = [None if v is None else c.weight * as_loss(name, v) for c, v in zip(columns, values, strict=True)]
        total = _sum(losses)
        for column, loss in zip(columns, losses, strict=True):
            per_column[column.name]["share"][name] = loss / total if total and loss is not None else None


def _sum(values: Any) -> Any:
    """Return the sum, or None if a part is not known."""
    listed = list(values)
    return None if None in listed else sum(listed)
