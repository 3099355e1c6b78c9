"""Verdicts on nodes, a whole round in one statement, from the frequency table alone."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import FrequencyTable, Verdict
from kanon_sql.lattice import Node
from kanon_sql.models import Model
from kanon_sql.workspace import Workspace


class NodeEvaluator:
    """Rolls the frequency table up to nodes and counts their classes."""

    def __init__(self, workspace: Workspace, frequencies: FrequencyTable, models: Sequence[Model]) -> None:
        self._workspace = workspace
        self._frequencies = frequencies
        self._models = models
        self.checked = 0

    def verdicts(self, nodes: Sequence[Node]) -> list[Verdict]:
        """What each node would give: its classes and the rows in those that break the policy."""
        self.checked += len(nodes)
        rows = self._workspace.fetch(
            "evaluate/class_sizes",
            frequencies=self._frequencies.table,
            nodes=[self._frequencies.key_parts(node) for node in nodes],
            models=self._models,
        )
        return [Verdict(nodes[index], *figures) for index, *figures in sorted(rows)]

    def distinct_labels(self, node: Node) -> list[int]:
        """How many labels each quasi-identifier has at the node, over all rows."""
        return [column.distinct[level] for column, level in zip(self._frequencies.columns, node, strict=True)]
