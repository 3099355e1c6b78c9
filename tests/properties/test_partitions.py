"""Random small tables: regions, cuts and published rows of Mondrian compared with a plain recursion."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support import mondrian_oracle
from support.databases import Database, canonical

import kanon_sql as ks
import kanon_sql.stages.evaluate.cuts
from kanon_sql.artifacts import CutSearch

NAMES = ["plain", "select", 'quo"te', "per%cent", "co:lon", "Ünï çode", "back\\slash", "class", "key_1", "region", "code", "low_1"]
TEXTS = ["a", "A", "a ", " a", "á", "a\u0301", "", "ab", "aab", "😀b", "*", "x'y", "a,b", "%s", "back\\slash"]
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "integer": st.integers(-30, 30),
    "double": st.sampled_from([0.0, -0.0, 0.1, 0.29, 0.3, 0.57, 1.1, -2.5, 7.0, 1e6]),
    "decimal": st.sampled_from([Decimal(n) / 8 for n in range(-20, 20, 3)]),
    "boolean": st.booleans(),
    "date": st.integers(0, 40_000).map(lambda days: date(1930, 6, 1) + timedelta(days=days)),
    "timestamp": st.integers(0, 40_000).map(lambda hours: datetime(2019, 12, 20) + timedelta(hours=hours)),
    "text": st.sampled_from(TEXTS),
}
LISTED = [text for text in TEXTS if text.strip() == text and text]
Case = tuple[dict[str, str], list[tuple[Any, ...]], dict[str, Any]]


@st.composite
def rules(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    """Draw the rule of a quasi-identifier: with or without a hierarchy, with any output of its kind."""
    rule: dict[str, Any] = {"role": "quasi_identifier"}
    match kind:
        case "text":
            hierarchy = draw(st.sampled_from([None, "suppress", "mask", "tree"]))
            if hierarchy == "tree":
                shuffled = draw(st.permutations(LISTED))
                tree = {"one": {"even": shuffled[::4], "odd": shuffled[1::4]}, "rest": shuffled[2::4]}
                rule["hierarchy"] = {"tree": tree, "unlisted": "root"}
            elif hierarchy is not None:
                rule["hierarchy"] = {"mask": {"hide": [1, 2]}} if hierarchy == "mask" else hierarchy
            outputs = ["labels", "set"]
        case "boolean":
            rule |= draw(st.sampled_from([{}, {"hierarchy": "suppress"}]))
            outputs = ["labels", "set"]
        case "date" | "timestamp":
            rule |= draw(st.sampled_from([{}, {"hierarchy": {"dates": ["year"]}}]))
            outputs = ["labels", "bounds"]
        case _:
            rule |= draw(st.sampled_from([{}, {"hierarchy": {"intervals": [5]}}]))
            outputs = ["labels", "bounds", "midpoint", "mean"]
    if draw(st.integers(0, 2)) == 0:
        rule["output"] = draw(st.sampled_from(outputs))
    if draw(st.integers(0, 3)) == 0:
        rule["weight"] = draw(st.sampled_from([0.5, 2, 3]))
    return rule


@st.composite
def cases(draw: st.DrawFn) -> Case:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    columns = {name: draw(st.sampled_from(list(VALUES))) for name in names}
    pools = [draw(st.lists(st.one_of(st.none(), VALUES[kind]), min_size=1, max_size=6)) for kind in columns.values()]
    rows = draw(st.lists(st.tuples(*(st.sampled_from(pool) for pool in pools)), min_size=2, max_size=40))
    mode = draw(st.sampled_from(["strict", "strict", "relaxed"]))
    chosen: dict[str, Any] = {"mode": mode, "tie": draw(st.sampled_from(["first", "last"]))}
    if mode == "strict":
        chosen |= {"width": draw(st.sampled_from(["data", "region"])), "bounds": draw(st.sampled_from(["tight", "cuts"]))}
    policy = {
        "table": "hostile",
        "publish": {"into": "hostile_anon"},
        "privacy": {"k": draw(st.integers(2, min(4, len(rows))))},
        "algorithm": "mondrian",
        "mondrian": chosen,
        "columns": {name: draw(rules(kind)) for name, kind in columns.items()},
    }
    return columns, rows, policy


def published(cell: Any) -> tuple[Any, ...]:
    """Return a cell as in the release: bounds as two columns, floats rounded to the exact digits."""
    cells = cell if isinstance(cell, tuple) else (cell,)
    return tuple(round(found, 9) if isinstance(found := canonical(value), float) else found for value in cells)


ALIKE: Case = (  # two regions that are published alike, with different losses
    {"plain": "integer", "select": "integer"},
    [(None, None), (None, None), (None, None), (0, None)],
    {
        "table": "hostile",
        "publish": {"into": "hostile_anon"},
        "privacy": {"k": 2},
        "algorithm": "mondrian",
        "mondrian": {"mode": "relaxed"},
        "columns": {"plain": {"role": "quasi_identifier", "output": "bounds"}, "select": {"role": "quasi_identifier"}},
    },
)


@settings(max_examples=40)
@example(case=ALIKE, many=(1, 100))
@given(case=cases(), many=st.sampled_from(mondrian_oracle.MANY))
def test_regions_cuts_and_release_equal_the_oracles(database: Database, case: Case, many: tuple[int, int]) -> None:
    columns, rows, policy = case
    database.create("hostile", columns, rows)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kanon_sql.stages.evaluate.cuts, "MANY_COMBINATIONS", many[0])
            patch.setattr(kanon_sql.stages.evaluate.cuts, "MANY_REGIONS", many[1])
            report = ks.anonymize(database.url, policy)
        wanted = mondrian_oracle.partition(columns, rows, policy, {})
        found = report.solution.search
        assert isinstance(found, CutSearch)
        assert found.regions == len(wanted.regions)
        assert found.cuts == tuple(wanted.cuts)
        release = [tuple(value for cell in row for value in published(cell)) for row in database.rows("hostile_anon")]
        assert Counter(release) == Counter(tuple(value for cell in row for value in published(cell)) for row in wanted.cells)
        assert all(size >= policy["privacy"]["k"] for size in Counter(release).values())
        assert report.classes == len(set(release))
        assert report.utility["geniloss"] == pytest.approx(wanted.geniloss, rel=1e-9, abs=1e-12)
        assert report.utility["dm"] == sum(size**2 for size in Counter(release).values())
    finally:
        database.drop("hostile_anon")
        database.drop("hostile")
