"""Check: does a table, whoever made it, satisfy a policy?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.artifacts import CodedValues
from kanon_sql.backends import connect
from kanon_sql.errors import RequestError
from kanon_sql.hierarchy import GROUPABLE
from kanon_sql.models import KAnonymity, Rules
from kanon_sql.outputs import bound_names
from kanon_sql.policy import Policy
from kanon_sql.policy.file import load_policy
from kanon_sql.report.run import CheckReport
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
    """Whether every class of the table holds at least k rows, or keeps all models of a policy, and how many do not.

    The distribution that t-closeness and its kin compare with is taken from the source, or from the table itself.
    """
    asked = None if policy is None else load_policy(policy)
    quasi_identifiers = quasi_identifiers or (list(asked.quasi_identifiers) if asked else ())
    rules = _rules(asked, k)
    _require_sound(quasi_identifiers)
    name = TableName.parse(table)
    with Workspace(connect(connection, read_only=True), "read", listener) as workspace:
        with workspace.stage("profile"):
            description = describe_source(workspace, name)
            columns = _countable(description, _as_published(description, quasi_identifiers))
            entity = asked.entity if asked else None
            person = _person(description, entity)
            reference = _read(workspace, source, asked) if source else description
        with workspace.stage("count"):
            values = _references(workspace, reference, description, asked, rules, entity)
        with workspace.stage("verify"):
            release = verify(workspace, description.name, columns, rules, values, person)
    shown = TableName.parse(source) if source else name
    condition = source is not None and asked is not None and asked.where is not None
    return CheckReport(name, release, rules, shown if values else None, entity, condition)


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
    """The source as far as the policy's condition reads it."""
    table = describe_source(workspace, TableName.parse(source))
    return table if policy is None or policy.where is None else filter_table(workspace, table, policy.where)


def _references(
    workspace: Workspace, reference: TableDescription, table: TableDescription, policy: Policy | None, rules: Rules, entity: str | None
) -> tuple[CodedValues, ...]:
    """The codes and the distribution of the sensitive values that the models look at."""
    if policy is None or not rules.looked_at:
        return ()
    names = [values.column for values in rules.looked_at]
    require_columns(table, names)
    columns = sensitive_columns(workspace, reference, policy)
    counted = tuple(column for column in columns if column.column.name in names)
    return refer_to(workspace, reference.source, counted, rules.looked_at, _person(reference, entity))


def _person(table: TableDescription, entity: str | None) -> Column | None:
    """The column by which persons can be counted in a table; a release without it shows rows only."""
    if entity is None:
        return None
    column = table.column(entity)
    if column is None:
        raise RequestError(
            f"table {table.name.table} has no column {entity!r}, so persons cannot be judged in it: they were counted before that column "
            "was dropped; to count rows instead, give --qi and --k without the policy"
        )
    return column


def _countable(table: TableDescription, names: Sequence[str]) -> list[Column]:
    """The columns of these names, which can all be grouped by."""
    require_columns(table, names)
    columns = [column for column in table.columns if column.name in names]
    for column in columns:
        if column.kind not in GROUPABLE:
            raise RequestError(f"column {column.name!r} has type {column.type_name}, which cannot be a quasi-identifier")
    return columns


def _as_published(table: TableDescription, quasi_identifiers: Sequence[str]) -> list[str]:
    """The columns to count by; one that is published as bounds stands for the two of them."""
    names: list[str] = []
    for name in quasi_identifiers:
        bounds = bound_names(name)
        published_as_bounds = table.column(name) is None and all(table.column(bound) for bound in bounds)
        names += bounds if published_as_bounds else [name]
    return names


def _require_sound(quasi_identifiers: Sequence[str]) -> None:
    if isinstance(quasi_identifiers, str):
        raise RequestError("quasi_identifiers must be a list of column names")
    if not quasi_identifiers:
        raise RequestError("no quasi-identifier is given; name at least one")
    twice = sorted({name for name in quasi_identifiers if list(quasi_identifiers).count(name) > 1})
    if twice:
        raise RequestError(f"quasi-identifier {', '.join(map(repr, twice))} is listed twice")
