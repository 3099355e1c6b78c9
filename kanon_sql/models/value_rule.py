"""The base class of the rules on sensitive columns in a policy; each asks for one or more models."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from decimal import Decimal
from typing import Annotated, ClassVar, Self

from pydantic import BeforeValidator, Field, PlainSerializer, model_validator

from kanon_sql.common.checked import Checked
from kanon_sql.models.model import Model, Values, plain

MOST_DIGITS = 15


def _as_written(value: object) -> object:
    """Return a number in decimal, exactly as it was written."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ValueError("must be a number")
    number = Decimal(str(value))
    if not number.is_finite() or len(number.as_tuple().digits) > MOST_DIGITS or abs(number.adjusted()) > MOST_DIGITS:
        raise ValueError(f"must be a number of at most {MOST_DIGITS} digits")
    return number


Number = Annotated[Decimal, BeforeValidator(_as_written), PlainSerializer(plain)]
Whole = Annotated[int, Field(ge=1, strict=True)]


class ValueRule(Checked):
    """A rule on one sensitive column: on its values, those of a level of its hierarchy, or bins of equal width."""

    key: ClassVar[str]  # the key under privacy in a policy
    ungrouped_kinds: ClassVar[tuple[str, ...]] = ()  # kinds that use a hierarchy without grouping values by a level of it
    needs_shared_values: ClassVar[bool] = False  # it protects little if nearly every row has another value
    column: str
    level: Annotated[int, Field(ge=0, strict=True)] | None = None
    bins: Annotated[int, Field(ge=2, strict=True)] | None = None

    @model_validator(mode="after")
    def _one_grouping(self) -> Self:
        if self.level is not None and self.bins is not None:
            raise ValueError("group values either by level or by bins")
        return self

    @property
    def values(self) -> Values:
        """The values it is about."""
        return Values(self.column, self.level or 0, self.bins)

    @property
    def needs_hierarchy(self) -> bool:
        """Whether its column must have a hierarchy."""
        return bool(self.level)

    @abstractmethod
    def models(self) -> Iterator[Model]:
        """Yield the models it asks for."""
