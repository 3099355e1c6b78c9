"""Verdicts on nodes where a person is suppressed with all rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kanon_sql.artifacts import FrequencyTable, Verdict
from kanon_sql.judge.arguments import ModelArguments
from kanon_sql.judge.whole_persons import suppress_persons
from kanon_sql.labels.cells import carried_columns
from kanon_sql.metrics import Metric
from kanon_sql.models import Rules
from kanon_sql.stages.evaluate.costs import NodeCosts
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class PersonVerdicts:
    """Counts nodes again without persons that have a row in a failing class, in several rounds per node."""

    workspace: Workspace
    frequencies: FrequencyTable
    rules: Rules
    models: ModelArguments
    metrics: Sequence[Metric]
    costs: NodeCosts

    def recount(self, verdict: Verdict) -> Verdict:
        """Return the verdict with whole persons suppressed; the costs learn the losses of its suppressed cells."""
        frequencies, node = self.frequencies, verdict.node
        models = replace(self.models, failing_below=False)
        found = suppress_persons(self.workspace, frequencies, node, models, carried_columns(frequencies, node))
        arguments = {"classes": found.classes, "metrics": self.metrics, "rows": frequencies.rows, "suppressed": "suppressed"}
        classes, rows, smallest, *metrics = self.workspace.fetch_one("judge/whole_persons/verdict", **arguments)
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
