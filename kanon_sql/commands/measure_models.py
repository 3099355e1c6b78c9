"""What a released table reaches by the models of a policy, for measure."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import CodedValues
from kanon_sql.artifacts.measures import NotComputed
from kanon_sql.hierarchy import GROUPABLE
from kanon_sql.models import Rules
from kanon_sql.policy import Policy
from kanon_sql.report.measure import MeasuredModels
from kanon_sql.report.privacy import privacy_story
from kanon_sql.stages.verify import verify
from kanon_sql.tables import Column, TableDescription
from kanon_sql.workspace import Workspace


def measure_models(
    workspace: Workspace, release: TableDescription, columns: Sequence[Column], policy: Policy, references: Sequence[CodedValues]
) -> MeasuredModels:
    """What the worst class has by each model of the policy, compared with the source; and what the release does not show."""
    if not policy.models.has_more_than_sizes:
        return MeasuredModels()
    if policy.entity is not None and release.column(policy.entity) is None:
        return without_models(policy, f"persons cannot be judged without the column {policy.entity!r}")
    held = tuple(model for model in policy.models if model.values is None or _holds(release, model.values.column))
    rules = Rules(held, policy.models.average_risk)
    looked_at = [values for values in references if values.values in rules.looked_at]
    person = release.column(policy.entity) if policy.entity is not None else None
    found = verify(workspace, release.name, columns, rules, looked_at, person)
    lost = {model.values.column for model in policy.models if model.values is not None and model not in held}
    missing = _missing(policy, lost, "the release does not have it as it was")
    if found.unknown_rows:
        return without_models(policy, f"{found.unknown_rows:,} rows have sensitive values that the source lacks")
    return MeasuredModels(rules, privacy_story(None, found.reached, rules, found.classes, found.rows), found.reached, missing)


def without_models(policy: Policy, reason: str) -> MeasuredModels:
    """All that cannot be told, and why."""
    return MeasuredModels(not_computed=_missing(policy, {values.column for values in policy.models.looked_at}, reason))


def _missing(policy: Policy, columns: set[str], reason: str) -> tuple[NotComputed, ...]:
    names = dict.fromkeys((m.name, m.values.column) for m in policy.models if m.values is not None and m.values.column in columns)
    return tuple(NotComputed(name, reason, column) for name, column in names)


def _holds(release: TableDescription, name: str) -> bool:
    column = release.column(name)
    return column is not None and column.kind in GROUPABLE
