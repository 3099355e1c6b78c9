"""The output `mean`: one number, the mean of a region's values."""

from __future__ import annotations

from typing import ClassVar

from kanon_sql.outputs.midpoint import Midpoint


class Mean(Midpoint):
    """One column of floating-point numbers."""

    name: ClassVar[str] = "mean"
    needs_mean: ClassVar[bool] = True
    expression: ClassVar[str] = "labels/regions/outputs/mean.sql"
