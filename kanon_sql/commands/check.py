"""Check: whether a table, made by any tool, satisfies a policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.artifacts import CodedValues
from kanon_sql.backends import connect
from kanon_sql.commands.risk import published_columns
from kanon_sql.errors import RequestError
from kanon_sql.models import KAnonymity, Rules
from kanon_sql.policy import Policy
from kanon_sql.policy.file import load_policy
from kanon_sql.report.check import CheckReport
from kanon_sql.stages.count.sensitive import refer_to
from kanon_sql.stages.profile.source import describe_source, require_columns, sensitive_columns
from kanon_sql.stages.profile.source_queries import filter_table
from kanon_sql.stages.verify import verify
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def check(
    connection: Connectable,
    table: str,
    *,
    quasi_identifiers: Sequence[str] = (),
    k: int | None = None,
    policy: Policy | Mapping[str, Any] | str | Path | None = None,
    source: str | None = None,
    listener: StageListener | None = None,
) -> CheckReport:
    """Return whether every class of the table has at least k rows or satisfies all models of a policy, and how many do not.

    The distribution that t-closeness and related models compare with is that of the source, or of the table itself.
    """
    checked = None if policy is None else load_policy(policy)
    quasi_identifiers = quasi_identifiers or (list(checked.quasi_identifiers) if checked else ())
    rules = _rules(checked, k)
    _require_valid(quasi_identifiers)
    name = TableName.parse(table)
    with Workspace(connect(connection, read_only=True), "read", listener) as workspace:
        with workspace.stage("profile"):
            description = describe_source(workspace, name)
            columns = [column for published in published_columns(description, quasi_identifiers) for column in published.columns]
            entity = checked.entity if checked else None
            person = _person(description, entity)
            reference = _read(workspace, source, checked) if source else description
        with workspace.stage("count"):
            values = _references(workspace, reference, description, checked, rules, entity)
        with workspace.stage("verify"):
            release = verify(workspace, description.name, columns, rules, values, person)
    reference_name = TableName.parse(source) if source else name
    condition = source is not None and checked is not None and checked.where is not None
    return CheckReport(name, release, rules, reference_name if values else None, entity, condition)


def _rules(policy: Policy | None, k: int | None) -> Rules:
    """What is asked of the table: the policy's models, with another k if one is given."""
    if policy is None and k is None:
        raise RequestError("give k, or a policy that says what must hold")
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 2):
        raise RequestError("k must be a whole number of at least 2")
    if policy is None or k is None:
        return Rules((KAnonymity(k),)) if policy is None and k is not None else policy.models if policy else Rules(())
    others = tuple(model for model in policy.models if not isinstance(model, KAnonymity))
    return Rules((KAnonymity(k), *others), policy.models.average_risk)


def _read(workspace: Workspace, source: str, policy: Policy | None) -> TableDescription:
    """Return the source, filtered by the condition of the policy."""
    table = describe_source(workspace, TableName.parse(source))
    return table if policy is None or policy.where is None else filter_table(workspace, table, policy.where)


def _references(
    workspace: Workspace, reference: TableDescription, table: TableDescription, policy: Policy | None, rules: Rules, entity: str | None
) -> tuple[CodedValues, ...]:
    """Return the codes and the distribution of the sensitive values that the models use."""
    if policy is None or not rules.sensitive_values:
        return ()
    names = [values.column for values in rules.sensitive_values]
    require_columns(table, names)
    columns = sensitive_columns(workspace, reference, policy)
    counted = tuple(column for column in columns if column.column.name in names)
    return refer_to(workspace, reference.source, counted, rules.sensitive_values, _person(reference, entity))


def _person(table: TableDescription, entity: str | None) -> Column | None:
    """Return the column that identifies persons; raise RequestError if the table does not have it."""
    if entity is None:
        return None
    column = table.column(entity)
    if column is None:
        raise RequestError(
            f"table {table.name.table} has no column {entity!r}, so persons cannot be counted: the run counted them before it dropped "
            "that column; to count rows instead, use --qi and --k without the policy"
        )
    return column


def _require_valid(quasi_identifiers: Sequence[str]) -> None:
    if isinstance(quasi_identifiers, str):
        raise RequestError("quasi_identifiers must be a list of column names")
    if not quasi_identifiers:
        raise RequestError("no quasi-identifiers; name at least one")
    twice = sorted({name for name in quasi_identifiers if list(quasi_identifiers).count(name) > 1})
    if twice:
        raise RequestError(f"quasi-identifier {', '.join(map(repr, twice))} is listed twice")
