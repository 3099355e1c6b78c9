"""Check the columns, types and keys of the source against the policy, and choose defaults for missing keys."""

from __future__ import annotations

from collections.abc import Iterable

from kanon_sql.algorithms import ALGORITHMS, Algorithm, names_with
from kanon_sql.artifacts import Identifier, Profile, QuasiIdentifier
from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import HierarchyError, RequestError
from kanon_sql.hierarchy import GROUPABLE, RULES, Rule, Suppress
from kanon_sql.labels.bounds import require_bounds
from kanon_sql.labels.hierarchy_rows import read_hierarchy_rows
from kanon_sql.models import Values
from kanon_sql.outputs import OUTPUTS, Output
from kanon_sql.policy import ColumnRule, Policy, Query
from kanon_sql.stages.profile.defaults import NEARLY_UNIQUE, ColumnSample, default_hierarchy, finite
from kanon_sql.stages.profile.row_security import hidden_rows
from kanon_sql.stages.profile.source_queries import describe_query, filter_table
from kanon_sql.stages.profile.volatility import require_deterministic_view
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import Relation, describe, resolve, suggest_table

SAMPLE_ROWS = 100_000
SAMPLED_TOGETHER = 50  # columns; counting distinct values of all columns at once takes longer than in proportion to them


def describe_source(workspace: Workspace, name: TableName) -> TableDescription:
    """Return the table or view to read, or raise an error that suggests the one that was meant."""
    return describe(workspace, _find(workspace, name).name)


def _find(workspace: Workspace, name: TableName) -> Relation:
    found = resolve(workspace, name)
    if found is None:
        hidden = ", or this user has no permission on it" if workspace.backend.hides_tables else ""
        raise RequestError(f"table {name} does not exist{suggest_table(workspace, name) or hidden}")
    return found


def read_source(workspace: Workspace, policy: Policy) -> TableDescription:
    """Return what the policy reads: a table or view, its rows that satisfy a condition, or a query."""
    if isinstance(policy.table, Query):
        return describe_query(workspace, policy.table.query)
    found = _find(workspace, policy.source)
    table = describe(workspace, found.name)
    if policy.where is not None:
        return filter_table(workspace, table, policy.where)
    if not found.is_table:
        require_deterministic_view(workspace, found.name)
    return table


def require_columns(table: TableDescription, names: Iterable[str]) -> None:
    """Raise an error if the table lacks one of the columns."""
    known = [column.name for column in table.columns]
    missing = [f"{name!r}{did_you_mean(name, known)}" for name in names if name not in known]
    if missing:
        raise RequestError(f"{table.title} has no column {', '.join(missing)}")


def profile_source(workspace: Workspace, source: TableDescription, policy: Policy) -> Profile:
    """Return what the run generalizes, keeps and drops, with a hierarchy for every quasi-identifier."""
    algorithm = ALGORITHMS[policy.algorithm]
    if workspace.backend.expect_columns is not None:
        workspace.backend.expect_columns(len(source.columns))
    require_columns(source, policy.columns)
    _require_decided(source, policy)
    kept = tuple(column for column in source.columns if _is_kept(policy, column))
    groupable = tuple(column for column in source.columns if (column.kind in GROUPABLE and column in kept) or _open(policy, column))
    sampled_rows, samples = _sample(workspace, source, groupable)
    warnings = _require_not_unique(source, policy, kept, samples)
    quasi_identifiers = tuple(
        QuasiIdentifier(
            number,
            column,
            _listed(workspace, column, rule.hierarchy or _default(policy, column, samples.get(name))),
            _output(policy, column, rule),
        )
        for number, (name, rule) in enumerate(policy.quasi_identifiers.items(), start=1)
        if (column := source.column(name))
    )
    identifiers = _identifiers(source, policy)
    staying = {column.name for column in (*kept, *(identifier.column for identifier in identifiers))}
    released = tuple(column for column in source.columns if column.name in staying or column.name in policy.quasi_identifiers)
    _require_room_for_bounds(workspace, quasi_identifiers, released, by_hierarchy=algorithm.needs_hierarchies)
    dropped = tuple(column.name for column in source.columns if column not in released)
    sensitive = sensitive_columns(workspace, source, policy, first=len(quasi_identifiers) + 1)
    hidden = tuple(hidden_rows(workspace, source))
    all_warnings = (*warnings, *_linked(identifiers), *_not_diverse(policy, samples), *hidden)
    return Profile(
        source.source, released, quasi_identifiers, identifiers, dropped, all_warnings, sensitive, policy.sensitive_values,
        label=None if policy.label_column is None else Values(policy.label_column),
        entity=_entity(source, policy),
        title=source.title,
        hidden=hidden,
        ranked=algorithm.orders_codes,
        codes_together=algorithm.joins_codes,
        sampled_rows=sampled_rows,
    )  # fmt: skip


def _identifiers(source: TableDescription, policy: Policy) -> tuple[Identifier, ...]:
    """Return the identifiers whose column stays, in the source's order."""
    return tuple(
        Identifier(column, rule.action, rule.key)
        for column in source.columns
        if (rule := policy.columns.get(column.name)) and rule.role == "identifier" and rule.action != "drop"
    )


def _default(policy: Policy, column: Column, sample: ColumnSample | None) -> Rule:
    """Return the hierarchy of a column that has none: a root, unless the algorithm needs more."""
    return default_hierarchy(column, sample) if ALGORITHMS[policy.algorithm].needs_hierarchies else Suppress()


def _output(policy: Policy, column: Column, rule: ColumnRule) -> Output:
    """Return how a quasi-identifier is published, or raise an error if its type does not allow it."""
    output, algorithm = OUTPUTS[rule.output], ALGORITHMS[policy.algorithm]
    if not _fits(output, algorithm):
        fitting = names_with(lambda other: _fits(output, other))
        raise RequestError(f"columns.{column.name}: output: {output.name} is for algorithm: {fitting}; write output: labels")
    if algorithm.needs_hierarchies:
        return output
    output = output.for_regions(column, has_hierarchy=rule.hierarchy is not None)
    problem = output.problem(column)
    if problem is not None:
        raise RequestError(f"columns.{column.name}: output: {output.name} {problem}")
    return output


def _fits(output: Output, algorithm: Algorithm) -> bool:
    """Return whether an algorithm's classes can be published like this."""
    return (algorithm.publishes_regions or not output.needs_regions) and (algorithm.publishes_bounds or not output.has_bounds)


def _linked(identifiers: Iterable[Identifier]) -> list[str]:
    """Return warnings about pseudonyms, or raise an error if an identifier cannot have one."""
    for identifier in identifiers:
        if identifier.column.kind not in GROUPABLE and identifier.action != "null":
            raise RequestError(
                f"column {identifier.column.name!r} has type {identifier.column.type_name}, "
                f"which {identifier.action} cannot replace; drop it or write action: null"
            )
    return [
        f"identifier {identifier.column.name!r} is replaced by a pseudonym, which still links all rows of one person"
        for identifier in identifiers
        if identifier.action in ("hash", "sequence")
    ]


def sensitive_columns(workspace: Workspace, source: TableDescription, policy: Policy, *, first: int = 1) -> tuple[QuasiIdentifier, ...]:
    """Return the columns that models and costs use, numbered from `first`."""
    names = list(dict.fromkeys(values.column for values in policy.sensitive_values))
    require_columns(source, names)
    columns = []
    for number, name in enumerate(names, start=first):
        column, rule = source.column(name), policy.columns.get(name)
        if column is None or column.kind not in GROUPABLE:
            raise RequestError(f"column {name!r} has a type that cannot be counted, so neither a model nor a label can use it")
        hierarchy = rule.hierarchy if rule is not None and rule.role == "sensitive" else None
        columns.append(QuasiIdentifier(number, column, _listed(workspace, column, hierarchy or Suppress())))
    return tuple(columns)


def _entity(source: TableDescription, policy: Policy) -> Column | None:
    """Return the column that identifies persons, if the policy names one."""
    if policy.entity is None:
        return None
    require_columns(source, [policy.entity])
    column = source.column(policy.entity)
    if column is None or column.kind not in GROUPABLE:
        raise RequestError(f"entity: column {policy.entity!r} has a type that cannot be counted")
    return column


def _not_diverse(policy: Policy, samples: dict[str, ColumnSample]) -> list[str]:
    """Return warnings about columns whose values are nearly unique, which l-diversity hardly protects."""
    rules = [rule for _, _, rule in policy.privacy.value_rules if rule.needs_shared_values]
    plain = [rule.column for rule in rules if not rule.level and rule.bins is None]
    return [
        f"l-diversity of {name!r} protects little: its values are nearly unique, so any few rows are diverse; group them with bins "
        "or by a level of a hierarchy"
        for name in dict.fromkeys(plain)
        if name in samples and samples[name].is_nearly_unique
    ]


def _require_room_for_bounds(
    workspace: Workspace, quasi_identifiers: Iterable[QuasiIdentifier], released: Iterable[Column], *, by_hierarchy: bool
) -> None:
    """Raise an error if a quasi-identifier cannot be published as bounds, or if the names of its bounds are taken or too long."""
    for q in quasi_identifiers:
        if q.has_bounds:
            if by_hierarchy:
                require_bounds(q.column, q.hierarchy)
            for name in q.published_names:
                if limit := workspace.backend.types.name_limit(name):
                    raise RequestError(
                        f"column {q.column.name!r} cannot have output: bounds: the name {name!r} is too long, since "
                        f"{workspace.backend.title} takes {limit}; rename the column, or write output: labels"
                    )
            names = {name.casefold() for name in q.published_names}
            taken = [column.name for column in released if column.name.casefold() in names]
            if taken:
                raise RequestError(
                    f"column {q.column.name!r} cannot have output: bounds: the release already has a column {taken[0]!r}; "
                    "drop or rename that one, or write output: labels"
                )


def _open(policy: Policy, column: Column) -> bool:
    """Return whether the column is a quasi-identifier without a hierarchy."""
    rule = policy.quasi_identifiers.get(column.name)
    return rule is not None and rule.hierarchy is None and column.kind in GROUPABLE


def _is_kept(policy: Policy, column: Column) -> bool:
    rule = policy.columns.get(column.name)
    return policy.others == "keep" if rule is None else rule.role in ("sensitive", "insensitive")


def _require_decided(source: TableDescription, policy: Policy) -> None:
    undecided = [repr(column.name) for column in source.columns if column.name not in policy.columns]
    if undecided and policy.others == "error":
        raise RequestError(
            f"the policy does not list {len(undecided)} column{'s' if len(undecided) > 1 else ''} of {source.title}: "
            f"{', '.join(undecided[:20])}{' …' if len(undecided) > 20 else ''}. List them under columns, or set others: drop or keep"
        )


def _listed(workspace: Workspace, column: Column, hierarchy: Rule) -> Rule:
    """Return the hierarchy if it fits the column, with its rows if it is in a table."""
    fitting = _fitting(column, hierarchy)
    if fitting.largest > workspace.backend.largest_integer // 4:
        digits = len(str(workspace.backend.largest_integer)) - 1
        raise HierarchyError(
            f"column {column.name!r}: its hierarchy has numbers of {len(str(fitting.largest))} digits from the last decimal place on, and "
            f"{workspace.backend.title} calculates with {digits} at most; use rounder numbers"
        )
    try:
        return read_hierarchy_rows(workspace, fitting)
    except HierarchyError as error:
        raise HierarchyError(f"column {column.name!r}: {error}") from None


def _fitting(column: Column, hierarchy: Rule) -> Rule:
    """Return the hierarchy, or raise an error if it does not fit the type of the column."""
    if column.kind == "other":
        raise HierarchyError(
            f"column {column.name!r} has type {column.type_name}, which cannot be a quasi_identifier; write {column.name}: drop"
        )
    if column.kind not in hierarchy.kinds:
        fitting = [name for name, rule in RULES.items() if column.kind in rule.kinds]
        raise HierarchyError(
            f"column {column.name!r} has type {column.type_name}, which {hierarchy.key} does not fit; fitting are {', '.join(fitting)}"
        )
    return hierarchy


def _sample(workspace: Workspace, source: TableDescription, columns: tuple[Column, ...]) -> tuple[int, dict[str, ColumnSample]]:
    """Return the rows of a sample of the source, and the statistics of columns in it."""
    rows, chunks = 0, []
    for first in range(0, len(columns), SAMPLED_TOGETHER):
        shape = {"source": source.source, "columns": columns[first : first + SAMPLED_TOGETHER], "rows": SAMPLE_ROWS}
        rows, *figures = workspace.fetch_one("profile/source/sample", **shape)
        chunks += [figures[start : start + 6] for start in range(0, len(figures), 6)]
    return rows, {
        column.name: ColumnSample(values, distinct, shortest, longest, finite(smallest), finite(largest))
        for column, (values, distinct, shortest, longest, smallest, largest) in zip(columns, chunks, strict=True)
    }


def _require_not_unique(source: TableDescription, policy: Policy, kept: tuple[Column, ...], samples: dict[str, ColumnSample]) -> list[str]:
    """Return warnings about nearly unique sensitive columns, or raise an error if a kept column would identify rows."""
    warnings = []
    for column in kept:
        rule = policy.columns.get(column.name)
        if rule is not None and rule.accept_unique:
            continue
        nearly_unique = column.name in samples and samples[column.name].is_nearly_unique
        if column.name in source.unique_columns or (nearly_unique and (rule is None or rule.role == "insensitive")):
            why = "is a key" if column.name in source.unique_columns else f"is nearly unique (over {NEARLY_UNIQUE:.0%} distinct)"
            raise RequestError(
                f"column {column.name!r} {why} and would be kept, so it would identify rows: make it an identifier, "
                f"or, if this is intended, write {column.name}: {{role: {rule.role if rule else 'insensitive'}, accept_unique: true}}"
            )
        if column.kind not in GROUPABLE:
            warnings.append(f"column {column.name!r} is kept; values of type {column.type_name} are not checked for uniqueness")
        if nearly_unique:
            warnings.append(f"sensitive column {column.name!r} is nearly unique: anyone who knows a value finds its row")
    return warnings
