"""The hierarchy `edges`: numbers in intervals between explicit edges."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Annotated, ClassVar

from pydantic import Field, field_validator

from kanon_sql.hierarchy.numbers import NumberLevel, NumberRule, finite


class Edges(NumberRule):
    """Numbers in intervals between explicit edges; below the first is `<lo`, from the last on `>=hi`."""

    key: ClassVar[str] = "edges"
    edges: Annotated[list[list[Decimal]], Field(min_length=1)]

    @field_validator("edges", mode="before")
    @classmethod
    def _one_level(cls, value: object) -> object:
        flat = isinstance(value, list) and value and not any(isinstance(level, Sequence) for level in value)
        return [value] if flat else value

    @field_validator("edges")
    @classmethod
    def _nest(cls, levels: list[list[Decimal]]) -> list[list[Decimal]]:
        for number, level in enumerate(levels, start=1):
            if not level or any(not edge.is_finite() for edge in level) or any(low >= high for low, high in pairwise(level)):
                raise ValueError(f"level {number} must be increasing numbers, such as [0, 18, 65]")
            for edge in level:
                finite(edge)
        for number, (fine, coarse) in enumerate(pairwise(levels), start=2):
            new = set(coarse) - set(fine)
            if new:
                raise ValueError(f"level {number} must only have edges of level {number - 1}; edges that are new: {len(new)}")
            if len(coarse) == len(fine):
                raise ValueError(f"level {number} has the same edges as level {number - 1}; remove one of the two")
        return levels

    @property
    def numbers(self) -> list[Decimal]:
        return [edge for level in self.edges for edge in level]

    @property
    def levels(self) -> list[NumberLevel]:
        return [NumberLevel("edges", edges=tuple(self.units(edge) for edge in level)) for level in self.edges]
