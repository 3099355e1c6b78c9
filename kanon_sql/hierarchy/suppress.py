"""The hierarchy `suppress`: the value, then the root."""

from __future__ import annotations

from typing import ClassVar, Literal

from kanon_sql.hierarchy.rule import Rule, TemplateCall
from kanon_sql.tables import Column


class Suppress(Rule):
    """The value, then the root."""

    key: ClassVar[str] = "suppress"
    is_bare: ClassVar[bool] = True
    groups_values: ClassVar[bool] = False
    has_bounds: ClassVar[bool] = True
    suppress: Literal[True] = True

    @property
    def height(self) -> int:
        return 1

    def labels(self, column: Column) -> TemplateCall:
        del column
        return TemplateCall("labels/levels/suppress", {})

    def to_policy(self) -> str:
        return self.key
