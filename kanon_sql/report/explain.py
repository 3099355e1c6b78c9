"""Why a solution is what it is, in words and as plain values."""

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
class OneLower:
    """The same node with one quasi-identifier a level lower: what it would lose before any suppression, and which rows fail."""

    level: int
    loss: float
    failing_rows: int
    failing: Mapping[str, int]  # rows per privacy model, of those that fail
    allowed_rows: int

    @property
    def holds(self) -> bool:
        """Whether it satisfies the policy, too."""
        return self.failing_rows <= self.allowed_rows

    def reason(self) -> str:
        """Why it was not chosen."""
        if self.holds:
            rows = f"suppress {many(self.failing_rows, 'row')}" if self.failing_rows else "suppress nothing"
            return f"would hold and {rows}; by the policy's cost it is no better"
        models = ", ".join(name.replace("_", "-") for name in self.failing)
        limit = f"{self.allowed_rows:,} may be suppressed" if self.allowed_rows else "none may be suppressed"
        return f"fails: {many(self.failing_rows, 'row')} would break {models}, and {limit}"


@dataclass(frozen=True)
class ColumnCost:
    """What one quasi-identifier costs: its loss, its share of all loss, and what a level less would mean."""

    name: str
    level: int
    height: int
    loss: float
    share: float
    lower: OneLower | None
    floor: str  # why there is no lower level, where there is none

    def sentence(self) -> str:
        """The same in words."""
        text = f"{self.name} is at level {self.level} of {self.height}: loss {self.loss:.4f}, {self.share:.0%} of all."
        if self.lower is None:
            return f"{text} {self.floor}"
        return f"{text} At level {self.lower.level} the loss would be {self.lower.loss:.4f} in all, but that {self.lower.reason()}."


@dataclass(frozen=True)
class WhatIf:
    """What the same search finds under another policy, from the same counts; none where nothing meets it."""

    levels: dict[str, int] | None
    loss: float | None
    loss_now: float
    suppressed: int | None

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"levels": self.levels, "loss": self.loss, "loss_now": self.loss_now, "suppressed": self.suppressed}

    def sentence(self, now: Mapping[str, int]) -> str:
        """What would change, in words."""
        if self.levels is None or self.loss is None:
            return "no levels would meet the policy."
        changed = [f"{name} {now[name]} → {level}" for name, level in self.levels.items() if now[name] != level]
        levels = f"levels {', '.join(changed)}" if changed else "the same levels"
        return f"{levels}, loss {self.loss_now:.4f} → {self.loss:.4f}, {many(self.suppressed or 0, 'row')} suppressed."


@dataclass(frozen=True, repr=False)
class ExplainReport(Summarized):
    """Why these levels: what binds, what each quasi-identifier costs, what a larger k or one quasi-identifier less would change."""

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
        """What keeps the levels from being lower, in words."""
        failing: dict[str, list[str]] = {}
        for column in self.columns:
            if column.lower is not None and not column.lower.holds:
                for model in column.lower.failing:
                    failing.setdefault(model.replace("_", "-"), []).append(column.name)
        lines = [f"{model} binds: it fails with {' or '.join(names)} one level lower." for model, names in failing.items()]
        free = [column.name for column in self.columns if column.lower is not None and column.lower.holds]
        if free:
            lines.append(f"The cost decides, not privacy: {', '.join(free)} could be one level lower.")
        if not lines:
            lines.append("Nothing binds: every quasi-identifier is at its lowest level.")
        if self.allowed:
            lines.append(f"Of {self.allowed:,} rows that may be suppressed, {self.suppressed:,} are.")
        return lines

    def summary(self) -> list[str]:
        """Return the loss, and what keeps the levels from being lower."""
        suppressed = f"{self.suppressed:,} of {self.rows:,} rows suppressed"
        return [f"{self.policy.table}: {self.metric} {self.loss:.4f}, smallest class {self.k}, {suppressed}.", *self.binding()]

    def lines(self) -> list[str]:
        """The whole explanation as lines of text."""
        k, larger = self.larger_k
        return [
            *self.summary(),
            *(column.sentence() for column in self.columns),
            f"With k = {k}: {larger.sentence(self.levels)}",
            *(
                f"Without {name} among the quasi-identifiers, for the others: {what.sentence(self.levels)}"
                for name, what in self.without.items()
            ),
        ]

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, as `--json` prints it."""
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
            "without": {name: what.to_dict() for name, what in self.without.items()},
            "text": self.lines(),
            "warnings": list(self.warnings),
            "stages": [{"name": s.name, "seconds": round(s.seconds, 6), "statements": s.statements} for s in self.stages],
        }

    def to_json(self) -> str:
        """The report as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)


def _column(column: ColumnCost) -> dict[str, Any]:
    lower = column.lower
    told = None
    if lower is not None:
        told = {
            "level": lower.level, "loss": lower.loss, "holds": lower.holds, "failing_rows": lower.failing_rows,
            "failing": dict(lower.failing), "reason": lower.reason(),
        }  # fmt: skip
    place = {"name": column.name, "level": column.level, "height": column.height, "loss": column.loss, "share": column.share}
    return {**place, "lower": told, "floor": column.floor or None}
