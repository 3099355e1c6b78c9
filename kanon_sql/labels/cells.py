"""The information loss of cells: which columns must be queried, and the sums as losses of every column."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import CodedColumn, FrequencyTable
from kanon_sql.lattice import Node
from kanon_sql.metrics import METRICS

Losses = dict[str, list[float]]  # per column of the label tables, one sum per quasi-identifier


def whole_loss(column: CodedColumn, name: str) -> float:
    """Return the loss of a suppressed cell of the column."""
    return column.losses[METRICS[name].cell][-1].highest if METRICS[name].in_bits else 1.0


def carried_columns(frequencies: FrequencyTable, node: Node) -> list[tuple[CodedColumn, int]]:
    """Return the columns whose loss depends on the label: those between leaf and root."""
    return [(column, level) for column, level in zip(frequencies.columns, node, strict=True) if 0 < level < column.height]


def spread_cells(frequencies: FrequencyTable, node: Node, cells: Sequence[str], sums: Sequence[float], rows: int) -> Losses:
    """Return the losses of all columns from the sums over labels: a leaf loses nothing, the root the same in every row."""
    losses: Losses = {}
    for index, cell in enumerate(cells):
        of_carried = iter(sums[index * len(node) :])
        losses[cell] = [
            float(next(of_carried)) if 0 < level < column.height else rows * column.losses[cell][level].highest
            for column, level in zip(frequencies.columns, node, strict=True)
        ]
    return losses
