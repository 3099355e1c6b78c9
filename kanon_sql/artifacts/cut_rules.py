"""The cuts of a Mondrian plan: a tree of values at which columns are cut, saved as a CSV file to review."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.errors import RequestError

HEADINGS = ("node", "column", "last_on_the_left", "split", "left", "right")
AT_NULL, AT_VALUE = "null", "value"


@dataclass(frozen=True)
class CutRule:
    """One cut of a region by a column; `split` is the last value on the left, None if only NULL is on the left."""

    node: int
    column: str
    split: str | None
    left: int
    right: int


@dataclass(frozen=True)
class RoundCut:
    """A cut with its number in a round of Mondrian; its sides are the regions 2 · number and 2 · number + 1 of the next round."""

    round: int
    number: int
    region: int
    column: str
    split: str | None


def tree_of(cuts: Sequence[RoundCut]) -> tuple[CutRule, ...]:
    """Return the cuts of all rounds as one tree, whose root is node 1."""
    nodes = {(1, 0): 1}
    rules = []
    for cut in sorted(cuts, key=lambda cut: (cut.round, cut.number)):
        left, right = (nodes.setdefault((cut.round + 1, 2 * cut.number + side), len(nodes) + 1) for side in (0, 1))
        rules.append(CutRule(nodes[cut.round, cut.region], cut.column, cut.split, left, right))
    return tuple(rules)


def rounds_of(rules: Sequence[CutRule]) -> list[RoundCut]:
    """Return the tree as rounds of cuts; raise an error if it is not a tree."""
    by_node = {rule.node: rule for rule in rules}
    cuts: list[RoundCut] = []
    regions, number = {1: 0}, 0
    while regions:
        following: dict[int, int] = {}
        number = 0
        depth = cuts[-1].round + 1 if cuts else 1
        for node, region in regions.items():
            rule = by_node.pop(node, None)
            if rule is not None:
                number += 1
                cuts.append(RoundCut(depth, number, region, rule.column, rule.split))
                following |= {rule.left: 2 * number, rule.right: 2 * number + 1}
        regions = following
    if by_node or len({rule.node for rule in rules}) != len(rules):
        raise RequestError("the cuts of the plan are not a tree: every node except 1 must be the left or right of exactly one other node")
    return cuts


def split_texts(rules: Sequence[CutRule]) -> dict[str, list[str]]:
    """Return the distinct values at which each column is cut."""
    texts: dict[str, dict[str, None]] = {}
    for rule in rules:
        if rule.split is not None:
            texts.setdefault(rule.column, {})[rule.split] = None
    return {column: list(values) for column, values in texts.items()}


def cuts_text(rules: Sequence[CutRule]) -> str:
    """Return the text of the cuts file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADINGS)
    for rule in rules:
        kind = AT_NULL if rule.split is None else AT_VALUE
        writer.writerow((rule.node, rule.column, kind, rule.split or "", rule.left, rule.right))
    return text.getvalue()


def read_cuts(text: str, where: str) -> tuple[CutRule, ...]:
    """Return the cuts in the text of a file; raise an error that names the first wrong one."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if not rows or tuple(rows[0]) != HEADINGS:
        raise RequestError(f"{where} must begin with the header {','.join(HEADINGS)}")
    rules = []
    for line, row in enumerate(rows[1:], start=2):
        if len(row) != len(HEADINGS) or row[2] not in (AT_NULL, AT_VALUE) or not all(row[index].isdigit() for index in (0, 4, 5)):
            raise RequestError(f"{where}, cut {line - 1}: must have the fields {','.join(HEADINGS)}; the third is {AT_NULL} or {AT_VALUE}")
        node, column, kind, split, left, right = row
        rules.append(CutRule(int(node), column, None if kind == AT_NULL else split, int(left), int(right)))
    return tuple(rules)


def cuts_hash(rules: Sequence[CutRule]) -> str:
    """Return a hash that shows whether a file contains the cuts of its plan."""
    return hashlib.sha256(cuts_text(rules).encode()).hexdigest()
