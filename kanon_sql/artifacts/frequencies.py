"""The counted combinations of the source, in codes."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.artifacts.source import QuasiIdentifier
from kanon_sql.lattice import Lattice, Node
from kanon_sql.models import Values
from kanon_sql.tables import Column, TableName


@dataclass(frozen=True)
class LevelLoss:
    """What a level costs in one metric: over all rows, the same with no cell above the root's, and its most lossy cell."""

    total: float
    capped: float
    highest: float


@dataclass(frozen=True)
class CodedColumn:
    """A quasi-identifier whose values have codes: its hierarchy table, label table and place in the class key."""

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
    """What models look at of a sensitive column: the codes of its values, and how the source distributes them."""

    number: int
    q: QuasiIdentifier  # the column, as it is counted
    values: Values
    codes: TableName  # value → code
    reference: TableName  # code → share of the source, rank
    tree: TableName | None  # code → branches of the column's hierarchy, where it has one
    height: int
    distinct: int
    counted: int  # rows, or pairs of person and value
    table: TableName  # the combinations with this code


@dataclass(frozen=True)
class FrequencyTable:
    """The counted combinations of the source, coded at every level below the roots; sensitive values and persons stand beside it."""

    table: TableName
    rows: int
    combinations: int
    columns: tuple[CodedColumn, ...]
    label: CodedValues | None = None  # what cm is about
    values: tuple[CodedValues, ...] = ()
    combined: TableName | None = None  # the combinations with all codes together, where they are kept so
    person_table: TableName | None = None  # the combinations with the codes of persons
    persons: TableName | None = None  # a person's value → code
    person_combinations: int | None = None  # the rows of the table of persons
    whole_persons: bool = False  # who has no code there is not published

    @property
    def counts_persons(self) -> bool:
        """Whether persons are counted instead of rows."""
        return self.persons is not None

    @property
    def code_names(self) -> tuple[str, ...]:
        """The columns of the combined table beside quasi-identifiers: codes of sensitive values, then of persons."""
        return (*(f"value_{v.number}" for v in self.values), *(["person"] if self.counts_persons else []))

    @property
    def lattice(self) -> Lattice:
        """The nodes that can be asked of this table."""
        return Lattice(tuple(column.height for column in self.columns))

    @property
    def bottom(self) -> Node:
        """The node that leaves every value as it is."""
        return (0,) * len(self.columns)

    def key_parts(self, node: Node) -> list[list[str]]:
        """Per packed key, the columns whose sum tells classes of the node apart; roots need none."""
        keys: dict[int, list[str]] = {}
        for column, level in zip(self.columns, node, strict=True):
            if level < column.height:
                keys.setdefault(column.key, []).append(column.quasi_identifier.part(level))
        return list(keys.values())
