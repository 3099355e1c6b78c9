"""What a policy reads, where that is more than a table's name: a query, or the rows of a table that satisfy a condition."""

from __future__ import annotations

from dataclasses import replace

from kanon_sql.catalog import current_schema, describe_temporary
from kanon_sql.errors import QueryError
from kanon_sql.read_only import read_only_condition, read_only_query
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.volatility import require_steady_query
from kanon_sql.workspace import Workspace

ASKED = "table.query"


def describe_query(workspace: Workspace, text: str) -> TableDescription:
    """The columns of a query, told by an empty temporary table made of it."""
    query = read_only_query(text, workspace.backend.dialect, ASKED)
    source = workspace.stand_for(query.text)
    try:
        require_steady_query(workspace, source, query, query.tables, ASKED)
        columns = _columns(workspace, source)
    except QueryError as error:
        raise QueryError(f"{ASKED} cannot be run: {error}", error.template, error.sql) from None
    return TableDescription(current_schema(workspace).sibling("query"), columns, frozenset(), source, query.tables)


def filter_table(workspace: Workspace, table: TableDescription, text: str) -> TableDescription:
    """The table as far as its rows satisfy a condition."""
    condition = read_only_condition(text, workspace.backend.dialect, "where")
    query = workspace.text("sources/filtered", table=table.name, columns=table.columns, condition=condition.text)
    source, reads = workspace.stand_for(query), (table.name, *condition.tables)
    require_steady_query(workspace, source, condition, reads, "where")
    return replace(table, read_as=source, reads=reads)


def _columns(workspace: Workspace, source: TableName) -> tuple[Column, ...]:
    shape = workspace.create("shape", "sources/shape", source=source)
    columns = describe_temporary(workspace, shape).columns
    if workspace.backend.declares_in_views:
        view = shape.sibling(f"{shape.table}_declared")
        workspace.define("sources/view", table=view, select=workspace.select("sources/shape", source=source))
        declared = describe_temporary(workspace, view).columns
        columns = tuple(said if said.type else made for said, made in zip(declared, columns, strict=True))
        workspace.define("sources/drop_view", table=view)
    workspace.forget(shape)
    return columns
