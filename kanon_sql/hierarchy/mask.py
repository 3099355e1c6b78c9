"""The hierarchy `mask`: text whose last characters are hidden step by step."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field, field_validator

from kanon_sql.hierarchy.rule import LabelForm, Rule, TemplateCall
from kanon_sql.tables import Column, ColumnKind


class MaskRule(BaseModel):
    """How many characters are hidden from the right at each level, and by which character."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    char: Annotated[str, Field(min_length=1, max_length=1)] = "*"
    hide: Annotated[list[int], Field(min_length=1)]

    @field_validator("hide")
    @classmethod
    def _grow(cls, hide: list[int]) -> list[int]:
        if hide[0] < 1 or any(more <= less for less, more in pairwise(hide)):
            raise ValueError("must be increasing whole numbers from 1, such as [1, 2, 3]")
        return hide


class Mask(Rule):
    """Text whose last characters are hidden step by step."""

    key: ClassVar[str] = "mask"
    kinds: ClassVar[tuple[ColumnKind, ...]] = ("text", "integer")
    hides_values: ClassVar[bool] = True
    mask: MaskRule

    @property
    def height(self) -> int:
        return len(self.mask.hide) + 1

    def labels(self, column: Column) -> TemplateCall:
        del column
        return TemplateCall("labels/levels/mask", {"hide": self.mask.hide, "char": ord(self.mask.char)})

    @property
    def label_form(self) -> LabelForm:
        return LabelForm(self.mask.hide, ord(self.mask.char))
