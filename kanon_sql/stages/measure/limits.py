"""Whether what was measured stays within a policy's limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal

from kanon_sql.errors import LimitError
from kanon_sql.metrics import METRICS, Number
from kanon_sql.policy.limits import Limit

TOLERANCE = Decimal("1e-12")


def require_within(limits: Iterable[Limit], values: Mapping[tuple[str, str | None], Number]) -> None:
    """Every metric keeps its limit, or an error names those that do not; one without a value keeps none."""
    broken = [problem for limit in limits if (problem := _problem(limit, values.get((limit.metric, limit.column))))]
    if broken:
        raise LimitError("the release breaks limits of the policy, and nothing was published:\n  " + "\n  ".join(broken))


def _problem(limit: Limit, value: Number) -> str | None:
    name = f"limits.{limit.metric}" + (f" ({limit.column})" if limit.column else "")
    if value is None:
        return f"{name}: has no value here, so it cannot be shown to keep its limit; leave the limit out"
    found = Decimal(value) if isinstance(value, int) else Decimal(repr(value))
    if limit.metric in METRICS and METRICS[limit.metric].more_is_better:
        return f"{name}: {_shown(value)} is below the least allowed, {limit.bound}" if limit.bound - found > TOLERANCE else None
    return f"{name}: {_shown(value)} is above the limit {limit.bound}" if found - limit.bound > TOLERANCE else None


def _shown(value: int | float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
