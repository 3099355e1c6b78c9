"""Single results of measuring a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class NotComputed:
    """A metric that lacks information, of the whole release or of one column, and why."""

    metric: str
    reason: str
    column: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"metric": self.metric, "column": self.column, "reason": self.reason}


@dataclass(frozen=True)
class QueryErrors:
    """How far the results of a query differ between source and release: relative errors, never results."""

    query: str
    groups: int | None = None
    missing: int | None = None
    added: int | None = None
    undefined: int | None = None
    mean_error: float | None = None
    max_error: float | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {
            "query": self.query,
            "groups": self.groups,
            "missing_groups": self.missing,
            "added_groups": self.added,
            "undefined": self.undefined,
            "mean_relative_error": self.mean_error,
            "max_relative_error": self.max_error,
            "not_computed": self.reason,
        }
