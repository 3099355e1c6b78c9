"""Reports print as a few lines of names and counts, never of values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.databases import Database

import kanon_sql as ks

POLICY: dict[str, Any] = {
    "table": "people",
    "publish": {"into": "people_anon"},
    "privacy": {"k": 3, "l_diversity": {"column": "illness", "l": 2}},
    "columns": {
        "name": "identifier",
        "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 10]}},
        "town": {"role": "quasi_identifier", "hierarchy": "suppress"},
        "illness": "sensitive",
    },
}


@pytest.fixture
def people(backend: Database) -> Database:
    rows = [(f"canary{n}", 20 + n % 12, f"canary{n % 3}", f"canary{n % 2}") for n in range(60)]
    backend.create("people", {"name": "text", "age": "integer", "town": "text", "illness": "text"}, rows)
    ks.anonymize(backend.url, POLICY)
    return backend


MONDRIAN = {**POLICY, "algorithm": "mondrian"}
REPORTS: dict[str, Callable[[str], Any]] = {
    "anonymize": lambda url: ks.anonymize(url, POLICY, replace=True),
    "dry run": lambda url: ks.anonymize(url, POLICY, dry_run=True),
    "mondrian": lambda url: ks.anonymize(url, MONDRIAN, replace=True),
    "solve": lambda url: ks.solve(url, POLICY),
    "solve by mondrian": lambda url: ks.solve(url, MONDRIAN),
    "explain": lambda url: ks.explain(url, POLICY),
    "check": lambda url: ks.check(url, "people_anon", quasi_identifiers=["age", "town"], k=3),
    "check of models": lambda url: ks.check(url, "people_anon", policy=POLICY),
    "check that fails": lambda url: ks.check(url, "people", quasi_identifiers=["age", "town"], k=9),
    "measure": lambda url: ks.measure(url, POLICY),
    "risk": lambda url: ks.risk(url, "people", quasi_identifiers=["age", "town"]),
    "profile": lambda url: ks.profile(url, "people", with_values=True),
}


@pytest.mark.engines("duckdb")
@pytest.mark.parametrize("name", REPORTS)
def test_a_report_prints_as_a_summary(people: Database, name: str) -> None:
    report = REPORTS[name](people.url)
    text = str(report)
    lines = text.splitlines()
    assert lines == report.summary()
    assert 1 <= len(lines) <= 9
    assert all(line[-1] == "." for line in lines)
    assert lines[0].startswith("people")
    assert "canary" not in text
    assert repr(report) == f"<{type(report).__name__}: {lines[0]}>"


@pytest.mark.engines("duckdb")
def test_an_empty_table_is_summarized(backend: Database) -> None:
    backend.create("people", {"age": "integer"})
    assert str(ks.check(backend.url, "people", quasi_identifiers=["age"], k=3)) == "people is empty. Nobody can be identified in it."
    assert str(ks.risk(backend.url, "people", quasi_identifiers=["age"])) == "people is empty. Nobody can be identified in it."
    assert str(ks.profile(backend.url, "people")).startswith("people: 0 rows, 1 column.")
