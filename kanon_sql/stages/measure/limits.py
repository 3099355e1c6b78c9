"""Check the measured metrics against the limits of a policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from kanon_sql.errors import LimitError
from kanon_sql.metrics import METRICS, Number
from kanon_sql.policy.limits import Limit

TOLERANCE = Decimal("1e-12")


def require_within(limits: Iterable[Limit], values: Mapping[tuple[str, str | None], Number]) -> None:
    """Raise an error that names the metrics beyond their limit or without a value."""
    problems = [problem for limit in limits if (problem := _problem(limit, values.get((limit.metric, limit.column))))]
    if problems:
        raise LimitError("the release exceeds limits of the policy; nothing was published:\n  " + "\n  ".join(problems))


def _problem(limit: Limit, value: Number) -> str | None:
    name = f"limits.{limit.metric}" + (f" ({limit.column})" if limit.column else "")
    if value is None:
        return f"{name}: has no value here, so the limit cannot be checked; remove the limit"
    found = Decimal(value) if isinstance(value, int) else Decimal(repr(value))
    if limit.metric in METRICS and METRICS[limit.metric].more_is_better:
        return f"{name}: {_shown(value)} is below the minimum {limit.bound}" if limit.bound - found > TOLERANCE else None
    return f"{name}: {_shown(value)} is above the limit {limit.bound}" if found - limit.bound > TOLERANCE else None


def _shown(value: int | float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
