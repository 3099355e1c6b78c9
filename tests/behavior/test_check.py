"""`check` counts the classes of any table, byte for byte."""

from __future__ import annotations

import pytest
from support.databases import Database

import kanon_sql as ks


def test_holds_and_fails_with_counts(backend: Database) -> None:
    backend.create("t", {"a": "integer", "b": "text"}, [(1, "x")] * 3 + [(1, "y")] * 2 + [(2, None)] * 4 + [(None, None)])
    good = ks.check(backend.url, "t", quasi_identifiers=["a"], k=2)
    assert good.to_dict()["failing"] == {"classes": 1, "rows": 1}
    both = ks.check(backend.url, "t", quasi_identifiers=["a", "b"], k=3)
    assert not both.holds
    assert both.to_dict() == {
        "holds": False,
        "privacy": {"k": 1},
        "failing": {"classes": 2, "rows": 3},
        "table": "t",
        "rows": 10,
        "classes": 4,
    }
    backend.execute("delete from t where a is null")
    assert ks.check(backend.url, "t", quasi_identifiers=["a", "b"], k=2).holds


def test_text_is_compared_byte_for_byte(backend: Database) -> None:
    spellings = ["a", "A", "a ", "á", "a\u0301", "", None, "😀", "😁"]
    backend.create("t", {"a": "text"}, [(spelling,) for spelling in spellings] * 2)
    report = ks.check(backend.url, "t", quasi_identifiers=["a"], k=2)
    assert report.release.classes == len(spellings)
    assert report.holds


@pytest.mark.engines("duckdb", "sqlite", "mariadb")  # the wheel's PostgreSQL has no collation that merges values
def test_collations_do_not_merge_values(backend: Database) -> None:
    backend.create("t", {"a": backend.caseless}, [("a",), ("A",)])
    assert len(backend.execute("select a from t group by a")) == 1
    assert not ks.check(backend.url, "t", quasi_identifiers=["a"], k=2).holds


def test_minus_zero_is_zero(backend: Database) -> None:
    backend.create("t", {"a": "double"}, [(0.0,), (-0.0,)])
    assert ks.check(backend.url, "t", quasi_identifiers=["a"], k=2).holds


def test_an_empty_table_holds(backend: Database) -> None:
    backend.create("t", {"a": "integer"})
    report = ks.check(backend.url, "t", quasi_identifiers=["a"], k=2)
    assert report.holds
    assert report.release.smallest_class is None


@pytest.mark.parametrize(
    ("names", "k", "message"),
    [([], 2, "no quasi-identifier"), (["a", "a"], 2, "listed twice"), (["a"], 1, "at least 2"), (["b"], 2, "no column 'b'")],
)
def test_wrong_requests(backend: Database, names: list[str], k: int, message: str) -> None:
    backend.create("t", {"a": "integer"}, [(1,)])
    with pytest.raises(ks.RequestError, match=message):
        ks.check(backend.url, "t", quasi_identifiers=names, k=k)
    with pytest.raises(ks.RequestError, match="table u does not exist"):
        ks.check(backend.url, "u", quasi_identifiers=["a"], k=2)
