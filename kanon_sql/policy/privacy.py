"""The privacy models a release must satisfy, and how many rows may be left out for them."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, create_model, field_validator, model_serializer, model_validator

from kanon_sql.common.checked import Checked
from kanon_sql.models import VALUE_RULES, AverageRisk, KAnonymity, Rules, ValueRule, plain
from kanon_sql.models.value_rule import Number


class _Size(Checked):
    k: Annotated[int, Field(ge=2, strict=True)] = 1  # not set


def _one_or_more(value: object) -> object:
    return (value,) if isinstance(value, dict) else value


if TYPE_CHECKING:
    _ValueRules = _Size
else:  # one key per rule on sensitive columns
    _ValueRules = create_model(
        "_ValueRules",
        __base__=_Size,
        **{key: (Annotated[tuple[rule, ...], BeforeValidator(_one_or_more)], ()) for key, rule in VALUE_RULES.items()},
    )


class Privacy(_ValueRules):
    """The privacy models a release must satisfy: k, the rules on sensitive columns, and the average risk."""

    average_risk: Number | None = None

    @model_validator(mode="after")
    def _asks_for_something(self) -> Self:
        if self.k == 1 and self.average_risk is None and not self.value_rules:
            raise ValueError(f"no privacy model is set: write k, {', '.join(VALUE_RULES)} or average_risk")
        if self.average_risk is not None and not 0 < self.average_risk <= 1:
            raise ValueError("average_risk must be above 0 and at most 1; it is the number of classes per published row")
        return self

    @property
    def value_rules(self) -> tuple[tuple[str, int, ValueRule], ...]:
        """The rules on sensitive columns, each with its key and its index there."""
        return tuple((key, place, rule) for key in VALUE_RULES for place, rule in enumerate(getattr(self, key)))

    @property
    def least_k(self) -> int:
        """The k that every class must reach; 1 means not set."""
        return self.rules().k

    def rules(self, *, persons: bool = False) -> Rules:
        """Return the models that must hold; if persons are counted, a class without persons fails."""
        models = [model for _, _, rule in self.value_rules for model in rule.models()]
        sizes = [model.k for model in models if isinstance(model, KAnonymity)]
        k = max([self.k, *sizes])
        least = (KAnonymity(k),) if k > 1 or persons else ()
        others = dict.fromkeys(model for model in models if not isinstance(model, KAnonymity))
        return Rules((*least, *others), None if self.average_risk is None else AverageRisk(self.average_risk))

    @model_serializer
    def _short(self) -> dict[str, Any]:
        short: dict[str, Any] = {} if self.k == 1 else {"k": self.k}
        for key, _, rule in self.value_rules:
            short.setdefault(key, []).append(rule.model_dump(exclude_defaults=True))
        return short if self.average_risk is None else {**short, "average_risk": plain(self.average_risk)}


class Suppression(Checked):
    """How many rows may be suppressed: a share (a decimal) or a number; one by one, or with all rows of the same person."""

    limit: int | Decimal = 0
    unit: Literal["row", "entity"] = "row"

    @field_validator("limit", mode="before")
    @classmethod
    def _share_or_rows(cls, limit: object) -> object:
        if isinstance(limit, bool) or not isinstance(limit, int | float | Decimal):
            raise ValueError("must be a share such as 0.02, or a whole number of rows")
        if isinstance(limit, int):
            if limit < 0:
                raise ValueError("a number of rows cannot be negative")
            return limit
        share = Decimal(str(limit))
        if not (share.is_finite() and 0 <= share <= 1):
            raise ValueError("a share must lie between 0.0 and 1.0")
        return share

    def allowed_rows(self, rows: int) -> int:
        """Return how many of the rows may be suppressed."""
        return self.limit if isinstance(self.limit, int) else int(self.limit * rows)

    @model_serializer
    def _short(self) -> int | float | dict[str, Any]:
        limit = self.limit if isinstance(self.limit, int) else float(self.limit)
        return limit if self.unit == "row" else {"limit": limit, "unit": self.unit}
