"""Every metric of random releases, from the run and from the published table, compared with the row-by-row oracle."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import metric_oracle
from support.comparisons import near
from support.databases import Database
from support.lattice_oracle import Lattice
from support.metric_oracle import flattened
from support.oracle import classes_at

import kanon_sql as ks

KINDS: dict[str, tuple[str, list[Any], list[Any]]] = {
    "age": ("integer", [1, 2, 7, 11, 12, 30, None], [{"intervals": [5, 10, 20]}, {"top_bottom": {"low": 2, "high": 20}, "intervals": [5]}]),
    "born": (
        "date",
        [date(1970, 1, 1) + timedelta(days=211 * n) for n in range(5)] + [None],
        [{"dates": ["month", "year"]}, {"dates": ["week"]}],
    ),
    "zip": ("text", ["100", "101", "2", "*", "A", "a", "á", None], [{"mask": {"char": "*", "hide": [1, 2]}}, "suppress"]),
    "pet": (
        "text",
        ["cat", "dog", "ant", None],
        [{"tree": {"animal": {"mammal": ["cat", "dog", "cow"], "ant": ["ant"]}}}, {"tree": {"cat": ["cat"], "dog": ["dog", "ant"]}}],
    ),
    "one": ("text", ["same"], [{"tree": {"same": ["same"]}}, "suppress"]),
}


@st.composite
def cases(draw: st.DrawFn) -> tuple[dict[str, str], list[tuple[Any, ...]], dict[str, Any]]:
    names = draw(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=3, unique=True))
    pools = [draw(st.lists(st.sampled_from(KINDS[name][1]), min_size=1, max_size=5)) for name in names]
    rows = draw(st.lists(st.tuples(*(st.sampled_from(pool) for pool in [*pools, ["yes", "no", None]])), min_size=2, max_size=20))
    rules: dict[str, Any] = {}
    for name in names:
        rules[name] = {"role": "quasi_identifier", "hierarchy": draw(st.sampled_from(KINDS[name][2]))}
        if draw(st.integers(0, 2)) == 0:
            rules[name]["weight"] = draw(st.sampled_from([0.5, 2]))
    policy = {
        "table": "hostile",
        "publish": {"into": "hostile_anon"},
        "privacy": {"k": draw(st.integers(2, min(4, len(rows))))},
        "suppression": draw(st.sampled_from([0, 1, 3, 0.3, 1.0])),
        "algorithm": "mingen",
        "cost": draw(st.sampled_from(["geniloss", "dm", "height"])),
        "label": "outcome",
        "columns": {**rules, "outcome": "sensitive"},
    }
    return {**{name: KINDS[name][0] for name in names}, "outcome": "text"}, rows, policy


@settings(max_examples=12)
@given(case=cases())
def test_utility_equals_the_oracles(backend: Database, case: tuple[dict[str, str], list[tuple[Any, ...]], dict[str, Any]]) -> None:
    columns, rows, policy = case
    wanted = Lattice(columns, rows, policy, files={})
    backend.create("hostile", columns, rows)
    try:
        if not wanted.accepted:
            with pytest.raises(ks.NoSolutionError):
                ks.anonymize(backend.url, policy)
            return
        report = ks.anonymize(backend.url, policy)
        node = tuple(report.levels.values())
        heights = [ladder.height for ladder in wanted.case.ladders.values()]
        utility = report.utility
        assert {name: utility[name] for name in wanted.nodes[node].values} == {n: near(v) for n, v in wanted.nodes[node].values.items()}
        assert utility["entropy_nonuniform"] == near(metric_oracle.nonuniform_entropy(wanted.case, node, wanted.weights))
        assert utility["absdist"] == sum(node)
        assert utility["reldist"] == near(sum(level / height for level, height in zip(node, heights, strict=True) if height))
        assert utility["cm_share"] == near(utility["cm"] / len(rows))
        sizes = [len(found) for found in classes_at(wanted.case, node).values() if len(found) >= wanted.case.k]
        assert utility["class_size"] == {name: near(value) for name, value in metric_oracle.class_sizes(sizes).items()}
        check_columns(utility, columns, rows, policy, node)
        check_measured(backend, policy, utility, node)
    finally:
        backend.drop("hostile_anon")
        backend.drop("hostile")


def check_columns(utility: dict[str, Any], columns: dict[str, str], rows: list[Any], policy: dict[str, Any], node: tuple[int, ...]) -> None:
    """Check that each column is measured as if it were the only one, with the same suppressed rows, and that shares add up."""
    case = Lattice(columns, rows, policy, files={}).case
    kept = [row for found in classes_at(case, node).values() if len(found) >= case.k for row in found]
    for place, name in enumerate(case.ladders):
        alone = Lattice.__new__(Lattice)
        alone.case = replace(case, ladders={name: case.ladders[name]})
        alone.weights = [type(Lattice(columns, rows, policy, files={}).weights[0])(1)]
        values = alone._of_cells((node[place],), kept, len(case.rows) - len(kept))
        found = utility["per_column"][name]
        assert {metric: found[metric] for metric in values} == {metric: near(float(value)) for metric, value in values.items()}
    for metric in ("geniloss", "ncp", "nllm", "prec", "entropy", "entropy_nonuniform"):
        shares = [found["share"][metric] for found in utility["per_column"].values()]
        assert shares.count(None) in (0, len(shares))
        assert None in shares or sum(shares) == near(1)


def check_measured(backend: Database, policy: dict[str, Any], utility: dict[str, Any], node: tuple[int, ...]) -> None:
    """Check that the published table alone gives the same metrics; levels only if labels distinguish them."""
    measured = ks.measure(backend.url, policy)
    found = flattened(measured.utility)
    wanted = flattened(utility)
    assert {n.metric for n in measured.not_computed} <= {"c_avg", "absdist"}
    levels = ("absdist", "reldist", "height", "prec")
    by_level = [name for name in wanted if name.split(".")[-1] in (*levels, "level")]
    for name, value in wanted.items():
        if name not in by_level:
            assert found[name] == near(value), name
    if measured.published_rows:
        assert all(found[f"per_column.{name}.level"] <= level for name, level in zip(utility["per_column"], node, strict=True))
        assert found["prec"] >= wanted["prec"] - 1e-9
