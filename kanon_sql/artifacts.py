"""The frozen values that pass between the stages, in the order of the path."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from pydantic import TypeAdapter

from kanon_sql.hierarchy import Hierarchy
from kanon_sql.lattice import Lattice, Node
from kanon_sql.metrics import Number
from kanon_sql.partition import Output, Partition, RegionCells
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
    output: Output = "labels"

    @property
    def has_bounds(self) -> bool:
        """Whether two columns of its own type take its place."""
        return self.output == "bounds"

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
class Identifier:
    """An identifier whose column stays, with what takes the place of its values: a hash, a number, nothing."""

    column: Column
    action: str
    key: str | None


@dataclass(frozen=True)
class Profile:
    """The source as the run sees it: what is generalized, what is kept, in which order it is published."""

    source: TableName
    columns: tuple[Column, ...]
    quasi_identifiers: tuple[QuasiIdentifier, ...]
    identifiers: tuple[Identifier, ...]
    dropped: tuple[str, ...]
    warnings: tuple[str, ...]
    label: QuasiIdentifier | None = None  # the column that `cm` is about, coded like a quasi-identifier
    ranked: bool = False  # codes stand in the order of the values, those of categories in the order of their tree

    @property
    def kept(self) -> tuple[Column, ...]:
        """The columns whose values are published as they are."""
        replaced = {identifier.column.name for identifier in self.identifiers}
        return tuple(column for column in self.columns if column.name not in self.by_column and column.name not in replaced)

    @cached_property
    def by_column(self) -> dict[str, QuasiIdentifier]:
        """The quasi-identifiers by column name."""
        return {q.column.name: q for q in self.quasi_identifiers}

    @cached_property
    def published_names(self) -> frozenset[str]:
        """The columns of the release that hold quasi-identifiers."""
        return frozenset(name for q in self.quasi_identifiers for name in q.published_names)


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


@dataclass(frozen=True)
class Verdict:
    """What evaluate says of a node."""

    node: Node
    classes: int
    smallest_class: int
    unique_rows: int
    failing_classes: int
    failing_rows: int
    smallest_published: int | None
    metrics: tuple[float, ...] = ()  # of classes; each also as if nothing were suppressed


@dataclass(frozen=True)
class NodeCost:
    """What a node costs: one loss per cost (less is better), and how much of the first one suppression adds."""

    node: Node
    losses: tuple[float, ...]
    surplus: float


@dataclass(frozen=True)
class MinimalNode:
    """An accepted node below which every node is rejected, with its first cost."""

    node: Node
    cost: Number


@dataclass(frozen=True)
class NodeCounts:
    """How many nodes there are, and how a search came to know about them."""

    total: int
    checked: int
    inferred: int = 0
    pruned: int = 0


@dataclass(frozen=True)
class Solution:
    """What search chose, and how it came to it."""

    algorithm: str
    node: Node
    verdict: Verdict
    before: Verdict
    nodes: NodeCounts
    optimal: bool
    optimal_reason: str
    choice: str = ""  # why auto picked this algorithm
    costs: dict[str, Number] = field(default_factory=dict)
    bound: Number = None  # what no node left can undercut, where the search was cut short
    minimal: tuple[MinimalNode, ...] = ()
    minimal_complete: bool = False
    partition: Partition | None = None  # of Mondrian, whose solution is no node

    @property
    def nodes_checked(self) -> int:
        """The frequency sets that were computed."""
        return self.nodes.checked


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
    regions: RegionCells | None = None  # of Mondrian: which combination is in which class, and what its cells lose

    @property
    def recoded_columns(self) -> frozenset[str]:
        """The columns that are published as labels."""
        if self.regions is not None:
            return frozenset(column.column.name for column in self.frequencies.columns)
        levels = zip(self.frequencies.columns, self.node, strict=True)
        return frozenset(column.column.name for column, level in levels if level > 0)


@dataclass(frozen=True)
class StagedTable:
    """The new table before it has passed verify, its published quasi-identifiers and all its columns."""

    table: TableName
    quasi_identifiers: tuple[Column, ...]
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class Earlier:
    """What the journal tells of the run that published a table: levels, counts and metrics, never values."""

    levels: dict[str, int]
    heights: dict[str, int]
    kinds: dict[str, str]
    solution: Solution
    rows: int
    classes: int
    k: int | None
    utility: dict[str, int | float | None]

    def to_json(self) -> str:
        """The same as text."""
        return TypeAdapter(Earlier).dump_json(self).decode()

    @classmethod
    def from_json(cls, text: str) -> Earlier:
        """The same from its text."""
        return TypeAdapter(cls).validate_json(text)


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
