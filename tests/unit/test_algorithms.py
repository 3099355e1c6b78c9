"""Searches without a database: sets of nodes, bounds, and the number of nodes that each algorithm evaluates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest
from support.lattice_oracle import LATTICE_ALGORITHMS

from kanon_sql.artifacts import NodeCost, Verdict
from kanon_sql.common.durations import seconds_of
from kanon_sql.errors import NoSolutionError
from kanon_sql.lattice import Lattice, Node, is_at_most
from kanon_sql.metrics import Number
from kanon_sql.partition import Round
from kanon_sql.stages.search import search
from kanon_sql.stages.search.clock import Clock, OutOfTime
from kanon_sql.stages.search.descent import Descent
from kanon_sql.stages.search.findings import Findings
from kanon_sql.stages.search.group_bound import bound_by_groups
from kanon_sql.stages.search.mondrian import mondrian
from kanon_sql.stages.search.node_sets import NodesByBound, NodeSets

LIMITED = Lattice((3, 2, 4), (1, 0, 0), (3, 2, 3))


class Threshold:
    """Accepts the nodes whose weighted levels reach a sum; every level costs the same."""

    def __init__(self, lattice: Lattice, weights: Sequence[int], least: int) -> None:
        self.inherits = True
        self.cost_names: Sequence[str] = ("height",)
        self.level_bounds: tuple[tuple[float, ...], ...] | None = tuple(tuple(map(float, range(h + 1))) for h in lattice.heights)
        self.asked: list[Node] = []
        self._weights = weights
        self._least = least

    def verdicts(self, nodes: Sequence[Node]) -> list[Verdict]:
        self.asked += nodes
        sums = [sum(level * weight for level, weight in zip(node, self._weights, strict=True)) for node in nodes]
        return [Verdict(node, 1, 1, 0, 0, max(0, self._least - total), 1) for node, total in zip(nodes, sums, strict=True)]

    def bound(self, total: float) -> float:
        return total

    def floor(self, verdict: Verdict) -> NodeCost:
        return NodeCost(verdict.node, (float(sum(verdict.node)),), 0.0)

    def costs(self, verdicts: Sequence[Verdict]) -> list[NodeCost]:
        return [self.floor(verdict) for verdict in verdicts]

    def shown(self, cost: NodeCost) -> dict[str, Number]:
        return {"height": cost.losses[0]}

    def distinct_labels(self, node: Node) -> list[int]:
        return [10 - level for level in node]


def test_sets_of_nodes_are_cones() -> None:
    sets = NodeSets(LIMITED)
    nodes = list(LIMITED.nodes())
    assert list(sets.nodes(sets.all)) == nodes
    for node in nodes:
        assert sets.node(sets.index(node)) == node
        assert set(sets.nodes(sets.up(node))) == {other for other in nodes if is_at_most(node, other)}
        assert set(sets.nodes(sets.down(node))) == {other for other in nodes if is_at_most(other, node)}
    for height in range(sets.span + 2):
        assert set(sets.nodes(sets.at_height(height))) == {node for node in nodes if sum(node) - 1 == height}
    part = sets.down((2, 1, 2)) | sets.down((3, 0, 1))
    assert set(sets.nodes(sets.tops(part))) == {(2, 1, 2), (3, 0, 1)}
    part = sets.up((2, 1, 2)) | sets.up((3, 0, 1))
    assert set(sets.nodes(sets.bottoms(part))) == {(2, 1, 2), (3, 0, 1)}


def test_nodes_within_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kanon_sql.stages.search.node_sets._CHECKPOINT", 7)
    terms = [[0.0, 0.5, 0.7, 2.0], [0.0, 0.1, 1.0], [0.0, 0.3, 0.4, 0.9, 1.0]]
    sets, by_bound = NodeSets(LIMITED), NodesByBound(LIMITED, terms, lambda total: 2 * total)
    bounds = {node: 2 * sum(levels[level] for levels, level in zip(terms, node, strict=True)) for node in LIMITED.nodes()}
    for limit in (-1.0, 1.0, 1.7, 2.4, 9.0):
        assert set(sets.nodes(by_bound.within(limit))) == {node for node, bound in bounds.items() if bound <= limit}
    assert by_bound.lowest(sets.up((2, 1, 1))) == bounds[2, 1, 1]
    assert by_bound.lowest(0) is None


@pytest.mark.parametrize("algorithm", [*LATTICE_ALGORITHMS, "auto"])
@pytest.mark.parametrize("least", [0, 1, 9, 14, 23])
def test_all_algorithms_end_at_the_best_node(algorithm: str, least: int) -> None:
    lattice, weights = Lattice((3, 2, 2, 4)), (1, 4, 2, 2)
    evaluator = Threshold(lattice, weights, least)
    solution = search(algorithm, lattice, evaluator, 0)
    accepted = [n for n in lattice.nodes() if sum(level * w for level, w in zip(n, weights, strict=True)) >= least]
    assert solution.assignment.levels == min(accepted, key=lambda node: (sum(node), node))
    assert solution.search.optimal
    assert len(evaluator.asked) == len(set(evaluator.asked)) == solution.search.nodes.checked


def test_few_nodes_are_evaluated() -> None:
    lattice = Lattice((4, 3, 3, 3, 2, 2, 2, 1))
    total = lattice.size
    counts = {}
    for algorithm in ("mingen", "flash", "ola", "incognito"):
        evaluator = Threshold(lattice, (3, 1, 2, 1, 2, 1, 3, 2), 22)
        search(algorithm, lattice, evaluator, 0)
        counts[algorithm] = len(evaluator.asked)
    assert counts["mingen"] == total == 17280
    assert counts["flash"] < total / 5
    assert counts["ola"] < total / 3


def test_only_sound_inferences_are_made() -> None:
    lattice = Lattice((2, 2))
    odd = {(0, 1), (1, 0)}  # accepted, unlike everything above them

    class Odd(Threshold):
        def verdicts(self, nodes: Sequence[Node]) -> list[Verdict]:
            return [Verdict(node, 1, 1, 0, 0, 0 if node in odd else 1, 1) for node in nodes]

    for algorithm in LATTICE_ALGORITHMS:
        evaluator = Odd(lattice, (1, 1), 0)
        evaluator.inherits = False
        assert search(algorithm, lattice, evaluator, 0).assignment.levels == (0, 1)


def test_a_bound_by_groups_is_never_too_high() -> None:
    lattice = Lattice((3,) * 6)
    for least in (4, 9, 15):
        evaluator = Threshold(lattice, (1, 2, 1, 2, 3, 1), least)
        best = min(sum(n) for n in lattice.nodes() if sum(a * b for a, b in zip(n, (1, 2, 1, 2, 3, 1), strict=True)) >= least)
        bound = bound_by_groups(lattice, evaluator, 0, Clock(None))
        assert bound is not None
        assert bound <= best


def test_a_lattice_too_large_for_memory_is_traversed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kanon_sql.stages.search.MAX_NODES_IN_MEMORY", 10)
    lattice = Lattice((3,) * 4)
    solution = search("auto", lattice, Threshold(lattice, (1, 2, 1, 2), 7), 0, time_budget=60)
    assert sum(solution.assignment.levels) == 4
    assert solution.search.optimal
    assert solution.search.nodes.total == 256


def test_the_best_node_so_far_is_returned_at_the_time_limit() -> None:
    lattice = Lattice((3, 3, 3))
    findings = Findings(lattice, Threshold(lattice, (1, 1, 1), 4), 0, Clock(1e-9))
    with pytest.raises(OutOfTime):
        findings.evaluate([(1, 1, 1)])
    solution = search("mingen", lattice, Threshold(lattice, (1, 1, 1), 4), 0, time_budget=1e-9)
    assert (solution.assignment.levels, solution.search.optimal) == ((3, 3, 3), False)
    assert solution.search.bound == 1  # the bottom was rejected
    assert "nodes open" in solution.search.optimal_reason


@pytest.mark.parametrize(("given", "seconds"), [("60s", 60), ("5m", 300), ("1h", 3600), ("250ms", 0.25), (2, 2), (" 1.5 s ", 1.5)])
def test_durations(given: object, seconds: float) -> None:
    assert math.isclose(seconds_of(given), seconds)


@pytest.mark.parametrize("given", ["", "soon", "60", "-5s", 0, -1, True, None, "1d", float("inf")])
def test_invalid_durations(given: object) -> None:
    with pytest.raises(ValueError, match="such as 60s"):
        seconds_of(given)


def test_products_are_lattices() -> None:
    assert list(Lattice((1, 2)).nodes()) == list(product(range(2), range(3)))


@pytest.mark.parametrize("algorithm", [*LATTICE_ALGORITHMS, "datafly"])
@pytest.mark.parametrize("least", [0, 3, 9, 14])
@pytest.mark.parametrize(
    "lattice", [LIMITED, Lattice((3, 2, 4)), Lattice((2, 1, 1), (1, 1, 0), (2, 1, 1)), Lattice((1, 1, 1), (1, 1, 1))], ids=str
)
def test_counts_of_nodes_are_reported(algorithm: str, least: int, lattice: Lattice) -> None:
    evaluator = Threshold(lattice, (1, 4, 2), least)
    try:
        solution = search(algorithm, lattice, evaluator, 0)
    except NoSolutionError:
        return
    nodes = solution.search.nodes
    asked = {node for node in evaluator.asked if node in lattice}
    assert nodes.total == lattice.size
    assert nodes.checked == len(asked) <= nodes.total
    skipped = nodes.total - nodes.checked - nodes.inferred - nodes.pruned
    assert skipped >= 0
    if "every node was evaluated, and" in solution.search.optimal_reason:
        assert nodes.checked == nodes.total
    if "evaluated or inferred" in solution.search.optimal_reason:
        assert (f"except {skipped:,} that" in solution.search.optimal_reason) == (skipped > 0)


class Deaf(Threshold):
    """Answers every question with the verdict on the top node, which is no information."""

    def verdicts(self, nodes: Sequence[Node]) -> list[Verdict]:
        if len(self.asked) > 1000:
            raise RuntimeError("asked forever")
        return [replace(verdict, node=LIMITED.top) for verdict in super().verdicts(nodes)]


@pytest.mark.parametrize("algorithm", ["flash", "samarati"])
def test_a_search_that_learns_nothing_stops(algorithm: str) -> None:
    findings = Findings(LIMITED, Deaf(LIMITED, (1, 1, 1), 4), 0, Clock(None))
    with pytest.raises(AssertionError, match="made no progress"):
        LATTICE_ALGORITHMS[algorithm](findings)


def test_a_descent_that_learns_nothing_stops() -> None:
    descent = Descent(LIMITED, Deaf(LIMITED, (1, 1, 1), 4), 0, Clock(None), None)
    with pytest.raises(AssertionError, match="twice"):
        descent.run()


class Stuck:
    """Cuts its largest region repeatedly, as if all rows were on one side."""

    open_regions = 1

    def __init__(self) -> None:
        self.rounds = 0

    def cut(self) -> Round:
        self.rounds += 1
        return Round(1, {1: 1}, 0, 100)


@pytest.mark.parametrize(("depth", "rounds"), [(None, 2), (5, 6)])
def test_mondrian_stops_when_the_largest_region_stays(depth: int | None, rounds: int) -> None:
    cutter = Stuck()
    with pytest.raises(AssertionError, match="mondrian made no progress"):
        mondrian(cutter, lambda number, open_regions: None, depth=depth)
    assert cutter.rounds == rounds


@pytest.mark.parametrize("heights", [(3, 2, 4), (9,) * 8])
def test_a_budget_that_counting_has_spent_gives_a_node_that_is_not_proven_best(heights: Node) -> None:
    lattice = Lattice(heights, (0,) * len(heights), heights)
    evaluator = Threshold(lattice, (1,) * len(heights), 4)
    solution = search("auto", lattice, evaluator, 0, time_budget=10, spent=11)
    assert solution.verdict.is_within(0)
    assert not solution.search.optimal
    assert "time budget of 10 s ended" in solution.search.optimal_reason
    assert len(evaluator.asked) < 12
