"""The reasons for a solution, as sentences and as plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kanon_sql.common.spelling import many
from kanon_sql.policy import Policy
from kanon_sql.report.summary import Summarized
from kanon_sql.workspace import Stage, Statement


@dataclass(frozen=True)
class LowerLevel:
    """The node with one quasi-identifier a level lower: its loss before any suppression, and its failing rows."""

    level: int
    loss: float
    failing_rows: int
    failing: Mapping[str, int]  # failing rows per privacy model
    allowed_rows: int

    @property
    def holds(self) -> bool:
        """Return whether it satisfies the policy."""
        return self.failing_rows <= self.allowed_rows

    def reason(self) -> str:
        """Return why it was not chosen."""
        if self.holds:
            rows = many(self.failing_rows, "row") if self.failing_rows else "no rows"
            return f"it satisfies the policy and suppresses {rows}, but does not have a better cost"
        models = ", ".join(name.replace("_", "-") for name in self.failing)
        limit = f"at most {self.allowed_rows:,} may be suppressed" if self.allowed_rows else "none may be suppressed"
        return f"{many(self.failing_rows, 'row')} would violate {models}, and {limit}"


@dataclass(frozen=True)
class ColumnCost:
    """The cost of one quasi-identifier: its loss, its share of the total loss, and the effect of a lower level."""

    name: str
    level: int
    height: int
    loss: float
    share: float
    lower: LowerLevel | None
    floor: str  # why there is no lower level, or empty

    def sentence(self) -> str:
        """Return the cost as sentences."""
        text = f"{self.name} is at level {self.level} of {self.height}: loss {self.loss:.4f}, {self.share:.0%} of the total."
        if self.lower is None:
            return f"{text} {self.floor}"
        return f"{text} At level {self.lower.level} the total loss would be {self.lower.loss:.4f}. Not chosen: {self.lower.reason()}."


@dataclass(frozen=True)
class WhatIf:
    """The result of the same search under another policy, from the same counts; None means that no node satisfies the policy."""

    levels: dict[str, int] | None
    loss: float | None
    loss_now: float
    suppressed: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values."""
        return {"levels": self.levels, "loss": self.loss, "loss_now": self.loss_now, "suppressed": self.suppressed}

    def sentence(self, now: Mapping[str, int]) -> str:
        """Return the changes as a sentence."""
        if self.levels is None or self.loss is None:
            return "no levels satisfy the policy."
        changed = [f"{name} {now[name]} → {level}" for name, level in self.levels.items() if now[name] != level]
        levels = f"levels {', '.join(changed)}" if changed else "the same levels"
        return f"{levels}, loss {self.loss_now:.4f} → {self.loss:.4f}, {many(self.suppressed or 0, 'row')} suppressed."


@dataclass(frozen=True, repr=False)
class ExplainReport(Summarized):
    """Explains the levels: binding models, the cost of each quasi-identifier, the effect of a larger k or of removing a column."""

    policy: Policy
    levels: dict[str, int]
    algorithm: str
    metric: str
    loss: float
    rows: int
    suppressed: int
    allowed: int
    k: int | None
    columns: tuple[ColumnCost, ...]
    larger_k: tuple[int, WhatIf]
    without: dict[str, WhatIf]
    warnings: tuple[str, ...]
    stages: tuple[Stage, ...] = field(repr=False)
    statements: tuple[Statement, ...] = field(repr=False)

    def binding(self) -> list[str]:
        """Return the reasons why the levels are not lower, as sentences."""
        failing: dict[str, list[str]] = {}
        for column in self.columns:
            if column.lower is not None and not column.lower.holds:
                for model in column.lower.failing:
                    failing.setdefault(model.replace("_", "-"), []).append(column.name)
        lines = [f"{model} is binding: it fails with {' or '.join(names)} one level lower." for model, names in failing.items()]
        free = [column.name for column in self.columns if column.lower is not None and column.lower.holds]
        if free:
            lines.append(f"The cost decides, not privacy: {', '.join(free)} could be one level lower.")
        if not lines:
            lines.append("No model is binding: every quasi-identifier is at its lowest level.")
        if self.allowed:
            lines.append(f"{self.suppressed:,} of at most {many(self.allowed, 'row')} are suppressed.")
        return lines

    def summary(self) -> list[str]:
        """Return the loss and the reasons why the levels are not lower."""
        suppressed = f"{self.suppressed:,} of {self.rows:,} rows suppressed"
        return [f"{self.policy.table}: {self.metric} {self.loss:.4f}, smallest class {self.k}, {suppressed}.", *self.binding()]

    def lines(self) -> list[str]:
        """Return the whole explanation as lines of text."""
        k, larger = self.larger_k
        return [
            *self.summary(),
            *(column.sentence() for column in self.columns),
            f"With k = {k}: {larger.sentence(self.levels)}",
            *(
                f"Without {name} as a quasi-identifier, for the other columns: {other.sentence(self.levels)}"
                for name, other in self.without.items()
            ),
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, as `--json` prints it."""
        k, larger = self.larger_k
        return {
            "table": self.policy.to_dict()["table"],
            "algorithm": self.algorithm,
            "solution": {"levels": self.levels},
            "metric": self.metric,
            "loss": self.loss,
            "rows": self.rows,
            "suppressed": self.suppressed,
            "allowed": self.allowed,
            "k": self.k,
            "binding": self.binding(),
            "columns": [_column(column) for column in self.columns],
            "larger_k": {"k": k, **larger.to_dict()},
            "without": {name: other.to_dict() for name, other in self.without.items()},
            "text": self.lines(),
            "warnings": list(self.warnings),
            "stages": [{"name": s.name, "seconds": round(s.seconds, 6), "statements": s.statements} for s in self.stages],
        }

    def to_json(self) -> str:
        """Return the report as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)


def _column(column: ColumnCost) -> dict[str, Any]:
    lower = column.lower
    values = None
    if lower is not None:
        values = {
            "level": lower.level, "loss": lower.loss, "holds": lower.holds, "failing_rows": lower.failing_rows,
            "failing": dict(lower.failing), "reason": lower.reason(),
        }  # fmt: skip
    index = {"name": column.name, "level": column.level, "height": column.height, "loss": column.loss, "share": column.share}
    return {**index, "lower": values, "floor": column.floor or None}
