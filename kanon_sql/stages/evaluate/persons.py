"""Verdicts on nodes where persons are suppressed with all their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from kanon_sql.artifacts import FrequencyTable, Verdict
from kanon_sql.judge.whole_persons import suppress_persons
from kanon_sql.labels.cells import carried_columns
from kanon_sql.metrics import Metric
from kanon_sql.models import Rules
from kanon_sql.stages.evaluate.costs import NodeCosts
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class PersonVerdicts:
    """What is left of nodes, each counted in rounds of its own."""

    workspace: Workspace
    frequencies: FrequencyTable
    rules: Rules
    judging: dict[str, Any]
    metrics: Sequence[Metric]
    costs: NodeCosts

    def left_at(self, verdict: Verdict) -> Verdict:
        """A verdict in rows as one in persons; what its suppressed cells would have lost is kept for its cost."""
        frequencies, node = self.frequencies, verdict.node
        found = suppress_persons(self.workspace, frequencies, node, {**self.judging, "dooms": False}, carried_columns(frequencies, node))
        shape = {"classes": found.classes, "metrics": self.metrics, "rows": frequencies.rows, "suppressed": "suppressed"}
        classes, rows, smallest, *metrics = self.workspace.fetch_one("judge/whole_persons/verdict", **shape)
        self.costs.learn(node, found.classes)
        self.workspace.tables.drop(found.classes, found.persons)
        return replace(
            verdict,
            failing_classes=verdict.classes - classes,
            failing_rows=rows,
            smallest_published=smallest,
            metrics=tuple(figure for metric in metrics for figure in (metric, metric)),
            holds_as_whole=self.rules.holds_as_whole(classes, frequencies.rows - rows),
        )
