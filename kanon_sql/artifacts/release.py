"""The recoding, the staging table, and the verified release."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.artifacts.assignment import Assignment
from kanon_sql.artifacts.frequencies import FrequencyTable
from kanon_sql.models import Model
from kanon_sql.tables import Column, TableName


@dataclass(frozen=True)
class Recoding:
    """The classes of the solution with their labels, and the assignment of combinations to them."""

    table: TableName
    frequencies: FrequencyTable
    assignment: Assignment
    classes: int
    published_rows: int
    suppressed_rows: int
    smallest_class: int | None
    measures: tuple[float | None, ...] = ()  # of the worst class, per model of sensitive values

    @property
    def recoded_columns(self) -> frozenset[str]:
        """Return the columns that are published as labels."""
        return self.assignment.recoded([column.column.name for column in self.frequencies.columns])


@dataclass(frozen=True)
class StagedTable:
    """The staging table before verification, with its quasi-identifiers and all its columns."""

    table: TableName
    quasi_identifiers: tuple[Column, ...]
    columns: tuple[Column, ...]
    person: Column | None = None  # the column with the codes of persons, which is not published


@dataclass(frozen=True)
class Reached:
    """The value of the worst class for one model of sensitive values, and the classes and rows that violate the model."""

    model: Model
    value: float | None
    failing_classes: int = 0
    failing_rows: int = 0


@dataclass(frozen=True)
class Release:
    """The result of counting a table again: its rows, its classes, and those that fail."""

    rows: int
    classes: int
    smallest_class: int | None
    failing_classes: int
    failing_rows: int
    reached: tuple[Reached, ...] = ()
    unknown_rows: int = 0  # with sensitive values that are not in the reference
    holds_as_whole: bool = True
    average_risk: float | None = None

    @property
    def holds(self) -> bool:
        """Return whether every class, and the release as a whole, satisfies the policy."""
        return self.failing_classes == 0 and self.holds_as_whole and self.unknown_rows == 0


@dataclass(frozen=True)
class Risk:
    """The classes of the unchanged table: the smallest class, unique rows, and rows in classes below k."""

    rows: int
    classes: int
    smallest_class: int | None
    unique_rows: int
    failing_rows: int
