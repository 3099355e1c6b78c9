"""Slices: a part of a node's classes, large enough to reject a node that fails by far, at a fraction of the cost of counting it."""

from __future__ import annotations

from math import prod

from kanon_sql.artifacts import FrequencyTable
from kanon_sql.judge.arguments import ClassSlice
from kanon_sql.lattice import Node

WORTH_IT = 200_000  # combinations from which on a slice saves time
FINEST = 16  # a slice has at least this fraction of the labels
SURE = 3  # a slice is this many times the share of rows that may be suppressed, so a node is rejected if a third of its rows fails
CROWDED = 30  # combinations of labels per row from which on a node is likely to fail by far
LABELS = 4  # that a slice must contain, or the distribution of rows would decide too much
LARGEST_DIVISOR = 2**62


def slice_of(frequencies: FrequencyTable, node: Node, allowed_rows: int) -> ClassSlice | None:
    """Return the classes with every n-th label of one quasi-identifier, or None if counting all classes is as fast."""
    if frequencies.combinations < WORTH_IT:
        return None
    below = [(column, level) for column, level in zip(frequencies.columns, node, strict=True) if level < column.height]
    if not below or prod(column.distinct[level] for column, level in below) < CROWDED * frequencies.rows:
        return None
    column, level = max(below, key=lambda pair: (pair[0].distinct[pair[1]], -pair[0].number))
    every = min(FINEST, frequencies.rows // (SURE * max(1, allowed_rows)))
    if every < 2 or column.distinct[level] < LABELS * every or column.stride * every > LARGEST_DIVISOR:
        return None
    return ClassSlice(column.quasi_identifier.part(level), column.stride * every, column.stride)  # the code 0 is NULL
