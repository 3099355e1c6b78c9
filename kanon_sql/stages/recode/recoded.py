"""The classes of an assignment before their totals are known."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.artifacts import Assignment, FrequencyTable
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class RecodedClasses:
    """The class table, and the assignment by which rows find their class in it."""

    table: TableName
    frequencies: FrequencyTable
    assignment: Assignment
    joins_alike: bool  # groups that are published alike became one class here, and no verdict was on that class


def forget_counts(workspace: Workspace, frequencies: FrequencyTable) -> None:
    """Drop the counted combinations; codes and references stay for verify."""
    tables = [frequencies.table, *(v.table for v in frequencies.values)]
    tables += [table for table in (frequencies.combined, frequencies.person_table) if table is not None]
    workspace.tables.drop(*dict.fromkeys(tables))
