"""Exhaustive enumeration of a lattice, row by row: costs of every node, the accepted nodes, the minimal ones, the best one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import log2
from typing import Any

from support.oracle import CATEGORIES, Files, Ladder, Node, Row, classes_at, extent, key_of, read_case

from kanon_sql.algorithms import ALGORITHMS

LATTICE_ALGORITHMS = {algorithm.name: algorithm.load_solver() for algorithm in ALGORITHMS.values() if algorithm.solves == "lattice"}

TOLERANCE = 1e-9
MORE_IS_BETTER = ("classes", "prec")


@dataclass(frozen=True)
class Judged:
    """One node: whether it is accepted, and the value of every cost (None if it has none)."""

    accepted: bool
    failing_rows: int
    values: dict[str, float | None]


class Lattice:
    """All nodes that a policy allows, with their verdicts."""

    def __init__(self, columns: Mapping[str, str], rows: Sequence[Row], policy: Mapping[str, Any], *, files: Files) -> None:
        self.case = read_case(columns, rows, policy, files)
        rules = [policy["columns"][name] for name in self.case.ladders]
        heights = [ladder.height for ladder in self.case.ladders.values()]
        self.lowest = [rule.get("min_level", 0) for rule in rules]
        self.highest = [rule.get("max_level", height) for rule, height in zip(rules, heights, strict=True)]
        given = [Fraction(str(rule.get("weight", 1))) for rule in rules]
        self.weights = [weight * len(given) / sum(given) for weight in given]
        self.label = policy.get("label") or next((n for n, r in policy["columns"].items() if r == "sensitive"), None)
        ranges = [range(low, high + 1) for low, high in zip(self.lowest, self.highest, strict=True)]
        self.nodes = {node: self._judge(node) for node in product(*ranges)}

    @property
    def accepted(self) -> set[Node]:
        return {node for node, judged in self.nodes.items() if judged.accepted}

    @property
    def minimal(self) -> set[Node]:
        """Return the accepted nodes without an accepted node below them."""
        accepted = self.accepted
        return {node for node in accepted if not any(other != node and below(other, node) for other in accepted)}

    def best(self, costs: Sequence[str], among: set[Node] | None = None) -> Node | None:
        """Return the accepted node of least cost; ties are resolved by the next cost, by height, by levels."""
        left = list(self.accepted if among is None else among)
        for cost in costs:
            losses = {node: self._loss(cost, self.nodes[node].values[cost]) for node in left}
            if losses:
                least = min(losses.values())
                left = [node for node in left if losses[node] <= least + TOLERANCE * max(1, abs(least))]
        return min(left, key=lambda node: (sum(node), node), default=None)

    def lowest_best(self, costs: Sequence[str]) -> Node | None:
        """Return the best node of the lowest height with an accepted node."""
        height = min((sum(node) for node in self.accepted), default=0)
        return self.best(costs, {node for node in self.accepted if sum(node) == height})

    def _loss(self, cost: str, value: float | None) -> float:
        if value is None:
            return float("inf")
        return -value if cost in MORE_IS_BETTER else value

    def _judge(self, node: Node) -> Judged:
        case, total = self.case, len(self.case.rows)
        kept = case.kept(classes_at(case, node))
        rows = [row for found in kept for row in found]
        failing = total - len(rows)
        values: dict[str, float | None] = {
            "dm": sum(len(found) ** 2 for found in kept) + total * failing,
            "c_avg": total / (len(kept) * case.k) if kept else None,
            "classes": len(kept),
            "height": sum(node),
            **{name: float(value) for name, value in self._of_cells(node, rows, failing).items()},
        }
        if self.label is not None:
            place = case.names.index(self.label)
            values["cm"] = failing + sum(len(f) - max(Counter(key_of(row[place]) for row in f).values()) for f in kept)
        return Judged(failing <= case.limit and case.holds_as_whole(len(kept), len(rows)), failing, values)

    def _of_cells(self, node: Node, rows: Sequence[Row], failing: int) -> dict[str, Fraction | float]:
        case = self.case
        total, m = len(case.rows), len(case.ladders)
        sums: dict[str, Any] = dict.fromkeys(("geniloss", "ncp", "nllm", "prec"), Fraction(0))
        entropy = 0.0
        for (name, ladder), level, weight in zip(case.ladders.items(), node, self.weights, strict=True):
            place = case.names.index(name)
            counts = Counter(key_of(row[place]) for row in case.rows)
            whole = column_entropy(counts)
            entropy += failing * whole * float(weight)
            for metric in sums:
                sums[metric] += weight * failing
            for value, n in Counter(key_of(row[place]) for row in rows).items():
                sums["geniloss"] += weight * n * ladder.loss(value, level)
                sums["ncp"] += weight * n * ncp(ladder, value, level)
                sums["nllm"] += weight * n * nllm(ladder, value, level)
                sums["prec"] += weight * n * (Fraction(level, ladder.height) if ladder.height else 0)
                alike = Counter({v: c for v, c in counts.items() if ladder.paths[v][level] == ladder.paths[value][level]})
                entropy += float(weight) * n * column_entropy(alike)
        means = {metric: lost / (total * m) for metric, lost in sums.items()}
        return {**means, "prec": 1 - means["prec"], "entropy": entropy}


def covered(ladder: Ladder, value: Any, level: int) -> list[Any]:
    label = ladder.paths[value][level]
    return [leaf for leaf in ladder.leaves if ladder.paths[leaf][level] == label]


def edge(ladder: Ladder, value: Any, level: int) -> Fraction | None:
    """Return the loss if it is the same in every metric: nothing, or everything."""
    if len(ladder.leaves) < 2 or level == 0:
        return Fraction(0)
    if level == ladder.height or value not in ladder.leaves:
        return Fraction(1)
    return Fraction(0) if len(covered(ladder, value, level)) == 1 else None


def ncp(ladder: Ladder, value: Any, level: int) -> Fraction:
    found = edge(ladder, value, level)
    if found is not None:
        return found
    leaves = covered(ladder, value, level)
    return Fraction(len(leaves), len(ladder.leaves)) if ladder.type in CATEGORIES else extent(leaves) / extent(ladder.leaves)


def nllm(ladder: Ladder, value: Any, level: int) -> Fraction:
    found = edge(ladder, value, level)
    return Fraction(len(covered(ladder, value, level)) - 1, len(ladder.leaves) - 1) if found is None else found


def column_entropy(counts: Counter[Any]) -> float:
    total = sum(counts.values())
    return -sum(n / total * log2(n / total) for n in counts.values()) if len(counts) > 1 else 0.0


def below(lower: Node, upper: Node) -> bool:
    return all(a <= b for a, b in zip(lower, upper, strict=True))
