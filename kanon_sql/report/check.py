"""The report of a check."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from kanon_sql.artifacts import Release
from kanon_sql.common.spelling import many
from kanon_sql.models import Rules
from kanon_sql.report.notebook import html_result
from kanon_sql.report.privacy import describe_average_risk, describe_reached, models_to_list, privacy_to_dict
from kanon_sql.report.summary import Summarized
from kanon_sql.tables import TableName


@dataclass(frozen=True, repr=False)
class CheckReport(Summarized):
    """The report of `check`."""

    table: TableName
    release: Release
    rules: Rules
    reference: TableName | None = None  # the table that the distribution of sensitive values is from
    persons: str | None = None  # the column by which persons were counted instead of rows
    condition: bool = False  # whether the reference was restricted by the policy's `where`

    @property
    def required_k(self) -> int:
        """The required k."""
        return self.rules.k

    @property
    def holds(self) -> bool:
        """Whether the table satisfies the policy."""
        return self.release.holds

    def summary(self) -> list[str]:
        """Return whether the table satisfies the policy, and how many classes do not."""
        release = self.release
        if release.rows == 0:
            return [f"{self.table} is empty. Nobody can be identified in it."]
        if release.reached or self.persons or self.rules.average_risk:
            return self._models()
        if self.holds:
            smallest = f"the smallest has {many(release.smallest_class or 0, 'row')}"
            return [f"{self.table} is {self.required_k}-anonymous: {many(release.classes, 'class')}, {smallest}."]
        return [
            f"{self.table} is not {self.required_k}-anonymous: {release.failing_classes:,} of {many(release.classes, 'class')} "
            f"({release.failing_rows:,} of {release.rows:,} rows) are too small; the smallest has {release.smallest_class}."
        ]

    def _models(self) -> list[str]:
        """Return the result of a check of more than the number of rows in classes."""
        release = self.release
        unit = f"persons ({self.persons})" if self.persons else "rows"
        verdict = "satisfies" if self.holds else "violates"
        lines = [
            f"{self.table} {verdict} the policy: {release.failing_classes:,} of {many(release.classes, 'class')} "
            f"({release.failing_rows:,} of {release.rows:,} rows) fail.",
            f"{f'Required k {self.required_k}: the' if self.rules.of_size else 'The'} smallest class has {release.smallest_class} {unit}.",
            *describe_reached(release.reached, with_failures=True),
        ]
        lines += describe_average_risk(self.rules, release.average_risk)
        if release.unknown_rows:
            lines.append(f"{release.unknown_rows:,} rows have sensitive values that {self.reference} lacks: it is no reference for them.")
        elif self.reference is not None:
            itself = ", the table itself (--source names the original)" if self.reference == self.table else ""
            part = ", the rows that the policy's where reads" if self.condition else ""
            lines.append(f"Reference distribution: {self.reference}{itself}{part}.")
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, as `--json` prints it."""
        found = self.release
        return {
            "holds": self.holds,
            "privacy": privacy_to_dict(found.smallest_class, found.reached, self.rules, found.classes, found.rows),
            "failing": {"classes": found.failing_classes, "rows": found.failing_rows},
            "table": str(self.table),
            "rows": found.rows,
            "classes": found.classes,
            **({"models": models_to_list(found.reached), "unknown_rows": found.unknown_rows} if found.reached else {}),
            **({"reference": str(self.reference), "reference_condition": self.condition} if self.reference else {}),
            **({"persons": self.persons} if self.persons else {}),
        }

    def to_json(self) -> str:
        """Return the report as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)

    def _repr_html_(self) -> str:
        title = f"{self.table} is {'' if self.holds else 'not '}{self.required_k}-anonymous"
        found = self.release
        figures = {"rows": found.rows, "classes": found.classes, "smallest class": found.smallest_class, "failing rows": found.failing_rows}
        return html_result(title, ("", "count"), figures.items())
