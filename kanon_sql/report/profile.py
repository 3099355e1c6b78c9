"""The report of `profile`: columns, pairs, the current risk and a suggested policy."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from kanon_sql.artifacts import Dependency, Risk
from kanon_sql.common.spelling import many
from kanon_sql.policy import Policy
from kanon_sql.policy.text import ColumnNote, policy_text
from kanon_sql.report.notebook import html_result
from kanon_sql.report.summary import Summarized, figure
from kanon_sql.tables import Column, TableName


@dataclass(frozen=True)
class ColumnProfile:
    """One column: its counts, and the suggested role and hierarchy with the reasons for them."""

    column: Column
    distinct: int | None
    nulls: int | None
    unique_rows: int | None
    role: str
    reason: str
    rule: Any
    hierarchy_reason: str | None
    shared_values: tuple[tuple[str, int], ...] | None = None

    @property
    def hierarchy(self) -> Any:
        """The suggested hierarchy in the form of a policy, if there is one."""
        return self.rule.get("hierarchy") if isinstance(self.rule, dict) else None

    def to_dict(self) -> dict[str, Any]:
        """Return the column as plain values."""
        found: dict[str, Any] = {
            "name": self.column.name,
            "type": self.column.type_name,
            "distinct": self.distinct,
            "nulls": self.nulls,
            "unique_rows": self.unique_rows,
            "role": self.role,
            "reason": self.reason,
            "hierarchy": self.hierarchy,
        }
        if self.shared_values is not None:
            found["values"] = [{"value": value, "rows": rows} for value, rows in self.shared_values]
        return found


@dataclass(frozen=True)
class PairProfile:
    """Two columns, and the number of rows that they identify together."""

    columns: tuple[str, str]
    classes: int
    unique_rows: int


@dataclass(frozen=True, repr=False)
class ProfileReport(Summarized):
    """The profile of a table, with a policy that can be run."""

    table: TableName
    surveyed_rows: int
    columns: tuple[ColumnProfile, ...]
    pairs: tuple[PairProfile, ...]
    risk: Risk
    policy: Policy = field(repr=False)
    warnings: tuple[str, ...] = ()
    dependencies: tuple[Dependency, ...] = ()  # of kept columns on quasi-identifiers

    @property
    def quasi_identifiers(self) -> list[str]:
        """The columns suggested as quasi-identifiers."""
        return [column.column.name for column in self.columns if column.role == "quasi_identifier"]

    def summary(self) -> list[str]:
        """Return the suggested quasi-identifiers, and how many rows they identify."""
        risk, chosen = self.risk, self.quasi_identifiers
        return [
            f"{self.table}: {many(risk.rows, 'row')}, {many(len(self.columns), 'column')}.",
            f"The {many(len(chosen), 'suggested quasi-identifier')} ({', '.join(chosen)}) form {many(risk.classes, 'class')}.",
            f"Smallest class: {figure(risk.smallest_class)}. Unique rows: {risk.unique_rows:,}. "
            f"Rows in classes below k = {self.policy.privacy.k}: {risk.failing_rows:,}.",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the profile as plain values, as `--json` prints it."""
        return {
            "table": str(self.table),
            "rows": self.risk.rows,
            "surveyed_rows": self.surveyed_rows,
            "columns": [column.to_dict() for column in self.columns],
            "pairs": [{"columns": list(p.columns), "classes": p.classes, "unique_rows": p.unique_rows} for p in self.pairs],
            "risk": {
                "quasi_identifiers": self.quasi_identifiers,
                "classes": self.risk.classes,
                "smallest_class": self.risk.smallest_class,
                "unique_rows": self.risk.unique_rows,
                "rows_below_k": self.risk.failing_rows,
                "k": self.policy.privacy.k,
            },
            "dependencies": [dependency.to_dict() for dependency in self.dependencies],
            "warnings": list(self.warnings),
            "policy": self.policy.to_dict(),
        }

    def to_json(self) -> str:
        """Return the profile as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def _repr_html_(self) -> str:
        headings = ("column", "type", "distinct", "NULL", "unique", "suggested role", "reason")
        rows = [(c.column.name, c.column.type_name, c.distinct, c.nulls, c.unique_rows, c.role, c.reason) for c in self.columns]
        risk, k = self.risk, self.policy.privacy.k
        title = f"{self.table}: {risk.rows:,} rows, {risk.unique_rows:,} of them unique, {risk.failing_rows:,} in classes below {k}"
        return html_result(title, headings, rows, self.warnings)

    def to_yaml(self) -> str:
        """Return the suggested policy as YAML with comments."""
        risk, k = self.risk, self.policy.privacy.k
        heading = [
            f"Suggested policy for {self.table}: {many(risk.rows, 'row')}, {many(len(self.columns), 'column')}.",
            f"Now, {risk.unique_rows:,} rows are unique, and {risk.failing_rows:,} are in classes of fewer than {k} rows.",
            "Review every role before you publish: names and counts do not show what your data means.",
            *self.warnings,
        ]
        return policy_text(self.policy, heading, [_note(column) for column in self.columns])


def _note(column: ColumnProfile) -> ColumnNote:
    lines = [f"{column.role}: {column.reason}" + (f"; {_counts(column)}" if column.distinct is not None else "")]
    if column.hierarchy_reason:
        lines.append(column.hierarchy_reason)
    if column.shared_values:
        lines.append("values: " + ", ".join(f"{value} ({rows:,})" for value, rows in column.shared_values))
    return ColumnNote(column.column.name, tuple(lines))


def _counts(column: ColumnProfile) -> str:
    nulls = f", {column.nulls:,} NULL" if column.nulls else ""
    return f"{column.distinct:,} distinct{nulls}, {column.unique_rows:,} rows with a unique value"
