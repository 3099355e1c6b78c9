"""The labelled classes of an assignment, before their totals are computed."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.artifacts import Assignment, FrequencyTable
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class RecodedClasses:
    """The class table, and the assignment of combinations to its classes."""

    table: TableName
    frequencies: FrequencyTable
    assignment: Assignment
    merges_groups: bool  # groups with equal labels are one class, which the search did not evaluate


def drop_counts(workspace: Workspace, frequencies: FrequencyTable) -> None:
    """Drop the counted combinations; verify still needs codes and references."""
    tables = [frequencies.table, *(v.table for v in frequencies.values)]
    tables += [table for table in (frequencies.combined, frequencies.person_table) if table is not None]
    workspace.tables.drop(*dict.fromkeys(tables))
