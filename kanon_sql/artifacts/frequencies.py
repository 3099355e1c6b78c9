"""The frequency table: the counted combinations of the source, in codes."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.artifacts.source import QuasiIdentifier
from kanon_sql.lattice import Lattice, Node
from kanon_sql.models import Values
from kanon_sql.tables import Column, TableName


@dataclass(frozen=True)
class LevelLoss:
    """The loss of a level in one metric: in total, in total with each cell capped at the root's loss, and of the worst cell."""

    total: float
    capped: float
    highest: float


@dataclass(frozen=True)
class CodedColumn:
    """A quasi-identifier whose values have codes: its hierarchy table, label table and position in the class key."""

    quasi_identifier: QuasiIdentifier
    hierarchy_table: TableName
    label_table: TableName
    labels: tuple[int, ...]
    distinct: tuple[int, ...]
    key: int
    stride: int
    codes: int
    unlisted: int  # the position in the list of values that the hierarchy does not list
    losses: dict[str, tuple[LevelLoss, ...]]  # per column of the label table and level

    @property
    def number(self) -> int:
        return self.quasi_identifier.number

    @property
    def column(self) -> Column:
        return self.quasi_identifier.column

    @property
    def height(self) -> int:
        return len(self.labels) - 1


@dataclass(frozen=True)
class CodedValues:
    """The values of a sensitive column that models use: their codes, and their distribution in the source."""

    number: int
    q: QuasiIdentifier  # the column, as it is counted
    values: Values
    codes: TableName  # value → code
    reference: TableName  # code → share of the source, rank
    tree: TableName | None  # code → branches of the column's hierarchy; None if it has none
    height: int
    distinct: int
    counted: int  # rows, or pairs of person and value
    table: TableName  # the combinations with this code


@dataclass(frozen=True)
class FrequencyTable:
    """The counted combinations of the source, coded at every level below the roots, with tables of sensitive values and persons."""

    table: TableName
    rows: int
    combinations: int
    columns: tuple[CodedColumn, ...]
    label: CodedValues | None = None  # the values that cm uses
    values: tuple[CodedValues, ...] = ()
    combined: TableName | None = None  # the combinations with all codes in one table; None if they are in several
    person_table: TableName | None = None  # the combinations with the codes of persons
    persons: TableName | None = None  # a person's value → code
    person_combinations: int | None = None  # the rows of the table of persons
    whole_persons: bool = False  # persons without a code there are not published

    @property
    def counts_persons(self) -> bool:
        """Return whether persons are counted instead of rows."""
        return self.persons is not None

    @property
    def code_names(self) -> tuple[str, ...]:
        """Return the columns of the combined table after the quasi-identifiers: codes of sensitive values, then of persons."""
        return (*(f"value_{v.number}" for v in self.values), *(["person"] if self.counts_persons else []))

    @property
    def lattice(self) -> Lattice:
        """Return the lattice of this table's nodes."""
        return Lattice(tuple(column.height for column in self.columns))

    @property
    def bottom(self) -> Node:
        """Return the node that generalizes nothing."""
        return (0,) * len(self.columns)

    def key_parts(self, node: Node) -> list[list[str]]:
        """Return, per packed key, the columns whose sum identifies a class of the node; roots need none."""
        keys: dict[int, list[str]] = {}
        for column, level in zip(self.columns, node, strict=True):
            if level < column.height:
                keys.setdefault(column.key, []).append(column.quasi_identifier.part(level))
        return list(keys.values())
