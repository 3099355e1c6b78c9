"""Hierarchy: show, check or export the hierarchy of one column with its counts."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.artifacts import CodedColumn
from kanon_sql.backends import connect
from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import RequestError
from kanon_sql.models import VALUE_RULES
from kanon_sql.policy import Policy
from kanon_sql.policy.file import load_policy
from kanon_sql.stages.count.frequencies import count_combinations
from kanon_sql.stages.count.hierarchy_tree import Branch, HierarchyCounts, count_hierarchy, leaf_lines, shared_tree
from kanon_sql.stages.profile.source import describe_source, profile_source, require_columns
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable

PolicySource = Policy | Mapping[str, Any] | str | Path


@dataclass(frozen=True)
class HierarchyReport:
    """A hierarchy that fits its column: its levels, its counts, and the labels that at least k rows share."""

    column: str
    k: int
    labels: tuple[int, ...]
    shown: tuple[int, ...]
    counts: HierarchyCounts
    tree: tuple[Branch, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, as `--json` prints it."""
        return {
            "column": self.column,
            "k": self.k,
            "height": len(self.labels) - 1,
            "levels": [
                {"level": level, "labels": count, "shown": self.shown[level - 1] if level else 0} for level, count in enumerate(self.labels)
            ],
            "leaves": self.counts.leaves,
            "occurring": self.counts.occurring,
            "rows": self.counts.rows,
            "null_rows": self.counts.null_rows,
            "tree": [branch.to_dict() for branch in self.tree],
        }

    def to_json(self) -> str:
        """Return the report as one JSON document."""
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False)


def hierarchy(connection: Connectable, table: str, column: str, policy: PolicySource) -> HierarchyReport:
    """Return the column's hierarchy with its counts, without the labels that fewer than k rows share; raise if it does not fit a value."""
    checked = load_policy(policy)
    with _coded(connection, table, column, checked) as (workspace, coded):
        tree, shown = shared_tree(workspace, coded, checked.privacy.least_k)
        return HierarchyReport(column, checked.privacy.least_k, coded.labels, shown, count_hierarchy(workspace, coded), tree)


def export_hierarchy(connection: Connectable, table: str, column: str, policy: PolicySource, *, with_values: bool = False) -> str:
    """Return the column's hierarchy as CSV for ARX; the leaves of a rule are values of the column and need `with_values`."""
    checked = load_policy(policy)
    with _coded(connection, table, column, checked) as (workspace, coded):
        rule = coded.quasi_identifier.hierarchy
        if rule.listing is not None:
            lines = rule.listing.rooted_lines
        elif with_values:
            lines = leaf_lines(workspace, coded)
        else:
            raise RequestError(
                f"the leaves of the hierarchy of {column!r} are values of the column; to write them anyway, add --with-values"
            )
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(lines)
    return text.getvalue()


@contextmanager
def _coded(connection: Connectable, table: str, column: str, policy: Policy) -> Iterator[tuple[Workspace, CodedColumn]]:
    """Count the column alone and yield it with the tables of its hierarchy."""
    rule = policy.columns.get(column)
    if rule is None:
        raise RequestError(f"the policy has no column {column!r}{did_you_mean(column, policy.columns)}")
    if rule.role != "quasi_identifier":
        raise RequestError(f"column {column!r} is {rule.role} in the policy; only a quasi_identifier has a hierarchy")
    size_only = policy.privacy.model_copy(update=dict.fromkeys(VALUE_RULES, ()))
    alone = policy.model_copy(update={"columns": {column: rule}, "others": "drop", "privacy": size_only, "label": None, "entity": None})
    with Workspace(connect(connection, read_only=True), "read") as workspace:
        source = describe_source(workspace, TableName.parse(table))
        require_columns(source, [column])
        (coded,) = count_combinations(workspace, profile_source(workspace, source, alone)).columns
        yield workspace, coded
