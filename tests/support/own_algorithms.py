"""Test-only algorithms that assign combinations to classes by a table: they merge, refine, or blank single cells.

They work in Python over the codes of the combinations; nothing in the package knows about them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, count

from kanon_sql.algorithms import Algorithm
from kanon_sql.artifacts import NodeLabels, SearchRecord, SearchTask, Solution, TableAssignment, Verdict
from kanon_sql.stages.evaluate import NodeEvaluator
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import Workspace

Cell = tuple[int, int]  # a node of a hierarchy: level, part


@dataclass(frozen=True)
class Combination:
    """A combination of the frequency table: its packed keys, each column's part per level, and its rows."""

    keys: tuple[int, ...]
    parts: tuple[tuple[int, ...], ...]
    rows: int

    def at(self, levels: Sequence[int]) -> tuple[Cell, ...]:
        """The combination's nodes at these levels."""
        return tuple((level, parts[level]) for level, parts in zip(levels, self.parts, strict=True))

    @property
    def roots(self) -> tuple[int, ...]:
        """The level of every root."""
        return tuple(len(parts) - 1 for parts in self.parts)


@dataclass(frozen=True)
class Group:
    """Combinations that are published alike, and their nodes."""

    members: tuple[Combination, ...]
    cells: tuple[Cell, ...]

    @property
    def rows(self) -> int:
        return sum(member.rows for member in self.members)


class CombinationTable:
    """Reads the combinations, and writes groups of them."""

    def __init__(self, workspace: Workspace, task: SearchTask) -> None:
        self._workspace = workspace
        self._frequencies = task.frequencies
        self._rules = task.policy.models

    def judge(self) -> Verdict:
        """The verdict on the table as it is."""
        evaluator = NodeEvaluator(self._workspace, self._frequencies, self._rules)
        (before,) = evaluator.verdicts([self._frequencies.bottom])
        evaluator.forget()
        return before

    def combinations(self) -> list[Combination]:
        """Every combination, in the order of its codes."""
        columns = self._frequencies.columns
        names = [c.quasi_identifier.part(level) for c in columns for level in range(c.height)]
        asked = [Column(name, "bigint", "integer") for name in (*names, "row_count")]
        found = self._workspace.fetch("labels/hierarchy_rows", table=self._frequencies.table, columns=asked)
        read = []
        for values in found:
            by_name = dict(zip(names, map(int, values), strict=False))
            parts = tuple((*(by_name[c.quasi_identifier.part(level)] for level in range(c.height)), c.stride) for c in columns)
            keys = tuple(sum(by_name[part] for part in key) for key in self._frequencies.key_parts(self._frequencies.bottom))
            read.append(Combination(keys, parts, int(values[-1])))
        return sorted(read, key=lambda combination: combination.parts)

    def assign(self, groups: Sequence[Group]) -> TableAssignment:
        """The groups as tables of the run."""
        numbered = list(enumerate(groups, start=1))
        keys = [f"key_{number}" for number in range(1, 1 + len(groups[0].members[0].keys))]
        table = self._load(
            "own_groups", [*keys, "region", "row_count"], [(*m.keys, number, m.rows) for number, group in numbered for m in group.members]
        )
        cells = [f"{name}_{column.number}" for column in self._frequencies.columns for name in ("level", "part")]
        nodes = self._load("own_nodes", ["region", *cells], [(n, *(v for cell in group.cells for v in cell)) for n, group in numbered])
        highest = tuple(max(level for level, _ in column) for column in zip(*(group.cells for group in groups), strict=True))
        return TableAssignment(table, NodeLabels(nodes, highest))

    def _load(self, what: str, names: Sequence[str], rows: Sequence[tuple[int, ...]]) -> TableName:
        return self._workspace.tables.load(what, [Column(name, "bigint", "integer") for name in names], rows)


def merge(task: SearchTask, table: CombinationTable) -> Solution:
    """Merge the smallest class with its nearest one, up the hierarchies, until all have k rows."""
    k, groups = task.policy.privacy.least_k, [Group((c,), c.at((0,) * len(c.parts))) for c in table.combinations()]
    while len(groups) > 1 and min(group.rows for group in groups) < k:
        smallest = min(groups, key=lambda group: (group.rows, group.cells))
        others = [group for group in groups if group is not smallest]
        merged = [_joined(smallest, other) for other in others]
        place = min(range(len(others)), key=lambda place: (sum(level for level, _ in merged[place].cells), merged[place].cells))
        groups = [group for group in others if group is not others[place]] + [merged[place]]
    return _solution("merging", task, table, groups)


def _joined(one: Group, other: Group) -> Group:
    """Both groups as one, each column at the lowest level that both share."""
    first, second = one.members[0], other.members[0]
    levels = []
    for place, ((level, _), (another, _)) in enumerate(zip(one.cells, other.cells, strict=True)):
        levels.append(next(at for at in count(max(level, another)) if first.parts[place][at] == second.parts[place][at]))
    return Group(one.members + other.members, first.at(levels))


def refine(task: SearchTask, table: CombinationTable) -> Solution:
    """Start from one level above the values, and lower single classes where each part of them keeps k rows."""
    k, read = task.policy.privacy.least_k, table.combinations()
    node = tuple(min(1, root) for root in read[0].roots)
    return _solution("refining", task, table, [part for group in _grouped(read, node) for part in _specialized(group, k)])


def _specialized(group: Group, k: int) -> list[Group]:
    levels = [level for level, _ in group.cells]
    for place, level in enumerate(levels):
        if level:
            parts = _grouped(group.members, [*levels[:place], level - 1, *levels[place + 1 :]])
            if min(part.rows for part in parts) >= k:
                return [finer for part in parts for finer in _specialized(part, k)]
    return [group]


def blank(task: SearchTask, table: CombinationTable) -> Solution:
    """Suppress single cells: classes that are too small lose the columns of ever larger sets."""
    k, left, published = task.policy.privacy.least_k, table.combinations(), dict[tuple[Cell, ...], Group]()
    width = len(left[0].parts)
    for size in range(width + 1):
        for places in combinations(range(width), size):
            levels = [root if place in places else 0 for place, root in enumerate(left[0].roots)] if left else []
            for group in _grouped(left, levels):
                together = Group(published[group.cells].members + group.members, group.cells) if group.cells in published else group
                if together.rows >= k:
                    published[group.cells] = together
                    left = [combination for combination in left if combination not in group.members]
    lost = [Group(tuple(left), left[0].at(left[0].roots))] if left else []
    return _solution("blanking", task, table, [*published.values(), *lost])


def lie(task: SearchTask, table: CombinationTable) -> Solution:
    """Publish all rows under the values of the first combination."""
    read = table.combinations()
    return _solution("lying", task, table, [Group(tuple(read), read[0].at((0,) * len(read[0].parts)))])


def _grouped(members: Iterable[Combination], levels: Sequence[int]) -> list[Group]:
    found: dict[tuple[Cell, ...], list[Combination]] = {}
    for member in members:
        found.setdefault(member.at(levels), []).append(member)
    return [Group(tuple(group), cells) for cells, group in found.items()]


def _solution(name: str, task: SearchTask, table: CombinationTable, groups: Sequence[Group]) -> Solution:
    """The groups, with the verdict on the classes that they are published as."""
    before, sizes, k = table.judge(), Counter[tuple[Cell, ...]](), task.policy.privacy.least_k
    for group in groups:
        sizes[group.cells] += group.rows
    failing = [rows for rows in sizes.values() if rows < k]
    kept = [rows for rows in sizes.values() if rows >= k]
    verdict = Verdict((), len(sizes), min(sizes.values()), 0, len(failing), sum(failing), min(kept, default=None))
    return Solution(name, table.assign(groups), verdict, before, SearchRecord(optimal=False, optimal_reason="it is for tests"))


def _own(name: str, solver: str) -> Algorithm:
    return Algorithm(
        name,
        f"support.own_algorithms:{solver}",
        solves="classes",
        evaluator="support.own_algorithms:CombinationTable",
        minimizes_cost=False,
        joins_codes=True,
        publishes_bounds=False,
        suppresses="rows",
        plans="nothing",
    )


OWN = {name: _own(name, solver) for name, solver in (("merging", "merge"), ("refining", "refine"), ("blanking", "blank"), ("lying", "lie"))}
