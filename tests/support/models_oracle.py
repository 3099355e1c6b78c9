"""Privacy models, row by row and exactly: the measure of a class for each model, and whether it violates the policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log, log2
from typing import Any

from support.oracle import Files, Ladder, Row, build_ladder, exact, key_of, place_of

TOLERANCE = Fraction(1, 10**12)
KINDS = {"l_diversity": "distinct", "t_closeness": "equal", "beta_likeness": "basic"}
Number = Fraction | float


@dataclass(frozen=True)
class Look:
    """The values of a sensitive column as a model groups them, in their order, with their shares in the source."""

    group: dict[Any, int]  # value -> its place in the order of groups, NULL before all others
    shares: dict[int, Fraction]
    ladder: Ladder | None
    value_of: Callable[[Row], Any]
    person_of: Callable[[Row], Any] | None

    def counts(self, rows: Sequence[Row]) -> Counter[int]:
        """Return how often each group occurs; each person counts once per group."""
        found = [(self.group[self.value_of(row)], self.person_of(row) if self.person_of else place) for place, row in enumerate(rows)]
        pairs = {pair for pair in found if pair[1] is not None}
        return Counter(group for group, _ in pairs)


@dataclass(frozen=True)
class Rule:
    """One model of a policy."""

    model: str
    entry: Mapping[str, Any]
    look: Look

    @property
    def kind(self) -> str:
        return str(self.entry.get("kind", KINDS.get(self.model, "")))

    def measure(self, rows: Sequence[Row]) -> Number | None:
        """Return the measure of a class, or None if no limit would be satisfied."""
        counts = self.look.counts(rows)
        total = sum(counts.values())
        shares = {group: Fraction(n, total) for group, n in counts.items()}
        q = self.look.shares
        match self.model, self.kind:
            case "l_diversity", "distinct":
                return Fraction(len(counts))
            case "l_diversity", "entropy":
                return -sum(float(p) * log2(p) for p in shares.values())
            case "l_diversity", _:
                ordered = sorted(counts.values(), reverse=True)
                tail = sum(ordered[self.entry["l"] - 1 :])
                return Fraction(ordered[0], tail) if tail else None
            case "alpha_k", _:
                return max(shares.values())
            case "delta_disclosure", _:
                return max(abs(log2(p / q[group])) for group, p in shares.items())
            case "beta_likeness", kind:
                gains = {group: (p - q[group]) / q[group] for group, p in shares.items()}
                if kind == "enhanced" and any(float(gain) + log(q[group]) > 1e-12 for group, gain in gains.items()):
                    return None
                return max(Fraction(0), *gains.values())
            case "t_closeness", "equal":
                return sum((abs(shares.get(group, 0) - share) for group, share in q.items()), Fraction(0)) / 2
            case "t_closeness", "ordered":
                return ordered_distance(shares, q)
        return tree_distance(self.look, shares)

    def fails(self, rows: Sequence[Row]) -> bool:
        found = self.measure(rows)
        if found is None:
            return True
        match self.model:
            case "l_diversity" if self.kind == "entropy":
                return found < log2(self.entry["l"]) - float(TOLERANCE)
            case "l_diversity" if self.kind == "distinct":
                return bool(found < self.entry["l"])
            case "l_diversity":
                return found >= exact(self.entry["c"]) - TOLERANCE
            case "delta_disclosure":
                return found >= float(exact(self.entry["delta"])) - 1e-12
        return found > exact(self.entry[{"t_closeness": "t", "alpha_k": "alpha", "beta_likeness": "beta"}[self.model]]) + TOLERANCE


@dataclass(frozen=True)
class Rules:
    """All models of a policy."""

    k: int
    rules: list[Rule]
    average_risk: Fraction | None
    person_of: Callable[[Row], Any] | None

    def size(self, rows: Sequence[Row]) -> int:
        """Return the number of rows of a class, or of its persons."""
        return len({self.person_of(row) for row in rows} - {None}) if self.person_of else len(rows)

    def fails(self, rows: Sequence[Row]) -> bool:
        return self.size(rows) < self.k or any(rule.fails(rows) for rule in self.rules)

    def holds_as_whole(self, classes: int, rows: int) -> bool:
        return self.average_risk is None or classes <= self.average_risk * rows


def read_rules(columns: Mapping[str, str], rows: Sequence[Row], policy: Mapping[str, Any], files: Files) -> Rules:
    """Return the models of a policy, with the values they use."""
    names, privacy = list(columns), policy["privacy"]
    entity = policy.get("entity")
    person_of = (lambda row: key_of(row[names.index(entity)])) if entity else None
    rules = []
    for model in ("l_diversity", "t_closeness", "alpha_k", "delta_disclosure", "beta_likeness"):
        rules += [Rule(model, entry, look_at(columns, rows, policy, entry, files, person_of)) for entry in privacy.get(model, [])]
    k = max([privacy.get("k", 1), *(entry.get("k", 1) for entry in privacy.get("alpha_k", []))])
    risk = privacy.get("average_risk")
    return Rules(k, rules, None if risk is None else exact(risk), person_of)


def look_at(
    columns: Mapping[str, str],
    rows: Sequence[Row],
    policy: Mapping[str, Any],
    entry: Mapping[str, Any],
    files: Files,
    person_of: Callable[[Row], Any] | None,
) -> Look:
    """Return the values that one model uses."""
    name = entry["column"]
    place = list(columns).index(name)
    rule = policy["columns"][name]
    hierarchy = entry.get("hierarchy") or (rule.get("hierarchy") if isinstance(rule, dict) else None)
    values = list(dict.fromkeys(key_of(row[place]) for row in rows))
    ladder = build_ladder(columns[name], values, hierarchy, files) if hierarchy else None
    by_order = entry.get("kind") in ("ordered", "hierarchical")
    level = entry.get("level", 1 if "hierarchy" in entry and not by_order and "bins" not in entry else 0)
    listed = isinstance(hierarchy, dict) and not hierarchy.keys().isdisjoint({"csv", "tree", "table"})
    group = groups_of(values, ladder, level, entry.get("bins"), listed=listed)
    look = Look(group, {}, ladder, lambda row: key_of(row[place]), person_of)
    counts = look.counts(rows)
    total = sum(counts.values())
    return Look(group, {found: Fraction(n, total) for found, n in sorted(counts.items())}, ladder, look.value_of, person_of)


def groups_of(values: Sequence[Any], ladder: Ladder | None, level: int, bins: int | None, *, listed: bool) -> dict[Any, int]:
    """Return the group of each value, numbered in the order of groups; NULL is 0."""
    present = sorted(value for value in values if value is not None)
    if bins is not None:
        low, high = place_of(present[0]) if present else Fraction(0), place_of(present[-1]) if present else Fraction(0)
        # Bounds of bins are where doubles say they are.
        return {None: 0} | {v: binned(float(place_of(v)), float(low), float(high), bins) for v in present}
    leaves = present
    if ladder is not None and listed:
        given = [leaf for leaf in ladder.leaves if leaf is not None]
        leaves = given + [value for value in present if value not in given]
    labels = [ladder.paths[leaf][level] if ladder is not None else leaf for leaf in leaves]
    order = list(dict.fromkeys(labels))
    return {None: 0} | {leaf: order.index(label) + 1 for leaf, label in zip(leaves, labels, strict=True)}


def binned(place: float, low: float, high: float, bins: int) -> int:
    return bins if place >= high else floor(bins * ((place - low) / (high - low))) + 1


def ordered_distance(shares: Mapping[int, Fraction], q: Mapping[int, Fraction]) -> Fraction:
    if len(q) < 2:
        return Fraction(0)
    distance = cumulated = Fraction(0)
    for group in sorted(q):
        cumulated += shares.get(group, Fraction(0)) - q[group]
        distance += abs(cumulated)
    return distance / (len(q) - 1)


def tree_distance(look: Look, shares: Mapping[int, Fraction]) -> Fraction:
    """Li 2007: return what moves at each inner node, by the node's level."""
    ladder = look.ladder
    assert ladder is not None
    gains = {value: shares.get(group, Fraction(0)) - look.shares.get(group, Fraction(0)) for value, group in look.group.items()}
    gains = {value: gain for value, gain in gains.items() if value in ladder.paths}
    distance = Fraction(0)
    for level in range(1, ladder.height + 1):
        branches: dict[Any, dict[Any, Fraction]] = {}
        for value, gain in gains.items():
            below = branch(ladder, value, level - 1)
            children = branches.setdefault(branch(ladder, value, level), {})
            children[below] = children.get(below, Fraction(0)) + gain
        for children in branches.values():
            surplus = sum((gain for gain in children.values() if gain > 0), Fraction(0))
            lack = -sum((gain for gain in children.values() if gain < 0), Fraction(0))
            distance += Fraction(level, ladder.height) * min(surplus, lack)
    return distance


def branch(ladder: Ladder, value: Any, level: int) -> Any:
    """Return the ancestor of a value on a level; NULL has its own."""
    return (value is None and level < ladder.height, ladder.paths[value][level])
