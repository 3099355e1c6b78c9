"""Random small tables with NULLs, duplicates and hostile names, compared with the row-by-row oracle."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support import oracle
from support.comparisons import near
from support.databases import Database, canonical

import kanon_sql as ks
from kanon_sql.backends import connect
from kanon_sql.stages.count.frequencies import count_combinations
from kanon_sql.stages.evaluate import NodeEvaluator
from kanon_sql.stages.profile.source import describe_source, profile_source
from kanon_sql.workspace import Workspace

NAMES = [
    "plain", "select", 'quo"te', "semi;colon", "per%cent", "co:lon", "Ünï çode", "back\\slash", "class", "q1_0", "row_count", "key_1",
]  # fmt: skip
TEXTS = ["a", "A", "a ", " a", "á", "a\u0301", "", "ab", "aab", "😀b", "*", "x'y", "%s", ":p", "back\\slash"]

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "integer": st.integers(-30, 30),
    "double": st.sampled_from([0.0, -0.0, 0.1, 0.29, 0.3, 0.57, 1.1, -2.5, 7.0, 1e6]),
    "decimal": st.sampled_from([Decimal(n) / 8 for n in range(-20, 20, 3)]),
    "boolean": st.booleans(),
    "date": st.integers(0, 40_000).map(lambda days: date(1930, 6, 1) + timedelta(days=days)),
    "timestamp": st.integers(0, 40_000).map(lambda hours: datetime(2019, 12, 20) + timedelta(hours=hours)),
    "text": st.sampled_from(TEXTS),
}


NUMBER_RULES: list[dict[str, Any]] = [
    {"edges": [[-2.5, 0, 0.3, 5], [0]]},
    {"round": [1, 10]},
    {"round": [0.1, 2.5]},
    {"top_bottom": {"low": -2.5, "high": 7}, "intervals": [5, 10], "origin": 1},
    {"top_bottom": {"high": 0.3}},
]


def growing(factors: list[int], first: float) -> list[float]:
    widths = [first]
    for factor in factors:
        widths.append(round(widths[-1] * factor, 6))
    return widths


@st.composite
def hierarchies(draw: st.DrawFn, kind: str) -> Any:
    if kind in ("integer", "double", "decimal") and draw(st.booleans()):
        first = draw(st.sampled_from([1, 3, 5]) if kind == "integer" else st.sampled_from([0.1, 0.25, 1, 2.5]))
        rule: dict[str, Any] = {"intervals": growing(draw(st.lists(st.integers(2, 4), max_size=2)), first)}
        if draw(st.booleans()):
            rule["origin"] = draw(st.sampled_from([-7, 17] if kind == "integer" else [-0.5, 0.05, 3]))
        return rule
    if kind in ("integer", "double", "decimal") and draw(st.booleans()):
        return draw(st.sampled_from(NUMBER_RULES))
    if kind == "text" and draw(st.booleans()):
        halves = {"first": {"even": TEXTS[::4], "odd": TEXTS[1::4]}, "rest": TEXTS[2::4]}
        return {"tree": halves, "unlisted": "root"}
    if kind in ("text", "integer") and draw(st.booleans()):
        hide = sorted(draw(st.sets(st.integers(1, 5), min_size=1, max_size=3)))
        return {"mask": {"char": draw(st.sampled_from("*#-x")), "hide": hide}}
    if kind in ("date", "timestamp"):
        units = [unit for unit in ("month", "quarter", "year", "decade", "century") if draw(st.booleans())]
        return {"dates": units or ["week"]}
    return "suppress"


@st.composite
def tables(draw: st.DrawFn) -> tuple[dict[str, str], list[tuple[Any, ...]], dict[str, Any]]:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    columns = {name: draw(st.sampled_from(list(VALUES))) for name in names}
    pools = [draw(st.lists(st.one_of(st.none(), VALUES[kind]), min_size=1, max_size=6)) for kind in columns.values()]
    rows = draw(st.lists(st.tuples(*(st.sampled_from(pool) for pool in pools)), min_size=2, max_size=30))
    policy = {
        "table": "hostile",
        "publish": {"into": "hostile_anon"},
        "privacy": {"k": draw(st.integers(2, min(5, len(rows))))},
        "algorithm": "datafly",
        "suppression": draw(st.sampled_from([0, 1, 3, 0.05, 0.2])),
        "columns": {name: {"role": "quasi_identifier", "hierarchy": draw(hierarchies(kind))} for name, kind in columns.items()},
    }
    return columns, rows, policy


@settings(max_examples=60)
@given(case=tables())
def test_release_equals_the_oracles(database: Database, case: tuple[dict[str, str], list[tuple[Any, ...]], dict[str, Any]]) -> None:
    columns, rows, policy = case
    database.create("hostile", columns, rows)
    try:
        report = ks.anonymize(database.url, policy)
        wanted = oracle.anonymize(columns, rows, policy, files={})
        published = database.rows("hostile_anon")
        assert report.levels == wanted.levels
        assert Counter(published) == Counter(tuple(canonical(value) for value in row) for row in wanted.rows)
        assert all(size >= policy["privacy"]["k"] for size in Counter(published).values())
        assert report.published_rows + report.suppressed_rows == len(rows)
        assert report.utility["dm"] == wanted.dm
        assert report.utility["geniloss"] == near(wanted.geniloss, absolute=1e-12)
        assert ks.check(database.url, "hostile_anon", quasi_identifiers=list(columns), k=policy["privacy"]["k"]).holds
    finally:
        database.drop("hostile_anon")
        database.drop("hostile")


@settings(max_examples=25)
@given(case=tables())
def test_verdicts_equal_the_oracles_on_every_node(
    database: Database, case: tuple[dict[str, str], list[tuple[Any, ...]], dict[str, Any]]
) -> None:
    columns, rows, given_policy = case
    policy = ks.load_policy(given_policy)
    database.create("hostile", columns, rows)
    try:
        with Workspace(connect(database.url), "read") as workspace:
            profile = profile_source(workspace, describe_source(workspace, policy.source), policy)
            frequencies = count_combinations(workspace, profile, at_least=1)
            nodes = all_nodes(frequencies.lattice.heights)[:60]
            verdicts = NodeEvaluator(workspace, frequencies, policy.models).verdicts(nodes)
        for node, verdict in zip(nodes, verdicts, strict=True):
            wanted = oracle.verdict(columns, rows, given_policy, node, files={})
            assert (verdict.classes, verdict.smallest_class, verdict.failing_rows) == (
                wanted.classes,
                wanted.smallest_class,
                wanted.failing_rows,
            )
    finally:
        database.drop("hostile")


def all_nodes(heights: tuple[int, ...]) -> list[tuple[int, ...]]:
    nodes: list[tuple[int, ...]] = [()]
    for height in heights:
        nodes = [(*node, level) for node in nodes for level in range(height + 1)]
    return nodes


@settings(max_examples=15)
@given(case=tables(), data=st.data())
def test_verify_detects_one_corrupted_row(
    database: Database, case: tuple[dict[str, str], list[tuple[Any, ...]], dict[str, Any]], data: st.DataObject
) -> None:
    columns, rows, policy = case
    database.create("hostile", columns, rows)
    try:
        ks.anonymize(database.url, policy)
        published = database.rows("hostile_anon")
        if not published:
            return
        spoiled = list(data.draw(st.sampled_from(published)))
        database.create("spoiled", dict.fromkeys(columns, "text"), [*map(as_text, published), tuple("spoiled" for _ in spoiled)])
        report = ks.check(database.url, "spoiled", quasi_identifiers=list(columns), k=policy["privacy"]["k"])
        assert report.to_dict()["failing"] == {"classes": 1, "rows": 1}
    finally:
        for table in ("spoiled", "hostile_anon", "hostile"):
            database.drop(table)


def as_text(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(None if value is None else str(value) for value in row)
