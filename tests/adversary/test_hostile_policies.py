"""Random policies on random tables: every release satisfies every model, counted from the published rows alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support import models_oracle
from support.databases import Database, Row, canonical

import kanon_sql as ks

COLUMNS = {"age": "integer", "zip": "text", "sex": "boolean", "ill": "text", "cost": "integer", "person": "text"}
HIERARCHIES: dict[str, list[Any]] = {
    "age": [
        "suppress",
        {"intervals": [2, 10]},
        {"edges": [[0, 2, 12], [2]]},
        {"round": [10, 100]},
        {"top_bottom": {"low": 2, "high": 13}, "intervals": [5]},
        {"tree": {"few": [1, 2], "many": [12, 13, 25]}},
    ],
    "zip": [
        "suppress",
        {"mask": {"char": "*", "hide": [1]}},
        {"mask": {"char": "#", "hide": [1, 2]}},
        {"tree": {"a": ["a", "A"]}, "unlisted": "root"},
    ],
    "sex": ["suppress"],
}
QUASI = list(HIERARCHIES)
ALGORITHMS = ["auto", "flash", "ola", "incognito", "mingen", "samarati", "datafly", "mondrian"]
MODELS: list[dict[str, Any]] = [
    {"l_diversity": [{"column": "ill", "l": 2}]},
    {"l_diversity": [{"column": "ill", "l": 2, "kind": "entropy"}]},
    {"l_diversity": [{"column": "cost", "l": 2, "kind": "recursive", "c": 2}]},
    {"t_closeness": [{"column": "ill", "t": 0.4}]},
    {"t_closeness": [{"column": "cost", "t": 0.3, "kind": "ordered"}]},
    {"alpha_k": [{"column": "ill", "alpha": 0.6, "k": 2}]},
    {"delta_disclosure": [{"column": "ill", "delta": 1.5}]},
    {"beta_likeness": [{"column": "ill", "beta": 1, "kind": "enhanced"}]},
    {"average_risk": 0.3},
    {},
]
Case = tuple[list[Row], dict[str, Any]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw a table with spellings that differ by case or a blank, and a policy that combines all options."""
    row = st.tuples(
        st.sampled_from([1, 2, 12, 13, 25, None]),
        st.sampled_from(["a", "A", "a ", "ab", "", None]),
        st.sampled_from([True, False, None]),
        st.sampled_from(["flu", "Flu", "gout", None]),
        st.sampled_from([3, 5, 8, 21, None]),
        st.sampled_from(["p", "P", "q", "r", "s", "t", None]),
    )
    rows = draw(st.lists(row, min_size=4, max_size=30))
    quasi = draw(st.lists(st.sampled_from(QUASI), min_size=1, unique=True))
    kept = {"role": "insensitive", "accept_unique": True}
    columns: dict[str, Any] = {name: "identifier" for name in QUASI if name not in quasi}
    for name in quasi:
        columns[name] = {"role": "quasi_identifier", "hierarchy": draw(st.sampled_from(HIERARCHIES[name]))}
    columns |= {"ill": "sensitive", "cost": {"role": "sensitive", "accept_unique": True}, "person": kept}
    privacy = {"k": draw(st.integers(2, 4)), **draw(st.sampled_from(MODELS)), **draw(st.sampled_from(MODELS))}
    policy: dict[str, Any] = {"table": "people", "publish": {"into": "released"}, "privacy": privacy, "columns": columns}
    policy["algorithm"] = draw(st.sampled_from(ALGORITHMS))
    limit = draw(st.sampled_from([0, 3, 0.3, 1.0]))
    policy["suppression"] = limit
    if draw(st.booleans()):
        policy["entity"] = "person"
        policy["suppression"] = {"limit": limit, "unit": draw(st.sampled_from(["row", "entity"]))}
    if draw(st.integers(0, 3)) == 0:
        policy["where"] = "cost < 20"
    return rows, policy


@settings(max_examples=20)
@given(case=cases(), in_place=st.booleans())
def test_releases_satisfy_the_policy(backend: Database, case: Case, in_place: bool) -> None:
    rows, policy = case
    in_place = in_place and "where" not in policy
    if in_place:
        policy = {**policy, "publish": {"in_place": True}}
    backend.create("people", COLUMNS, rows)
    before = Counter(backend.rows("people"))
    try:
        try:
            report = ks.anonymize(backend.url, policy, yes=True)
        except (ks.NoSolutionError, ks.RequestError):
            assert backend.tables() - {"__kanon_journal", "kanon_runs"} == {"people"}
            assert Counter(backend.rows("people")) == before
            return
        if report.status == "published":
            confirm(backend, rows, policy, report)
        assert in_place or Counter(backend.rows("people")) == before
    finally:
        for table in backend.tables():
            backend.drop(table)


def confirm(backend: Database, rows: list[Row], policy: dict[str, Any], report: ks.AnonymizeReport) -> None:
    """Recount a release from its rows; sensitive values and persons are unchanged."""
    read = [row for row in rows if "where" not in policy or (row[4] is not None and row[4] < 20)]
    quasi = [name for name in COLUMNS if name in report.policy.quasi_identifiers]
    kept = ["ill", "cost", "person"]
    released = backend.rows("people" if "in_place" in policy["publish"] else "released", [*quasi, *kept])
    assert (len(released), len(read)) == (report.published_rows, report.published_rows + report.suppressed_rows)
    assert Counter(row[-3:] for row in released) <= Counter(tuple(map(canonical, row[-3:])) for row in read)
    rules = models_oracle.read_rules(COLUMNS, read, policy, {})
    classes: dict[Row, list[Row]] = {}
    for row in released:
        classes.setdefault(row[: len(quasi)], []).append((None, None, None, *row[-3:]))
    assert [cells for cells, members in classes.items() if rules.fails(members)] == []
    assert rules.holds_as_whole(len(classes), len(released))
    assert (report.classes, report.k) == (len(classes), min(map(rules.size, classes.values()), default=None))
    suppression = policy["suppression"]
    if isinstance(suppression, dict) and suppression["unit"] == "entity":
        persons = Counter(row[5] for row in read if row[5] is not None)
        published = Counter(row[-1] for row in released if row[-1] is not None)
        assert all(persons[person] == count for person, count in published.items()), "a person lost a part of their rows"
