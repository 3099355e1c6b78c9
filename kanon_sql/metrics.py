"""The table of metrics: what each is computed from, and how it ranks nodes; a cost is a metric a search minimizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Number = int | float | None


@dataclass(frozen=True)
class Metric:
    """One metric: from cells (by the label table's column), from classes (by its template), or from the node itself."""

    name: str
    computed_from: Literal["cells", "shown cells", "classes", "labelled classes", "node"]
    cell: str = ""  # the column of label tables
    is_cost: bool = False  # a search can minimize it
    more_is_better: bool = False
    in_bits: bool = False  # the sum over all cells in bits, not the mean of losses between 0 and 1
    suppressed_row: Literal["", "one", "all rows"] = ""  # what each suppressed row adds

    @property
    def template(self) -> str:
        """The expression over classes that gives its value."""
        return f"metrics/{self.name}.sql"

    def turn(self, value: float) -> float:
        """Return the loss for a value (less is better), or the value for a loss."""
        if not self.more_is_better:
            return value
        return 1 - value if self.cell else -value


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("geniloss", "cells", "loss", is_cost=True),
        Metric("ncp", "cells", "ncp", is_cost=True),
        Metric("nllm", "cells", "nllm", is_cost=True),
        Metric("prec", "cells", "prec", is_cost=True, more_is_better=True),
        Metric("entropy", "cells", "entropy", is_cost=True, in_bits=True),
        Metric("dm", "classes", is_cost=True, suppressed_row="all rows"),
        Metric("c_avg", "classes", is_cost=True),
        Metric("classes", "classes", is_cost=True, more_is_better=True),
        Metric("cm", "labelled classes", is_cost=True, suppressed_row="one"),
        Metric("height", "node", is_cost=True),
        Metric("absdist", "node"),
        Metric("reldist", "node"),
        Metric("entropy_nonuniform", "shown cells", "shown"),
    )
}
RISKS: dict[str, Metric] = {
    name: Metric(name, "classes")
    for name in ("prosecutor_max", "prosecutor_average", "journalist_max", "marketer", "at_risk", "uniqueness")
}
INFORMATION: dict[str, Metric] = {name: Metric(name, "classes") for name in ("dr", "mi", "cp", "mil", "eld", "itpr")}
CELL_METRICS = tuple(metric for metric in METRICS.values() if metric.computed_from == "cells")
CLASS_METRICS = tuple(metric for metric in METRICS.values() if metric.computed_from in ("classes", "labelled classes"))
COSTS = tuple(metric.name for metric in METRICS.values() if metric.is_cost)


@dataclass(frozen=True)
class Goal:
    """What a search minimizes: costs in order, the weight of each quasi-identifier (1 on average), and k for costs relative to it."""

    costs: tuple[str, ...]
    weights: tuple[float, ...]
    k: int


@dataclass(frozen=True)
class Cells:
    """What the cells of one column lose: the published ones in total, and each suppressed one."""

    published: float
    whole: float


def of_cells(metric: str, rows: int, suppressed_rows: int, cells: Sequence[Cells], weights: Sequence[float]) -> float:
    """Return the value of a metric of cells, for a node or for a published table."""
    lost = sum(weight * (c.published + suppressed_rows * c.whole) for c, weight in zip(cells, weights, strict=True))
    return lost if METRICS[metric].in_bits else as_value(metric, lost / (rows * len(cells)))


def as_loss(metric: str, value: float) -> float:
    """Return the loss for a metric's value: less is better."""
    return METRICS[metric].turn(value)


def as_value(metric: str, loss: float) -> float:
    """Return the metric's value for a loss."""
    return METRICS[metric].turn(loss)


def scaled(weights: Sequence[float]) -> tuple[float, ...]:
    """Return the weights scaled to a mean of 1."""
    mean = sum(weights) / len(weights)
    return tuple(weight / mean for weight in weights)
