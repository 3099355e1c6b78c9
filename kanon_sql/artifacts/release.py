"""From the recoding to what is published, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.artifacts.assignment import Assignment
from kanon_sql.artifacts.frequencies import FrequencyTable
from kanon_sql.models import Model
from kanon_sql.tables import Column, TableName


@dataclass(frozen=True)
class Recoding:
    """The classes of the solution with their labels, and how a row finds its class."""

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
    """The new table before it has passed verify, its published quasi-identifiers and all its columns."""

    table: TableName
    quasi_identifiers: tuple[Column, ...]
    columns: tuple[Column, ...]
    person: Column | None = None  # the column with the codes of persons, which no reader gets to see


@dataclass(frozen=True)
class Reached:
    """What the worst class measures by one model of sensitive values, and how many classes and rows break it."""

    model: Model
    value: float | None
    failing_classes: int = 0
    failing_rows: int = 0


@dataclass(frozen=True)
class Release:
    """What a re-count of a table says: its rows, classes, smallest class and those that fail."""

    rows: int
    classes: int
    smallest_class: int | None
    failing_classes: int
    failing_rows: int
    reached: tuple[Reached, ...] = ()
    unknown_rows: int = 0  # with sensitive values that the reference does not have
    holds_as_whole: bool = True
    average_risk: float | None = None

    @property
    def holds(self) -> bool:
        """Whether every class, and the release as a whole, satisfies the policy."""
        return self.failing_classes == 0 and self.holds_as_whole and self.unknown_rows == 0


@dataclass(frozen=True)
class Risk:
    """The classes of a table as it is: the smallest, rows that are alone, rows in classes below k."""

    rows: int
    classes: int
    smallest_class: int | None
    unique_rows: int
    failing_rows: int
