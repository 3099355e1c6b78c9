"""Profile a table and suggest a policy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from kanon_sql.artifacts import Dependency
from kanon_sql.backends import connect
from kanon_sql.common.spelling import many
from kanon_sql.errors import RequestError
from kanon_sql.hierarchy import GROUPABLE
from kanon_sql.policy import ColumnRule
from kanon_sql.policy.file import load_policy
from kanon_sql.report.profile import ColumnProfile, PairProfile, ProfileReport
from kanon_sql.stages.profile.dependencies import SAMPLE_ROWS, SampledPair, find_in_sample, step_for
from kanon_sql.stages.profile.roles import MOST_QUASI_IDENTIFIERS, Shape, Suggestion, suggest_hierarchy, suggest_role, words_of
from kanon_sql.stages.profile.source import describe_source
from kanon_sql.stages.profile.survey import (
    SURVEYED_ROWS,
    Survey,
    SurveyedColumn,
    count_pairs,
    count_risk,
    shared_values,
    spread_rows,
    survey,
)
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import StageListener, Workspace
from kanon_sql.workspace.catalog import has_schema, resolve, tables_of
from kanon_sql.workspace.generated import all_sources, generated_columns
from kanon_sql.workspace.kanon_tables import is_ours

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable

SUPPRESSION = 0.02
MOST_SHOWN_VALUES = 30
MOST_SHOWN_PAIRS = 10


def profile(
    connection: Connectable, table: str, *, k: int = 5, with_values: bool = False, listener: StageListener | None = None
) -> ProfileReport:
    """Return the profile of a table and a policy that can be run; values only on request, and only those that k rows share."""
    name = TableName.parse(table)
    with _reading(connection, k, listener) as workspace:
        return _profile(workspace, name, k, with_values=with_values)


def profile_schema(
    connection: Connectable,
    schema: str,
    *,
    k: int = 5,
    with_values: bool = False,
    listener: StageListener | None = None,
    claim: Callable[[Sequence[TableName]], None] = lambda tables: None,  # noqa: ARG005
) -> list[ProfileReport]:
    """Return the profile of every table and view of a schema that has a countable column; `claim` is called with them first."""
    name = TableName.parse(schema)
    with _reading(connection, k, listener) as workspace:
        if not has_schema(workspace, TableName((*name.parts, ""))):
            raise RequestError(f"schema {schema} does not exist")
        tables = [table for table in tables_of(workspace, name) if not is_ours(table)]
        countable = [table for table in tables if _can_be_counted(describe_source(workspace, table))]
        claim(countable)
        return [_profile(workspace, table, k, with_values=with_values) for table in countable]


@contextmanager
def _reading(connection: Connectable, k: int, listener: StageListener | None) -> Iterator[Workspace]:
    if isinstance(k, bool) or not isinstance(k, int) or k < 2:
        raise RequestError("k must be a whole number of at least 2")
    with Workspace(connect(connection, read_only=True), "read", listener) as workspace:
        yield workspace


def _profile(workspace: Workspace, name: TableName, k: int, *, with_values: bool) -> ProfileReport:
    with workspace.stage("survey"):
        source = describe_source(workspace, name)
        surveyed = survey(workspace, source)
        roles = _without_computed(_roles(source, surveyed), all_sources(generated_columns(workspace, source.name)))
        columns = [_column(column, roles[column.name], surveyed.columns.get(column.name)) for column in source.columns]
        if with_values:
            columns = [_with_values(workspace, surveyed, column, k) for column in columns]
    quasi_identifiers = [column.column for column in columns if column.role == "quasi_identifier"]
    with workspace.stage("pairs"):
        pairs = count_pairs(workspace, surveyed, [column.name for column in quasi_identifiers])
    with workspace.stage("risk"):
        risk = count_risk(workspace, source.name, quasi_identifiers, k)
        dependencies = _dependencies(workspace, source, surveyed, columns, k)
        target = _free_target(workspace, source.name)
    workspace.tables.drop(surveyed.sample)
    policy = load_policy(
        {
            "table": str(name),
            "publish": {"into": str(TableName((target,)))},
            "privacy": {"k": k},
            "suppression": SUPPRESSION,
            "columns": {column.column.name: column.rule for column in columns},
        }
    )
    surveyed_rows = min(risk.rows, SURVEYED_ROWS)
    shown = tuple(PairProfile(pair.columns, pair.classes, pair.unique_rows) for pair in pairs[:MOST_SHOWN_PAIRS])
    warnings = (*_warnings(risk.rows, surveyed_rows, k, columns), *_dependent(dependencies))
    return ProfileReport(name, surveyed_rows, tuple(columns), shown, risk, policy, warnings, dependencies)


def _dependencies(
    workspace: Workspace, source: TableDescription, surveyed: Survey, columns: list[ColumnProfile], k: int
) -> tuple[Dependency, ...]:
    """Return the columns that would be kept although they depend on a quasi-identifier, each with its smallest class in the table."""
    known = [column.column for column in columns if column.role == "quasi_identifier"]
    kept = [column.column for column in columns if column.role in ("sensitive", "insensitive") and column.column.name in surveyed.columns]
    if not kept:
        return ()
    step = step_for(surveyed.columns[kept[0].name].rows)
    sample = spread_rows(workspace, surveyed, [column.name for column in (*known, *kept)], step=step, rows=SAMPLE_ROWS)
    places = {name: f"c_{column.number}" for name, column in surveyed.columns.items()}
    pairs = {(one.name, other.name): SampledPair(places[other.name], places[one.name]) for one in kept for other in known}
    found = find_in_sample(workspace, sample, pairs)
    workspace.tables.drop(sample)
    by_name = {column.name: column for column in kept}
    risks = {name: count_risk(workspace, source.name, [*known, by_name[name]], k) for name in dict.fromkeys(d.column for d in found)}
    return tuple(replace(dependency, smallest_class=risks[dependency.column].smallest_class) for dependency in found)


def _dependent(dependencies: Iterable[Dependency]) -> Iterator[str]:
    for dependency in dependencies:
        yield (
            f"Column {dependency.column!r} would be kept and {dependency.in_words}: it may reveal what is generalized. If it is "
            f"counted as a quasi-identifier, the smallest class of the table has {many(dependency.smallest_class or 0, 'row')}."
        )


def _can_be_counted(source: TableDescription) -> bool:
    """Return whether the table has a column that can be grouped, so a policy can be written for it."""
    return any(column.kind in GROUPABLE for column in source.columns)


def _roles(source: TableDescription, surveyed: Survey) -> dict[str, Suggestion]:
    """Return a role for every column; of too many quasi-identifiers, those that others most likely know stay."""
    roles = {}
    for column in source.columns:
        found = surveyed.columns.get(column.name)
        sample, shape = (found.sample, found.shape) if found else (None, Shape())
        roles[column.name] = suggest_role(column, sample, shape, is_key=column.name in source.unique_columns)
    by_tier = sorted((name for name, role in roles.items() if role.role == "quasi_identifier"), key=lambda name: roles[name].tier)
    for name in by_tier[MOST_QUASI_IDENTIFIERS:]:
        reason = f"others may know it, and with more than {MOST_QUASI_IDENTIFIERS} quasi-identifiers little detail is left in any"
        roles[name] = Suggestion("drop", reason)
    if not any(role.role == "quasi_identifier" for role in roles.values()):
        roles[_fewest_values(source, surveyed)] = Suggestion("quasi_identifier", "a policy needs one, and no other column is more likely")
    return roles


def _without_computed(roles: dict[str, Suggestion], sources: Mapping[str, frozenset[str]]) -> dict[str, Suggestion]:
    """Return the roles with generated columns dropped that would be kept and reveal a column that is not."""
    changed = dict(roles)
    for name, columns in sources.items():
        hidden = sorted(column for column in columns if roles[column].role in ("quasi_identifier", "identifier", "drop"))
        if hidden and roles[name].role in ("sensitive", "insensitive"):
            changed[name] = Suggestion("drop", f"computed from {', '.join(hidden)}, which it would reveal")
    return changed


def _fewest_values(source: TableDescription, surveyed: Survey) -> str:
    """Return the column with the fewest values above one, to be the quasi-identifier if no column looks like one."""
    if not surveyed.columns:
        raise RequestError(f"table {source.name.table} has no column whose values can be counted, so no policy can be written for it")
    return min(surveyed.columns, key=lambda name: (surveyed.columns[name].sample.distinct < 2, surveyed.columns[name].sample.distinct))


def _column(column: Column, suggestion: Suggestion, found: SurveyedColumn | None) -> ColumnProfile:
    hierarchy, reason = None, None
    if suggestion.role == "quasi_identifier" and found is not None:
        hierarchy, reason = suggest_hierarchy(column, found.sample, found.shape, misfits=found.misfits)
    return ColumnProfile(
        column,
        distinct=found.sample.distinct if found else None,
        nulls=found.nulls if found else None,
        unique_rows=found.unique_rows if found else None,
        role=suggestion.role,
        reason=suggestion.reason,
        rule=ColumnRule(role=suggestion.role, hierarchy=hierarchy).model_dump(),
        hierarchy_reason=reason,
    )


def _with_values(workspace: Workspace, surveyed: Survey, column: ColumnProfile, k: int) -> ColumnProfile:
    """Return the column with the values that k rows share, if they are few; never those of an identifier."""
    if column.distinct is None or column.distinct > MOST_SHOWN_VALUES or column.role in ("identifier", "drop"):
        return column
    return replace(column, shared_values=tuple(shared_values(workspace, surveyed, column.column.name, k)))


def _free_target(workspace: Workspace, source: TableName) -> str:
    """Return a free table name in the schema of the source."""
    for number in range(1, 1000):
        suffix = "_anon" if number == 1 else f"_anon_{number}"
        name = source.table + suffix
        while workspace.backend.types.name_limit(name):
            name = name.removesuffix(suffix)[:-1] + suffix
        if resolve(workspace, source.sibling(name)) is None:
            return name
    raise RequestError(f"the schema has 999 releases of {source.table}; drop some")


def _warnings(rows: int, surveyed_rows: int, k: int, columns: list[ColumnProfile]) -> Iterator[str]:
    if surveyed_rows < rows:
        yield f"Columns and pairs were counted in the first {surveyed_rows:,} of {rows:,} rows."
    if rows < k:
        yield f"The table has {rows} rows, fewer than k = {k}: no release of it can be {k}-anonymous."
    shared = [column for column in columns if column.role == "identifier" and "although" in column.reason]
    if shared:
        yield f"Dropped because of their names, although rows share their values: {', '.join(column.column.name for column in shared)}."
    persons = [column for column in shared if "id" in words_of(column.column.name) and (column.distinct or 0) > 1]
    if persons:
        of = persons[0]
        yield (
            f"k counts rows: if {of.column.name} ({of.distinct:,} distinct in {surveyed_rows:,} rows) represents a person, "
            "the k rows of a class may belong to fewer people."
        )
