"""Choose hierarchies for quasi-identifiers without one, by their type and a sample."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from kanon_sql.hierarchy import Dates, Intervals, Mask, MaskRule, Rule, Suppress
from kanon_sql.tables import Column

NEARLY_UNIQUE = 0.95
LONGEST_CODE = 10
INTERVALS_IN_RANGE = 16
FEW_VALUES = 8
MOST_DECIMALS = 18
LARGEST_UNITS = Decimal(10) ** 18  # larger numbers in units of the finest bound do not fit 64 bits


@dataclass(frozen=True)
class ColumnSample:
    """Counts and ranges of one column in a sample of the source."""

    values: int
    distinct: int
    shortest: int | None
    longest: int | None
    smallest: float | None
    largest: float | None

    @property
    def is_nearly_unique(self) -> bool:
        """Whether hardly any two rows share a value."""
        return self.values > 1 and self.distinct >= NEARLY_UNIQUE * self.values


def default_hierarchy(column: Column, sample: ColumnSample | None) -> Rule:
    """Return a reasonable hierarchy for a column, by its type and a sample."""
    if sample is None:
        return Suppress()
    if column.kind in ("date", "timestamp"):
        return Dates(dates=["month", "quarter", "year", "decade"])
    if sample.distinct <= FEW_VALUES:
        return Suppress()
    if sample.smallest is not None and sample.largest is not None and sample.largest > sample.smallest:
        width = _round_width((sample.largest - sample.smallest) / INTERVALS_IN_RANGE, whole=column.kind == "integer")
        decimals = max(0, -int(width.normalize().as_tuple().exponent))
        if decimals > MOST_DECIMALS or Decimal(max(-sample.smallest, sample.largest)).scaleb(decimals) >= LARGEST_UNITS:
            return Suppress()
        return Intervals(intervals=[width * factor for factor in (1, 2, 4, 8) if width * factor != 1 or column.kind != "integer"])
    if sample.shortest is not None and 1 < sample.shortest == (sample.longest or 0) <= LONGEST_CODE:
        return Mask(mask=MaskRule(hide=list(range(1, sample.shortest))))
    return Suppress()


def _round_width(width: float, *, whole: bool) -> Decimal:
    """Return the next of 1, 2, 5, 10, 20, 50 … above a width."""
    exponent = math.floor(math.log10(width))
    step = next(step for step in (1, 2, 5, 10) if step * 10.0**exponent >= width * (1 - 1e-9))
    rounded = Decimal(step).scaleb(exponent)
    return max(rounded, Decimal(1)) if whole else rounded


def finite(value: object) -> float | None:
    """Return the value as a finite number, None if it is not one."""
    return float(value) if isinstance(value, int | float | Decimal) and math.isfinite(value) else None
