"""The counted combinations of the source, in codes."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.artifacts.source import QuasiIdentifier
from kanon_sql.lattice import Lattice, Node
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
    beyond: int  # the place in the list of what it does not list
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
class FrequencyTable:
    """The counted combinations of the source, coded at every level below the roots."""

    table: TableName
    rows: int
    combinations: int
    columns: tuple[CodedColumn, ...]
    label: CodedColumn | None = None

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
