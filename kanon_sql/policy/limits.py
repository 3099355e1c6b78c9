"""Limits on the information loss and the risk of a release, and the queries that compare it with its source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pydantic import RootModel, field_validator, model_serializer

from kanon_sql.common.checked import Checked
from kanon_sql.common.spelling import did_you_mean
from kanon_sql.metrics import INFORMATION, METRICS, RISKS

UTILITY_LIMITS = (*METRICS, "cm_share", "suppression_rate")
LIMITABLE = (*UTILITY_LIMITS, *RISKS, *INFORMATION)


@dataclass(frozen=True)
class Limit:
    """The highest value of a metric (for prec and classes the lowest); an information risk also names a column."""

    metric: str
    bound: Decimal
    column: str | None = None


class InformationLimit(Checked):
    """A limit on what the classes disclose about a column."""

    column: str
    max: Decimal


class Limits(RootModel[dict[str, Decimal | tuple[InformationLimit, ...]]]):
    """Metrics with their limits."""

    model_config = {"frozen": True}
    root: dict[str, Decimal | tuple[InformationLimit, ...]] = {}

    @field_validator("root", mode="before")
    @classmethod
    def _known(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            raise ValueError("must map metrics to numbers, such as {geniloss: 0.4}")
        for name in value:
            if name not in LIMITABLE:
                raise ValueError(f"unknown metric {name!r}{did_you_mean(str(name), list(LIMITABLE))}; allowed are {', '.join(LIMITABLE)}")
        return {name: _of_column(name, limit) if name in INFORMATION else _number(limit, name) for name, limit in value.items()}

    def of_utility(self) -> list[Limit]:
        """Return the limits on information loss."""
        return [limit for limit in self if limit.metric in UTILITY_LIMITS]

    def of_risk(self) -> list[Limit]:
        """Return the limits on risk."""
        return [limit for limit in self if limit.metric not in UTILITY_LIMITS]

    def __iter__(self) -> Iterator[Limit]:  # type: ignore[override]
        for name, value in self.root.items():
            if isinstance(value, Decimal):
                yield Limit(name, value)
            else:
                yield from (Limit(name, limit.max, limit.column) for limit in value)

    @model_serializer
    def _plain(self) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for name, value in self.root.items():
            if isinstance(value, Decimal):
                plain[name] = _as_float(value)
            else:
                listed = [{"column": limit.column, "max": _as_float(limit.max)} for limit in value]
                plain[name] = listed if len(listed) > 1 else listed[0]
        return plain


def require_published(limits: Limits, is_published: Callable[[str], bool]) -> None:
    """Raise if a limit is about a column that is not published next to the quasi-identifiers."""
    for limit in limits:
        if limit.column is not None and not is_published(limit.column):
            raise ValueError(f"limits.{limit.metric}: {limit.column!r} must be a column that is published and is not a quasi-identifier")


def require_placeholders(queries: Sequence[str]) -> None:
    """Raise if a query has no placeholder for the table."""
    for number, query in enumerate(queries, start=1):
        if "{table}" not in query:
            raise ValueError(f"queries: query {number} has no {{table}}; write it in place of the table's name")


def _of_column(name: str, value: object) -> tuple[InformationLimit, ...]:
    listed: list[Any] = list(value) if isinstance(value, list | tuple) else [value]
    if not listed or not all(isinstance(limit, Mapping) and set(limit) == {"column", "max"} for limit in listed):
        raise ValueError(f"{name}: must name a column and a maximum, such as {{column: diagnosis, max: 0.5}}")
    return tuple(InformationLimit(column=str(limit["column"]), max=_number(limit["max"], f"{name}.max")) for limit in listed)


def _number(value: object, name: str) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not Decimal(str(value)).is_finite():
        raise ValueError(f"{name}: must be a number")
    return Decimal(str(value))


def _as_float(number: Decimal) -> int | float:
    return int(number) if number == int(number) else float(number)
