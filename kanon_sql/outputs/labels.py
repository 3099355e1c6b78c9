"""The output `labels`: labels of the hierarchy, or ranges of values where regions are published."""

from __future__ import annotations

from typing import ClassVar

from kanon_sql.outputs.output import Output
from kanon_sql.outputs.sets import Sets
from kanon_sql.tables import Column


class Labels(Output):
    """One text column with a label."""

    name: ClassVar[str] = "labels"

    def for_regions(self, column: Column, *, has_hierarchy: bool) -> Output:
        return self if has_hierarchy or column.is_numeric else Sets()
