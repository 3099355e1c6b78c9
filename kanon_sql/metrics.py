"""The table of metrics: what each is computed from, and how it ranks nodes; a cost is a metric a search minimizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

CostName = Literal["geniloss", "ncp", "nllm", "dm", "c_avg", "classes", "prec", "height", "entropy", "cm"]
Number = int | float | None


@dataclass(frozen=True)
class Metric:
    """One metric: from cells (by the label table's column), from classes (by its template), or from the node itself."""

    name: str
    computed_from: Literal["cells", "told cells", "classes", "labelled classes", "node"]
    cell: str = ""

    @property
    def template(self) -> str:
        """The expression over classes that gives its value."""
        return f"metrics/{self.name}.sql"


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("geniloss", "cells", "loss"),
        Metric("ncp", "cells", "ncp"),
        Metric("nllm", "cells", "nllm"),
        Metric("prec", "cells", "prec"),
        Metric("entropy", "cells", "entropy"),
        Metric("dm", "classes"),
        Metric("c_avg", "classes"),
        Metric("classes", "classes"),
        Metric("cm", "labelled classes"),
        Metric("height", "node"),
        Metric("absdist", "node"),
        Metric("reldist", "node"),
        Metric("entropy_nonuniform", "told cells", "told"),
    )
}
RISKS: dict[str, Metric] = {
    name: Metric(name, "classes")
    for name in ("prosecutor_max", "prosecutor_average", "journalist_max", "marketer", "at_risk", "uniqueness")
}
INFORMATION: dict[str, Metric] = {name: Metric(name, "classes") for name in ("dr", "mi", "cp", "mil", "eld", "itpr")}
MORE_IS_BETTER = ("prec", "classes")
CELL_METRICS = tuple(metric for metric in METRICS.values() if metric.computed_from == "cells")


@dataclass(frozen=True)
class Goal:
    """What a search minimizes: costs in order, each quasi-identifier's weight (of mean 1), and k for what is relative to it."""

    costs: tuple[CostName, ...]
    weights: tuple[float, ...]
    k: int


@dataclass(frozen=True)
class Cells:
    """What one column's cells lose: those published by their labels, each suppressed one wholly."""

    published: float
    whole: float


def of_cells(metric: str, rows: int, suppressed_rows: int, cells: Sequence[Cells], weights: Sequence[float]) -> float:
    """The value of a metric of cells: of a node and of a published table alike."""
    lost = sum(weight * (c.published + suppressed_rows * c.whole) for c, weight in zip(cells, weights, strict=True))
    return lost if metric == "entropy" else as_value(metric, lost / (rows * len(cells)))


def as_loss(metric: str, value: float) -> float:
    """A metric's value so that less is better."""
    match metric:
        case "prec":
            return 1 - value
        case "classes":
            return -value
        case _:
            return value


def as_value(metric: str, loss: float) -> float:
    """The metric's value again."""
    return as_loss(metric, loss)  # both turns are their own inverse


def scaled(weights: Sequence[float]) -> tuple[float, ...]:
    """Weights whose mean is 1."""
    mean = sum(weights) / len(weights)
    return tuple(weight / mean for weight in weights)
