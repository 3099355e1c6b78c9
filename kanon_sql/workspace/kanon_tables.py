"""Permanent tables of kanon_sql itself: the journal and the history, one row per run, every column text, no cell values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.claims import take_turn
from kanon_sql.workspace.grants import make_private

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

JOURNAL = "__kanon_journal"
HISTORY = "kanon_runs"

Entry = TypeVar("Entry", bound="DataclassInstance")


def is_ours(table: TableName) -> bool:
    """Return whether a table belongs to kanon_sql: journal, history, staging table or backup."""
    return table.table == HISTORY or table.table.startswith("__kanon_")


def find_tables(workspace: Workspace) -> list[TableName]:
    """Return every table of kanon_sql, in all schemas."""
    return [TableName(tuple(row)) for row in workspace.look_up("workspace/kanon_tables/names", ())]


def create_missing(workspace: Workspace, wanted: Mapping[TableName, type[DataclassInstance]]) -> None:
    """Create the tables that are missing, one run at a time; only their owner can read them."""
    present = find_tables(workspace)
    created: list[TableName] = []
    for table, kind in wanted.items():
        if table not in present:
            if not created:
                take_turn(workspace, f"journal {table.sibling(JOURNAL)}")
            workspace.define("workspace/ddl/create_table_if_missing", table=table, columns=_columns(workspace, kind))
            created.append(table)
    for table in created:
        make_private(workspace, table)


def insert_entry(workspace: Workspace, table: TableName, entry: DataclassInstance) -> None:
    """Insert one entry."""
    shape = {"rows": 1, "placeholder": workspace.backend.placeholder}
    values = [getattr(entry, f.name) for f in fields(entry)]
    workspace.define("workspace/ddl/insert_rows", values, table=table, columns=_columns(workspace, type(entry)), **shape)


def read_entries(workspace: Workspace, table: TableName, kind: type[Entry]) -> list[Entry]:
    """Return every entry."""
    return [kind(*row) for row in workspace.fetch("workspace/kanon_tables/rows", table=table, columns=[f.name for f in fields(kind)])]


def _columns(workspace: Workspace, kind: type[DataclassInstance]) -> list[Column]:
    return [Column(f.name, workspace.backend.text_type, "text") for f in fields(kind)]
