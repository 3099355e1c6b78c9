"""Sources other than a table: a query, or the rows of a table that satisfy a condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kanon_sql.artifacts.structure import Part, Structure
from kanon_sql.errors import QueryError
from kanon_sql.policy import Policy, Query
from kanon_sql.stages.profile.volatility import require_deterministic_query
from kanon_sql.tables import Column, SourceQuery, TableDescription, TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import Relation, current_schema, definitions_read, describe, describe_temporary, resolve

ASKED = "table.query"


def describe_query(workspace: Workspace, text: str) -> TableDescription:
    """Return the columns of a query, read from an empty temporary table created from it."""
    from kanon_sql.sql.read_only import read_only_query  # here, because it needs sqlglot, which is slow to import

    query = read_only_query(text, workspace.backend.dialect, ASKED)
    source = SourceQuery(query.text)
    try:
        require_deterministic_query(workspace, source, query, query.tables, ASKED)
        columns = _columns(workspace, source)
    except QueryError as error:
        raise QueryError(f"{ASKED} cannot be run: {error}", error.template, error.sql) from None
    return TableDescription(current_schema(workspace).sibling("query"), columns, frozenset(), source, query.tables)


def filter_table(workspace: Workspace, table: TableDescription, text: str) -> TableDescription:
    """Return the table restricted to the rows that satisfy a condition."""
    from kanon_sql.sql.read_only import read_only_condition

    condition = read_only_condition(text, workspace.backend.dialect, "where")
    query = workspace.text("profile/source_queries/filtered", table=table.name, columns=table.columns, condition=condition.text)
    source, reads = SourceQuery(query), (table.name, *condition.tables)
    require_deterministic_query(workspace, source, condition, reads, "where")
    return replace(table, read_as=source, reads=reads)


def relations_read(workspace: Workspace, policy: Policy) -> list[Relation]:
    """Return the tables and views that a policy's source names, if they exist and, on engines that lock sources, can be locked."""
    found = [resolve(workspace, name) for name in dict.fromkeys(_names_read(policy, workspace.backend.dialect))]
    locks = workspace.backend.locks_sources
    return [r for r in found if r is not None and (not locks or workspace.look_up("profile/source_queries/lockable", r.name.parts))]


def _names_read(policy: Policy, dialect: str) -> tuple[TableName, ...]:
    """Return the names of the tables and views in a policy's source."""
    if not isinstance(policy.table, Query) and policy.where is None:
        return (policy.source,)
    from kanon_sql.sql.read_only import read_only_condition, read_only_query

    if isinstance(policy.table, Query):
        return read_only_query(policy.table.query, dialect, ASKED).tables
    return (policy.source, *read_only_condition(str(policy.where), dialect, "where").tables)


def hold_source(workspace: Workspace, relations: Sequence[Relation]) -> Structure:
    """Lock the source against changes of its structure, on engines that can, and return its structure."""
    if workspace.backend.locks_sources and relations:
        workspace.define("profile/source_queries/lock", tables=[relation.name for relation in relations])
    return source_structure(workspace, relations)


def source_structure(workspace: Workspace, relations: Sequence[Relation]) -> Structure:
    """Return the columns of the source's relations and the texts of the views it reads; nothing where both are locked."""
    if workspace.backend.locks_sources:
        return Structure(())
    columns = [
        Part("column", f"{column.name} of {relation.name.table}", column.type)
        for relation in relations
        for column in describe(workspace, relation.name).columns
    ]
    views = [relation.name for relation in relations if not relation.is_table]
    texts = definitions_read(workspace, views) if views else {}
    return Structure((*columns, *(Part("view", name, text) for name, text in texts.items())))


def _columns(workspace: Workspace, source: SourceQuery) -> tuple[Column, ...]:
    shape = workspace.tables.create("shape", "profile/source_queries/shape", source=source)
    columns = describe_temporary(workspace, shape).columns
    if workspace.backend.declares_in_views:
        view = shape.sibling(f"{shape.table}_declared")
        workspace.define("profile/source_queries/view", table=view, select=workspace.select("profile/source_queries/shape", source=source))
        declared = describe_temporary(workspace, view).columns
        columns = tuple(said if said.type else made for said, made in zip(declared, columns, strict=True))
        workspace.define("profile/source_queries/drop_view", table=view)
    workspace.tables.drop(shape)
    return columns
