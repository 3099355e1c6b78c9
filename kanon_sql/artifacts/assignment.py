"""The result of every search: an assignment of combinations to classes.

A node is a rule: the class key of a combination is computed from its codes, and nothing is stored. Every other algorithm stores a
table of combinations, each with its group. Groups with equal labels are one class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.lattice import Node
from kanon_sql.tables import TableName


class Assignment(ABC):
    """An assignment of combinations to classes, and the labels of the classes."""

    @property
    def levels(self) -> Node:
        """Return the level of every quasi-identifier; empty if levels differ between classes."""
        return ()

    @abstractmethod
    def level_at(self, index: int) -> int | None:
        """Return the level of a quasi-identifier in all classes, or None if it differs; level 0 publishes the values."""

    def highest(self, heights: Node) -> Node:
        """Return the highest level of every quasi-identifier in any class."""
        return self.levels or heights

    def known_levels(self, names: Sequence[str]) -> dict[str, int]:
        """Return the levels of the quasi-identifiers that have one level in all classes."""
        return {name: level for index, name in enumerate(names) if (level := self.level_at(index)) is not None}

    def recoded(self, names: Sequence[str]) -> frozenset[str]:
        """Return the quasi-identifiers that are published as labels."""
        return frozenset(name for index, name in enumerate(names) if self.level_at(index) != 0)


@dataclass(frozen=True)
class NodeAssignment(Assignment):
    """An assignment by a node: combinations with equal labels at its levels are one class."""

    node: Node

    @property
    def levels(self) -> Node:
        """Return the node."""
        return self.node

    def level_at(self, index: int) -> int | None:
        """Return the node's level."""
        return self.node[index]


@dataclass(frozen=True)
class SpanLabels:
    """Labels that cover the range or set of values in each group, or bounds that are given for each group."""

    bounds: TableName | None  # per group: region, dimension, low_code, high_code
    cells = ("loss", "ncp", "nllm", "entropy")  # the losses of a cell; it has no level, so no prec
    has_positions = True  # a cell has a position on a numeric axis

    def level_at(self, index: int) -> int | None:  # noqa: ARG002  # same signature as NodeLabels
        """Return None, because spans have no level."""
        return None

    def highest(self, heights: Node) -> Node:
        """Return the levels of the roots, because a span may cover everything."""
        return heights


@dataclass(frozen=True)
class NodeLabels:
    """Labels from hierarchies: each group has one node per quasi-identifier, which is a value, the label of a level, or the root."""

    table: TableName  # per group: region, and level_1, part_1 … of quasi-identifiers whose hierarchy has more than one level
    levels: Node  # the highest level of every quasi-identifier in any group
    cells = ("loss", "ncp", "nllm", "prec", "entropy")
    has_positions = False

    def level_at(self, index: int) -> int | None:
        """Return 0 if every group publishes the values, else None."""
        return None if self.levels[index] else 0

    def highest(self, heights: Node) -> Node:  # noqa: ARG002  # same signature as SpanLabels
        """Return the highest level of every quasi-identifier in any group."""
        return self.levels


class _ByTable(Assignment):
    """Base of the assignments that store a table of combinations, before and after recode."""

    labels: SpanLabels | NodeLabels

    def level_at(self, index: int) -> int | None:
        """Return 0 if all groups publish the values, else None."""
        return self.labels.level_at(index)

    def highest(self, heights: Node) -> Node:
        """Return the highest level of every quasi-identifier in any group."""
        return self.labels.highest(heights)


@dataclass(frozen=True)
class TableAssignment(_ByTable):
    """A table of combinations, each with its group, and the labels of the groups."""

    table: TableName  # key_1 …, region (the number of the group), row_count; first_row where combinations are split
    labels: SpanLabels | NodeLabels
    splits_combinations: bool = False  # rows of one combination may be in several groups
    has_codes: bool = False  # also has the codes of sensitive values and persons, if these are counted


@dataclass(frozen=True)
class ClassCells:
    """The published cells of one quasi-identifier by span: labels, bounds or values, and the losses of a cell."""

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
