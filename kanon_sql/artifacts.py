"""The frozen values that pass between the stages, in the order of the path."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from kanon_sql.hierarchy import Hierarchy
from kanon_sql.lattice import Lattice, Node
from kanon_sql.tables import Column, TableName


def bound_names(name: str) -> tuple[str, str]:
    """The two columns that take the place of one published as bounds."""
    return f"{name}_min", f"{name}_max"


@dataclass(frozen=True)
class QuasiIdentifier:
    """A quasi-identifier of the source: its number in policy order, its column, its hierarchy and how it is published."""

    number: int
    column: Column
    hierarchy: Hierarchy
    has_bounds: bool = False

    @property
    def value(self) -> str:
        """The name of its raw value among the combinations."""
        return f"v{self.number}"

    @property
    def published_names(self) -> tuple[str, ...]:
        """The columns of the release that hold it: itself, or its two bounds."""
        return bound_names(self.column.name) if self.has_bounds else (self.column.name,)

    def part(self, level: int) -> str:
        """The name of its part of the class key at a level."""
        return f"q{self.number}_{level}"


@dataclass(frozen=True)
class Profile:
    """The source as the run sees it: what is generalized, what is kept, in which order it is published."""

    source: TableName
    columns: tuple[Column, ...]
    quasi_identifiers: tuple[QuasiIdentifier, ...]
    dropped: tuple[str, ...]
    warnings: tuple[str, ...]

    @cached_property
    def by_column(self) -> dict[str, QuasiIdentifier]:
        """The quasi-identifiers by column name."""
        return {q.column.name: q for q in self.quasi_identifiers}

    @cached_property
    def published_names(self) -> frozenset[str]:
        """The columns of the release that hold quasi-identifiers."""
        return frozenset(name for q in self.quasi_identifiers for name in q.published_names)


@dataclass(frozen=True)
class CodedColumn:
    """A quasi-identifier whose values have codes: its hierarchy table, label table and place in the class key."""

    quasi_identifier: QuasiIdentifier
    hierarchy_table: TableName
    label_table: TableName
    labels: tuple[int, ...]
    distinct: tuple[int, ...]
    key: int

    @property
    def number(self) -> int:
        return self.quasi_identifier.number

    @property
    def column(self) -> Column:
        return self.quasi_identifier.column

    @property
    def has_bounds(self) -> bool:
        return self.quasi_identifier.has_bounds

    @property
    def height(self) -> int:
        return len(self.labels) - 1


@dataclass(frozen=True)
class FrequencyTable:
    """The counted combinations of the source, coded at every level below the roots."""

    table: TableName
    rows: int
    combinations: int
    columns: tuple[CodedColumn, ...]

    @property
    def lattice(self) -> Lattice:
        """The nodes that can be asked of this table."""
        return Lattice(tuple(column.height for column in self.columns))

    def key_parts(self, node: Node) -> list[list[str]]:
        """Per packed key, the columns whose sum tells classes of the node apart; roots need none."""
        keys: dict[int, list[str]] = {}
        for column, level in zip(self.columns, node, strict=True):
            if level < column.height:
                keys.setdefault(column.key, []).append(column.quasi_identifier.part(level))
        return list(keys.values())


@dataclass(frozen=True)
class Verdict:
    """What evaluate says of a node."""

    node: Node
    classes: int
    smallest_class: int
    unique_rows: int
    failing_rows: int


@dataclass(frozen=True)
class Solution:
    """What search chose, and how many nodes it looked at."""

    algorithm: str
    node: Node
    verdict: Verdict
    before: Verdict
    nodes_total: int
    nodes_checked: int


@dataclass(frozen=True)
class Recoding:
    """The classes of the solution with their labels, and how the source's columns are published."""

    table: TableName
    frequencies: FrequencyTable
    node: Node
    classes: int
    published_rows: int
    suppressed_rows: int
    smallest_class: int | None


@dataclass(frozen=True)
class StagedTable:
    """The new table before it has passed verify, and its published quasi-identifiers."""

    table: TableName
    quasi_identifiers: tuple[Column, ...]


@dataclass(frozen=True)
class Release:
    """What a re-count of a table says: its rows, classes, smallest class and those that fail."""

    rows: int
    classes: int
    smallest_class: int | None
    failing_classes: int
    failing_rows: int

    @property
    def holds(self) -> bool:
        """Whether every class satisfies the policy."""
        return self.failing_classes == 0


@dataclass(frozen=True)
class Risk:
    """The classes of a table as it is: the smallest, rows that are alone, rows in classes below k."""

    rows: int
    classes: int
    smallest_class: int | None
    unique_rows: int
    failing_rows: int
