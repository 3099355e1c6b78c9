"""Measure the privacy models of a policy on a released table."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.artifacts import CodedValues
from kanon_sql.artifacts.measures import NotComputed
from kanon_sql.hierarchy import GROUPABLE
from kanon_sql.models import Rules
from kanon_sql.policy import Policy
from kanon_sql.report.measure import MeasuredModels
from kanon_sql.report.privacy import privacy_to_dict
from kanon_sql.stages.verify import verify
from kanon_sql.tables import Column, TableDescription
from kanon_sql.workspace import Workspace


def measure_models(
    workspace: Workspace, release: TableDescription, columns: Sequence[Column], policy: Policy, references: Sequence[CodedValues]
) -> MeasuredModels:
    """Return the value of the worst class for each model, compared with the source, and the models that cannot be measured."""
    if not policy.models.has_more_than_sizes:
        return MeasuredModels()
    if policy.entity is not None and release.column(policy.entity) is None:
        return without_models(policy, f"persons cannot be counted without column {policy.entity!r}")
    measurable = tuple(model for model in policy.models if model.values is None or _has_groupable(release, model.values.column))
    rules = Rules(measurable, policy.models.average_risk)
    used = [values for values in references if values.values in rules.sensitive_values]
    person = release.column(policy.entity) if policy.entity is not None else None
    found = verify(workspace, release.name, columns, rules, used, person)
    absent = {model.values.column for model in policy.models if model.values is not None and model not in measurable}
    missing = _missing(policy, absent, "the release does not have it unchanged")
    if found.unknown_rows:
        return without_models(policy, f"{found.unknown_rows:,} rows have sensitive values that are not in the source")
    return MeasuredModels(rules, privacy_to_dict(None, found.reached, rules, found.classes, found.rows), found.reached, missing)


def without_models(policy: Policy, reason: str) -> MeasuredModels:
    """Return all models as not computed, with the reason."""
    return MeasuredModels(not_computed=_missing(policy, {values.column for values in policy.models.sensitive_values}, reason))


def _missing(policy: Policy, columns: set[str], reason: str) -> tuple[NotComputed, ...]:
    names = dict.fromkeys((m.name, m.values.column) for m in policy.models if m.values is not None and m.values.column in columns)
    return tuple(NotComputed(name, reason, column) for name, column in names)


def _has_groupable(release: TableDescription, name: str) -> bool:
    column = release.column(name)
    return column is not None and column.kind in GROUPABLE
