"""Random small tables and hierarchies: every algorithm compared with exhaustive enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.comparisons import near
from support.databases import Database
from support.lattice_oracle import LATTICE_ALGORITHMS
from support.lattice_oracle import Lattice as Enumerated

from kanon_sql.artifacts import FrequencyTable
from kanon_sql.backends import connect
from kanon_sql.errors import NoSolutionError
from kanon_sql.labels.levels import goal_of, lattice_of
from kanon_sql.policy import Policy
from kanon_sql.policy.file import load_policy
from kanon_sql.stages.count.frequencies import count_combinations
from kanon_sql.stages.evaluate import NodeEvaluator
from kanon_sql.stages.profile.source import describe_source, profile_source
from kanon_sql.stages.search import search
from kanon_sql.stages.search.clock import Clock
from kanon_sql.stages.search.findings import Findings
from kanon_sql.workspace import Workspace

COSTS = ["geniloss", "ncp", "nllm", "dm", "c_avg", "classes", "prec", "height", "entropy", "cm"]
LEAVES = ["a", "b", "c", "d", "e"]
Case = tuple[dict[str, str], list[tuple[Any, ...]], dict[str, Any], dict[str, list[list[str]]]]


@st.composite
def trees(draw: st.DrawFn) -> list[list[str]]:
    """Draw a listed hierarchy of one or two levels below the root."""
    groups = [draw(st.sampled_from(["p", "q", "r"])) for _ in LEAVES]
    if draw(st.booleans()):
        return [[leaf, group] for leaf, group in zip(LEAVES, groups, strict=True)]
    above = {group: draw(st.sampled_from(["x", "y"])) for group in "pqr"}
    return [[leaf, group, above[group]] for leaf, group in zip(LEAVES, groups, strict=True)]


@st.composite
def quasi_identifiers(draw: st.DrawFn, name: str) -> tuple[str, Any, Any, list[list[str]] | None]:
    """Draw a column's type, values, hierarchy and file."""
    match draw(st.sampled_from(["text", "integer", "listed", "boolean"])):
        case "text":
            return "text", st.sampled_from(["ab", "ac", "bc", "b", ""]), {"mask": {"hide": draw(st.sampled_from([[1], [1, 2]]))}}, None
        case "integer":
            widths = draw(st.sampled_from([[2], [2, 6], [5]]))
            return "integer", st.integers(-4, 9), {"intervals": widths}, None
        case "listed":
            return "text", st.sampled_from(LEAVES), {"csv": f"{name}.csv", "header": False}, draw(trees())
        case _:
            return "boolean", st.booleans(), "suppress", None


@st.composite
def cases(draw: st.DrawFn) -> Case:
    names = [f"c{number}" for number in range(draw(st.integers(1, 5)))]
    drawn = {name: draw(quasi_identifiers(name)) for name in names}
    columns = {name: kind for name, (kind, *_) in drawn.items()} | {"label": "text"}
    pools = [draw(st.lists(st.one_of(st.none(), values), min_size=1, max_size=4)) for _, values, *_ in drawn.values()]
    pools.append(["yes", "no", None])
    rows = draw(st.lists(st.tuples(*(st.sampled_from(pool) for pool in pools)), min_size=2, max_size=24))
    rules: dict[str, Any] = {name: {"role": "quasi_identifier", "hierarchy": rule} for name, (_, _, rule, _) in drawn.items()}
    for rule in rules.values():
        if draw(st.integers(0, 3)) == 0:
            rule["weight"] = draw(st.sampled_from([0.5, 2, 3]))
        if draw(st.integers(0, 3)) == 0:
            rule["max_level"] = draw(st.integers(0, 1))
        if draw(st.integers(0, 3)) == 0:
            rule["min_level"] = draw(st.integers(0, min(1, rule.get("max_level", 1))))
    policy = {
        "table": "hostile",
        "publish": {"into": "hostile_anon"},
        "privacy": {"k": draw(st.integers(2, min(4, len(rows))))},
        "suppression": draw(st.sampled_from([0, 0, 1, 3, 0.2])),
        "cost": draw(st.lists(st.sampled_from(COSTS), min_size=1, max_size=2, unique=True)),
        "columns": {**rules, "label": "sensitive"},
    }
    return columns, rows, policy, {f"{name}.csv": tree for name, (*_, tree) in drawn.items() if tree}


@contextmanager
def counted(database: Database, folder: Path, case: Case) -> Iterator[tuple[Workspace, FrequencyTable, Policy]]:
    """Count a random table in the database."""
    columns, rows, given_policy, files = case
    for name, lines in files.items():
        (folder / name).write_text("\n".join(";".join(line) for line in lines))
    policy = load_policy(given_policy, folder=folder)
    database.create("hostile", columns, rows)
    try:
        with Workspace(connect(database.url), "read") as workspace:
            profile = profile_source(workspace, describe_source(workspace, policy.source), policy)
            yield workspace, count_combinations(workspace, profile, at_least=1), policy
    finally:
        database.drop("hostile")


def enumerated(case: Case) -> Enumerated:
    columns, rows, policy, files = case
    return Enumerated(columns, rows, policy, files=files)


def fits(case: Case) -> bool:
    """Return whether the lattice is small enough to enumerate row by row and its limits leave a level."""
    heights = {"suppress": 1}
    sizes = []
    for rule in case[2]["columns"].values():
        if isinstance(rule, dict):
            given_rule = rule["hierarchy"]
            match given_rule:
                case str():
                    height = heights[given_rule]
                case {"mask": {"hide": steps}} | {"intervals": steps}:
                    height = len(steps) + 1
                case {"csv": name}:
                    lines = case[3][name]
                    height = len(lines[0]) - 1 + (len({line[-1] for line in lines}) > 1)
            sizes.append(min(rule.get("max_level", height), height) - rule.get("min_level", 0) + 1)
            if rule.get("max_level", 0) > height or rule.get("min_level", 0) > height:
                return False
    nodes: int = prod(sizes)
    return nodes <= 150


@settings(max_examples=40)
@given(case=cases())
def test_every_algorithm_finds_what_enumeration_finds(backend: Database, tmp_path: Path, case: Case) -> None:
    assume(fits(case))
    wanted = enumerated(case)
    costs = case[2]["cost"]
    with counted(backend, tmp_path, case) as (workspace, frequencies, policy):
        lattice = lattice_of(frequencies, policy)
        assert lattice.size == len(wanted.nodes)
        allowed = policy.suppression.allowed_rows(frequencies.rows)
        for algorithm in (*LATTICE_ALGORITHMS, "auto"):
            evaluator = NodeEvaluator(workspace, frequencies, policy.models, goal_of(frequencies, policy))
            if not wanted.accepted:
                with pytest.raises(NoSolutionError):
                    search(algorithm, lattice, evaluator, allowed)
                continue
            solution = search(algorithm, lattice, evaluator, allowed)
            best = wanted.lowest_best(costs) if algorithm == "samarati" else wanted.best(costs)
            assert solution.assignment.levels == best, algorithm
            assert solution.search.optimal
            assert solution.verdict.failing_rows == wanted.nodes[solution.assignment.levels].failing_rows
            assert {name: near(value) for name, value in solution.costs.items()} == {
                name: wanted.nodes[solution.assignment.levels].values[name] for name in costs
            }
            minimal = {m.node: m.cost for m in solution.search.minimal}
            assert set(minimal) <= wanted.minimal
            assert all(cost == near(wanted.nodes[node].values[costs[0]]) for node, cost in minimal.items())
            if algorithm in ("incognito", "ola", "mingen"):
                assert set(minimal) == wanted.minimal
                assert solution.search.minimal_complete


@settings(max_examples=25)
@given(case=cases())
def test_nodes_rejected_from_a_slice_of_their_classes_change_no_solution(backend: Database, tmp_path: Path, case: Case) -> None:
    assume(fits(case))
    wanted = enumerated(case)
    assume(wanted.accepted)
    with pytest.MonkeyPatch.context() as patched, counted(backend, tmp_path, case) as (workspace, frequencies, policy):
        for limit in ("WORTH_IT", "CROWDED", "LABELS"):
            patched.setattr(f"kanon_sql.stages.evaluate.slices.{limit}", 0)
        allowed = policy.suppression.allowed_rows(frequencies.rows)
        evaluator = NodeEvaluator(workspace, frequencies, policy.models, goal_of(frequencies, policy), allowed_rows=allowed)
        for verdict in evaluator.verdicts(list(wanted.nodes)):
            node = wanted.nodes[verdict.node]
            assert verdict.is_within(allowed) == (verdict.node in wanted.accepted)
            assert verdict.failing_rows == node.failing_rows or allowed < verdict.failing_rows <= node.failing_rows
        for verdict in evaluator.verdicts(list(wanted.nodes), exact=True):
            assert verdict.failing_rows == wanted.nodes[verdict.node].failing_rows
        for algorithm in LATTICE_ALGORITHMS:
            solution = search(algorithm, lattice_of(frequencies, policy), evaluator, allowed)
            best = wanted.lowest_best(case[2]["cost"]) if algorithm == "samarati" else wanted.best(case[2]["cost"])
            assert solution.assignment.levels == best, algorithm


@settings(max_examples=15)
@given(case=cases())
def test_accepted_nodes_and_costs_of_every_node(backend: Database, tmp_path: Path, case: Case) -> None:
    assume(fits(case))
    wanted = enumerated(case)
    columns, rows, given_policy, files = case
    everything: Case = (columns, rows, {**given_policy, "cost": COSTS}, files)
    with counted(backend, tmp_path, everything) as (workspace, frequencies, policy):
        evaluator = NodeEvaluator(workspace, frequencies, policy.models, goal_of(frequencies, policy))
        verdicts = evaluator.verdicts(list(wanted.nodes))
        for cost, verdict in zip(evaluator.costs(verdicts), verdicts, strict=True):
            assert verdict.failing_rows == wanted.nodes[cost.node].failing_rows
            assert evaluator.shown(cost) == {name: near(value) for name, value in wanted.nodes[cost.node].values.items()}
            assert evaluator.floor(verdict).losses[0] <= cost.losses[0] + 1e-9
        lattice = lattice_of(frequencies, policy)
        if lattice.top not in wanted.accepted:
            return
        for algorithm in ("incognito", "ola", "mingen"):
            findings = Findings(lattice, evaluator, policy.suppression.allowed_rows(frequencies.rows), Clock(None))
            LATTICE_ALGORITHMS[algorithm](findings)
            assert set(findings.sets.nodes(findings.accepted)) == wanted.accepted
            assert findings.accepted | findings.rejected == findings.sets.all
