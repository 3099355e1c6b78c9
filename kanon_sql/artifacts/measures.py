"""Single results of measuring a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class NotComputed:
    """A metric without a value, for the whole release or for one column, and the reason."""

    metric: str
    reason: str
    column: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
        return {"metric": self.metric, "column": self.column, "reason": self.reason}


@dataclass(frozen=True)
class QueryErrors:
    """The relative errors of a query on the release compared with the source, never its results."""

    query: str
    groups: int | None = None
    missing: int | None = None
    added: int | None = None
    undefined: int | None = None
    mean_error: float | None = None
    max_error: float | None = None
    reason: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
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
