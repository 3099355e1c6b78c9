"""What a release must satisfy, and how many rows may be left out for it."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import Field, field_validator, model_serializer

from kanon_sql.policy.checked import Checked


class Privacy(Checked):
    """The privacy models a release must satisfy."""

    k: Annotated[int, Field(ge=2, strict=True)]


class Suppression(Checked):
    """How many rows may be left out: a share of them (a decimal) or a whole number."""

    limit: int | Decimal = 0

    @field_validator("limit", mode="before")
    @classmethod
    def _share_or_rows(cls, limit: object) -> object:
        if isinstance(limit, bool) or not isinstance(limit, int | float | Decimal):
            raise ValueError("must be a share such as 0.02 or a whole number of rows")
        if isinstance(limit, int):
            if limit < 0:
                raise ValueError("a number of rows cannot be negative")
            return limit
        share = Decimal(str(limit))
        if not (share.is_finite() and 0 <= share <= 1):
            raise ValueError("a share must lie between 0.0 and 1.0")
        return share

    def allowed_rows(self, rows: int) -> int:
        """The rows that may be left out of so many."""
        return self.limit if isinstance(self.limit, int) else int(self.limit * rows)

    @model_serializer
    def _short(self) -> int | float:
        return self.limit if isinstance(self.limit, int) else float(self.limit)
