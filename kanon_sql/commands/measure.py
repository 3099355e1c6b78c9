"""Measure: the information loss of a released table, made by any tool, compared with its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.artifacts import FrequencyTable
from kanon_sql.backends import connect
from kanon_sql.commands.measure_alone import measure_alone, measure_in_place
from kanon_sql.commands.measure_models import measure_models
from kanon_sql.commands.risk import groupable_columns, published_columns
from kanon_sql.hierarchy import GROUPABLE
from kanon_sql.labels.levels import goal_of
from kanon_sql.policy import Policy, Query
from kanon_sql.policy.file import load_policy
from kanon_sql.report.measure import MeasureReport
from kanon_sql.stages.count.frequencies import count_combinations
from kanon_sql.stages.measure.queries import compare_queries
from kanon_sql.stages.measure.release import ReleasedColumn, count_release, measure_release
from kanon_sql.stages.profile.source import describe_source, profile_source, read_source
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import StageListener, Workspace
from kanon_sql.workspace.catalog import resolve

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def measure(
    connection: Connectable,
    policy: Policy | Mapping[str, Any] | str | Path,
    *,
    source: str | None = None,
    released: str | None = None,
    listener: StageListener | None = None,
) -> MeasureReport:
    """Return every metric of a released table compared with its source; the table is the policy's release or any other."""
    policy = load_policy(policy)
    if source is not None:
        policy = policy.model_copy(update={"table": source})
    with Workspace(connect(connection, read_only=True), "read", listener) as workspace:
        name = TableName.parse(released) if released is not None else _target_name(policy.source, policy.target)
        if policy.publish.in_place and released is None:
            return measure_in_place(workspace, policy)
        is_missing = source is None and not isinstance(policy.table, Query) and resolve(workspace, policy.source) is None
        if is_missing:
            return measure_alone(workspace, policy, name)
        return _measure(workspace, policy, name)


def _measure(workspace: Workspace, policy: Policy, name: TableName) -> MeasureReport:
    with workspace.stage("profile"):
        origin = read_source(workspace, policy)
        release = describe_source(workspace, name)
        profile = profile_source(workspace, origin, policy)
        quasi_identifiers = published_columns(release, [q.column.name for q in profile.quasi_identifiers])
        label = label_of(policy, release)
    with workspace.stage("count"):
        frequencies = count_combinations(workspace, profile)
        columns = [column for quasi_identifier in quasi_identifiers for column in quasi_identifier.columns]
        classes = count_release(workspace, release.name, columns, label, policy.models.k)
    with workspace.stage("measure"):
        released = _released_columns(frequencies, [quasi_identifier.columns for quasi_identifier in quasi_identifiers])
        measures = measure_release(workspace, frequencies, released, classes, goal_of(frequencies, policy), has_label=label is not None)
        models = measure_models(workspace, release, columns, policy, frequencies.values)
        workspace.tables.drop_now()
    with workspace.stage("queries"):
        queries = compare_queries(workspace, policy.queries, origin.source, release.name)
    return MeasureReport(
        source=policy.source,
        released=name,
        rows=frequencies.rows,
        published_rows=measures.rows,
        k=measures.sizes.smallest,
        utility=measures.utility,
        not_computed=measures.not_computed,
        queries=queries,
        models=models,
    )


def label_of(policy: Policy, release: TableDescription) -> Column | None:
    """Return the column that cm uses, if the release has it unchanged."""
    name = policy.label or next((name for name, rule in policy.columns.items() if rule.role == "sensitive"), None)
    column = release.column(name) if name is not None and name not in policy.quasi_identifiers else None
    return groupable_columns(release, [column.name])[0] if column is not None and column.kind in GROUPABLE else None


def _released_columns(frequencies: FrequencyTable, columns: Sequence[tuple[Column, ...]]) -> list[ReleasedColumn]:
    released, position = [], 1
    for coded, published in zip(frequencies.columns, columns, strict=True):
        released.append(ReleasedColumn(coded, published, tuple(range(position, position + len(published)))))
        position += len(published)
    return released


def _target_name(source: TableName, target: TableName) -> TableName:
    """Return the target, in the schema of the source unless it names its own."""
    return source.sibling(target.table) if len(target.parts) == 1 else target
