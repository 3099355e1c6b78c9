"""The end of every search: an assignment of combinations to classes.

A node is a rule: a combination's class key is computed from its codes, and nothing is stored. Every other algorithm stores a table
of combinations, each with its group; groups that are published alike are one class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.lattice import Node
from kanon_sql.tables import TableName


class Assignment(ABC):
    """Which combination is in which class, and how classes are published."""

    @property
    def levels(self) -> Node:
        """Return the level of every quasi-identifier; empty if classes have levels of their own."""
        return ()

    @abstractmethod
    def level_at(self, place: int) -> int | None:
        """Return the level of a quasi-identifier in all classes, None if it differs; at 0, its values are published."""

    def highest(self, heights: Node) -> Node:
        """Return the highest level of every quasi-identifier in any class."""
        return self.levels or heights

    def known_levels(self, names: Sequence[str]) -> dict[str, int]:
        """Return the levels of the quasi-identifiers that have one level in all classes."""
        return {name: level for place, name in enumerate(names) if (level := self.level_at(place)) is not None}

    def recoded(self, names: Sequence[str]) -> frozenset[str]:
        """Return the quasi-identifiers that are published as labels."""
        return frozenset(name for place, name in enumerate(names) if self.level_at(place) != 0)


@dataclass(frozen=True)
class NodeAssignment(Assignment):
    """Combinations with equal labels at the node's levels are one class."""

    node: Node

    @property
    def levels(self) -> Node:
        """Return the node."""
        return self.node

    def level_at(self, place: int) -> int | None:
        """Return the node's level."""
        return self.node[place]


@dataclass(frozen=True)
class SpanLabels:
    """A group is published by what its combinations span of each quasi-identifier, or by bounds that it was given."""

    bounds: TableName | None  # per group: region, dimension, low_code, high_code
    cells = ("loss", "ncp", "nllm", "entropy")  # what such a cell can lose; it has no level, so no prec
    has_positions = True  # its cells know their place on a numeric axis

    def level_at(self, place: int) -> int | None:  # noqa: ARG002  # as NodeLabels has it
        """Return None: spans have no level."""
        return None

    def highest(self, heights: Node) -> Node:
        """Return the roots: a span may cover everything."""
        return heights


@dataclass(frozen=True)
class NodeLabels:
    """A group is published by one node of every quasi-identifier's hierarchy: the label of a level, a value, or the root."""

    table: TableName  # per group: region, and level_1, part_1 … of quasi-identifiers whose hierarchy has more than one level
    levels: Node  # the highest level of every quasi-identifier in any group
    cells = ("loss", "ncp", "nllm", "prec", "entropy")
    has_positions = False

    def level_at(self, place: int) -> int | None:
        """Return 0 if every group publishes the values."""
        return None if self.levels[place] else 0

    def highest(self, heights: Node) -> Node:  # noqa: ARG002  # as SpanLabels has it
        """Return the highest level of every quasi-identifier in any group."""
        return self.levels


class _ByTable(Assignment):
    """What a table of combinations has in common before and after recode."""

    labels: SpanLabels | NodeLabels

    def level_at(self, place: int) -> int | None:
        """Return 0 if all groups publish the values, else None."""
        return self.labels.level_at(place)

    def highest(self, heights: Node) -> Node:
        """Return the highest level of every quasi-identifier in any group."""
        return self.labels.highest(heights)


@dataclass(frozen=True)
class TableAssignment(_ByTable):
    """A table of combinations, each with its group, and how groups are published."""

    table: TableName  # key_1 …, region (the number of the group), row_count; first_row where combinations are split
    labels: SpanLabels | NodeLabels
    splits_combinations: bool = False  # rows of one combination may be in several groups
    has_codes: bool = False  # also has the codes of sensitive values and persons, if these are counted


@dataclass(frozen=True)
class ClassCells:
    """One quasi-identifier's published cells, by span: labels, bounds or values, and what a cell loses."""

    number: int
    table: TableName
    published: tuple[tuple[str, str], ...]  # columns of the table, and their names in the recoding


@dataclass(frozen=True)
class LabelledTable(_ByTable):
    """A table of combinations after recode: each with its class, and the cells of every class."""

    table: TableName  # key_1 …, class, row_count; codes, first_row, last_row where combinations are split
    labels: SpanLabels | NodeLabels
    splits_combinations: bool
    groups: TableName  # every group with its class and spans
    cells: tuple[ClassCells, ...]
