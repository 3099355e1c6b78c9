"""Utility and risk row by row, without SQL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import log2
from statistics import median
from typing import Any

from support.lattice_oracle import column_entropy
from support.oracle import Case, Node, Row, classes_at, key_of


def flattened(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested figures with one name each."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        flat |= flattened(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {prefix + name: value}
    return flat


def nonuniform_entropy(case: Case, node: Node, weights: Sequence[Fraction]) -> float:
    """Return −log P(value | cell) of every row; the cell of a suppressed row is the whole column."""
    kept = [row for found in classes_at(case, node).values() if len(found) >= case.k for row in found]
    lost = [row for found in classes_at(case, node).values() if len(found) < case.k for row in found]
    total = 0.0
    for (name, ladder), level, weight in zip(case.ladders.items(), node, weights, strict=True):
        place = case.names.index(name)
        counts = Counter(key_of(row[place]) for row in case.rows)
        for row in kept:
            value = key_of(row[place])
            alike = sum(n for other, n in counts.items() if ladder.paths[other][level] == ladder.paths[value][level])
            total += float(weight) * log2(alike / counts[value])
        total += float(weight) * sum(log2(len(case.rows) / counts[key_of(row[place])]) for row in lost)
    return total


def class_sizes(sizes: Sequence[int]) -> dict[str, float | None]:
    if not sizes:
        return dict.fromkeys(("min", "avg", "max", "median"))
    return {"min": min(sizes), "avg": sum(sizes) / len(sizes), "max": max(sizes), "median": median(sizes)}


def risk(rows: Sequence[Row], population: Sequence[Row] | None, threshold: Fraction) -> dict[str, float | None]:
    """Return the risk of rows that consist of their quasi-identifiers."""
    classes, n = Counter(rows), len(rows)
    if not rows:
        return dict.fromkeys(("prosecutor_max", "prosecutor_average", "journalist_max", "marketer", "at_risk", "uniqueness"))
    there = Counter(population or [])
    larger = {known: max(size, there[known]) if population is not None else size for known, size in classes.items()}
    return {
        "prosecutor_max": 1 / min(classes.values()),
        "prosecutor_average": len(classes) / n,
        "journalist_max": 1 / min(larger.values()),
        "marketer": sum(size / larger[known] for known, size in classes.items()) / n,
        "at_risk": sum(size for size in classes.values() if Fraction(1, size) > threshold) / n,
        "uniqueness": sum(size for size in classes.values() if size == 1) / n,
    }


def told_apart(rows: Sequence[Row]) -> dict[str, float | None]:
    classes, n = Counter(rows), len(rows)
    pairs = list(combinations(rows, 2))
    return {
        "distinct": len(classes),
        "distinction": len(classes) / n if n else None,
        "separation": sum(a != b for a, b in pairs) / len(pairs) if pairs else None,
        "uniqueness": sum(size == 1 for size in classes.values()) / n if n else None,
    }


def information(rows: Sequence[tuple[Row, Any]]) -> dict[str, float | None]:
    """Return what classes disclose about a column; rows are (class, value)."""
    if not rows:
        return dict.fromkeys(("dr", "mi", "cp", "mil", "eld", "itpr"))
    n = len(rows)
    whole = column_entropy(Counter(value for _, value in rows))
    classes: dict[Row, Counter[Any]] = {}
    for known, value in rows:
        classes.setdefault(known, Counter())[value] += 1
    inside = {known: (sum(counts.values()) / n, column_entropy(counts)) for known, counts in classes.items()}
    left = sum(p * h for p, h in inside.values())
    return {
        "dr": 1 - left / whole if whole else 0.0,
        "mi": whole - left,
        "cp": 1 - 2 ** -(whole - left),
        "mil": max(whole - p * h for p, h in inside.values()),
        "eld": 2 ** -min(h for _, h in inside.values()),
        "itpr": max(1 - len(inside) * p * h / whole for p, h in inside.values()) if whole else 0.0,
    }
