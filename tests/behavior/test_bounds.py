"""Labels as two bounds of the column's type: their values, that they are never too narrow, and that they can be checked."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from support.databases import Database, canonical

import kanon_sql as ks
from kanon_sql.cli import run

QUASI = "quasi_identifier"
TINY = {"duckdb": "tinyint", "sqlite": "tinyint", "postgresql": "smallint", "mariadb": "tinyint"}

# kind, rule, value -> its bounds; every label has at least two values, so one step is enough for k = 2.
Case = tuple[str, Any, dict[Any, tuple[Any, Any]]]
CASES: dict[str, Case] = {
    "intervals": (
        "integer",
        {"intervals": [10], "origin": 5}, {-6: (-15, -5), -7: (-15, -5), 35: (35, 45), 44: (35, 45), None: (None, None)},
    ),
    "decimal intervals": (
        "decimal", {"intervals": [2.5]},
        {Decimal("-0.1"): (-2.5, 0), Decimal("-2.5"): (-2.5, 0), Decimal("2.5"): (2.5, 5), Decimal("4.9999"): (2.5, 5)},
    ),
    "double intervals": ("double", {"intervals": [0.1]}, {0.3: (0.3, 0.4), 0.35: (0.3, 0.4), -0.05: (-0.1, 0), -0.01: (-0.1, 0)}),
    "edges": (
        "integer",
        {"edges": [[18, 65]]}, {1: (None, 18), 17: (None, 18), 18: (18, 65), 64: (18, 65), 65: (65, None), 99: (65, None)},
    ),
    "rounding": (
        "integer",
        {"round": [100]}, {-49: (-50, 50), 49: (-50, 50), 50: (50, 150), 149: (50, 150), -50: (-150, -50), -51: (-150, -50)},
    ),
    "odd rounding": ("integer", {"round": [5]}, {8: (7, 13), 12: (7, 13), -3: (-8, -2), -7: (-8, -2)}),
    "rounded decimals": ("decimal", {"round": [0.5]}, {Decimal("0.3"): (0.25, 0.75), Decimal("0.7499"): (0.25, 0.75)}),
    "rounded doubles": ("double", {"round": [0.5]}, {0.3: (0.25, 0.75), 0.74: (0.25, 0.75), -0.3: (-0.75, -0.25), -0.4: (-0.75, -0.25)}),
    "top and bottom": ("integer", {"top_bottom": {"low": 18, "high": 90}}, {1: (None, 18), 2: (None, 18), 91: (90, None), 99: (90, None)}),
    "months": (
        "date", {"dates": ["month"]},
        {date(2020, 2, 1): ("2020-02-01", "2020-02-29"), date(2020, 2, 29): ("2020-02-01", "2020-02-29"),
         date(1900, 2, 2): ("1900-02-01", "1900-02-28"), date(1900, 2, 3): ("1900-02-01", "1900-02-28"),
         date(2019, 12, 31): ("2019-12-01", "2019-12-31"), date(2019, 12, 1): ("2019-12-01", "2019-12-31"), None: (None, None)},
    ),
    "quarters": (
        "date",
        {"dates": ["quarter"]}, {date(2020, 4, 1): ("2020-04-01", "2020-06-30"), date(2020, 6, 30): ("2020-04-01", "2020-06-30")},
    ),
    "years": (
        "date",
        {"dates": ["year"]}, {date(2020, 4, 1): ("2020-01-01", "2020-12-31"), date(2020, 6, 30): ("2020-01-01", "2020-12-31")},
    ),
    "decades": (
        "date",
        {"dates": ["decade"]}, {date(1999, 4, 1): ("1990-01-01", "1999-12-31"), date(1990, 6, 30): ("1990-01-01", "1999-12-31")},
    ),
    "centuries": (
        "date",
        {"dates": ["century"]}, {date(1999, 4, 1): ("1900-01-01", "1999-12-31"), date(1900, 1, 1): ("1900-01-01", "1999-12-31")},
    ),
    "weeks": (
        "date", {"dates": ["week"]},
        {date(2020, 12, 28): ("2020-12-28", "2021-01-03"), date(2021, 1, 3): ("2020-12-28", "2021-01-03"),
         date(2021, 1, 4): ("2021-01-04", "2021-01-10"), date(2021, 1, 9): ("2021-01-04", "2021-01-10"),
         date(1900, 2, 27): ("1900-02-26", "1900-03-04"), date(1900, 3, 1): ("1900-02-26", "1900-03-04")},
    ),
    "moments": (
        "timestamp", {"dates": ["month"]},
        {datetime(2020, 2, 1): ("2020-02-01 00:00:00", "2020-03-01 00:00:00"),
         datetime(2020, 2, 29, 23, 59, 59): ("2020-02-01 00:00:00", "2020-03-01 00:00:00")},
    ),
    "weeks of moments": (
        "timestamp", {"dates": ["week"]},
        {datetime(2024, 12, 31): ("2024-12-30 00:00:00", "2025-01-06 00:00:00"),
         datetime(2025, 1, 5, 23): ("2024-12-30 00:00:00", "2025-01-06 00:00:00")},
    ),
    "tree": ("integer", {"tree": {"low": [3, 1, 2], "high": [40, 50]}}, {1: (1, 3), 2: (1, 3), 40: (40, 50), 50: (40, 50)}),
    "unlisted": (
        "integer",
        {"tree": {"low": [1, 2], "high": [9]}, "unlisted": "root"}, {1: (1, 2), 2: (1, 2), 50: (None, None), 60: (None, None)},
    ),
    "root": ("decimal", "suppress", {Decimal("1.5"): (None, None), Decimal("2.5"): (None, None)}),
}  # fmt: skip


def policy(rule: Any, **changes: Any) -> dict[str, Any]:
    return {
        "table": "t",
        "publish": {"into": "u", "replace": True},
        "privacy": {"k": 2},
        "columns": {"a": {"role": QUASI, "hierarchy": rule, "output": "bounds"}, "n": "insensitive"},
        "others": "drop",
        **changes,
    }


@pytest.mark.parametrize("name", CASES)
def test_bounds(backend: Database, name: str) -> None:
    kind, rule, expected = CASES[name]
    values = [*expected, None] if None in expected else list(expected)
    backend.create("t", {"a": kind, "n": "integer"}, [(value, 1) for value in values])
    report = ks.anonymize(backend.url, policy(rule))
    assert report.levels == {"a": 1}
    found = sorted(backend.rows("u", ["a_min", "a_max"]), key=str)
    assert found == sorted((tuple(canonical(bound) for bound in expected[value]) for value in values), key=str)
    assert ks.check(backend.url, "u", quasi_identifiers=["a"], k=2).holds


def test_at_level_0_both_bounds_are_the_value(backend: Database) -> None:
    backend.create("t", {"a": "decimal", "n": "integer"}, [(value, 1) for value in (Decimal("1.5"), Decimal("1.5"), None, None)])
    ks.anonymize(backend.url, policy({"round": [1]}))
    assert sorted(backend.rows("u", ["a_min", "a_max"]), key=str) == [(1.5, 1.5), (1.5, 1.5), (None, None), (None, None)]


def test_bounds_have_the_columns_type_and_position(backend: Database) -> None:
    backend.create("t", {"x": "text", "a": "integer", "n": "integer"}, [("x", n, 1) for n in range(4)])
    given = policy({"intervals": [10]})
    given["columns"] = {"x": "insensitive", **given["columns"]}
    ks.anonymize(backend.url, given)
    with_types = ks.check(backend.url, "u", quasi_identifiers=["a_min", "a_max"], k=4)
    assert with_types.holds
    assert backend.rows("u")[0] == ("x", 0, 10, 1)
    backend.execute("create table sums as select sum(a_min + a_max) as s from u")
    assert backend.rows("sums") == [(40,)]


def test_a_bound_outside_the_type_is_open(backend: Database) -> None:
    kind = TINY[backend.name]
    size = 32_000 if kind == "smallint" else 120
    backend.create("t", {"a": kind, "n": "integer"}, [(size, 1), (size + 1, 1), (3, 1), (4, 1)])
    ks.anonymize(backend.url, policy({"intervals": [1000 if kind == "smallint" else 20]}))
    width = 1000 if kind == "smallint" else 20
    assert sorted(backend.rows("u", ["a_min", "a_max"]), key=str) == sorted([(0, width)] * 2 + [(size, None)] * 2, key=str)


@pytest.mark.engines("mariadb")
@pytest.mark.parametrize("kind", ["int unsigned", "tinyint unsigned", "decimal(5,2) unsigned", "double unsigned", "float unsigned"])
def test_an_unsigned_type_has_no_negative_bound(backend: Database, kind: str) -> None:
    backend.create("t", {"a": kind, "n": "integer"}, [(1, 1), (49, 1), (51, 1), (52, 1)])
    ks.anonymize(backend.url, policy({"round": [100]}))
    assert sorted(backend.rows("u", ["a_min", "a_max"]), key=str) == [(50, 150)] * 2 + [(None, 50)] * 2


@pytest.mark.engines("duckdb")
@pytest.mark.parametrize(
    ("kind", "high"), [("utinyint", None), ("usmallint", 300), ("hugeint", 300), ("decimal(3,0)", 300), ("decimal(3,1)", None)]
)
def test_bounds_at_the_end_of_a_type(backend: Database, kind: str, high: int | None) -> None:
    first = 90 if kind == "decimal(3,1)" else 250
    backend.create("t", {"a": kind, "n": "integer"}, [(first, 1), (first + 1, 1)])
    ks.anonymize(backend.url, policy({"intervals": [100]}))
    low = 0 if kind == "decimal(3,1)" else 200
    assert set(backend.rows("u", ["a_min", "a_max"])) == {(low, high)}


@pytest.mark.engines("duckdb", "postgresql")
def test_values_with_equal_bounds_share_a_class(backend: Database) -> None:
    nan = float("nan")
    backend.create("t", {"a": "double", "n": "integer"}, [(nan, 1), (nan, 1), (None, 1), (None, 1), (0.5, 1), (0.6, 1)])
    ks.anonymize(backend.url, policy({"intervals": [1]}))
    assert ks.check(backend.url, "u", quasi_identifiers=["a"], k=4).release.smallest_class == 2
    assert sorted(backend.rows("u", ["a_min", "a_max"]), key=str) == [(0, 1), (0, 1), *[(None, None)] * 4]


def test_check_with_a_policy_reads_bounds(backend: Database, tmp_path: Any) -> None:
    backend.create("t", {"a": "integer", "n": "integer"}, [(n, 1) for n in range(4)])
    path = tmp_path / "p.yml"
    path.write_text(ks.load_policy(policy({"intervals": [10]})).to_yaml())
    assert run(["anonymize", backend.url, "--policy", str(path), "--quiet"]) == 0
    assert run(["check", backend.url, "--policy", str(path), "--quiet"]) == 0
    assert run(["check", backend.url, "t", "--policy", str(path), "--quiet"]) == 1


WRONG: dict[str, tuple[dict[str, str], Any, str]] = {
    "text": ({"a": "text", "n": "integer"}, "suppress", "output: bounds is for numbers and dates"),
    "mask": ({"a": "integer", "n": "integer"}, {"mask": {"hide": [1]}}, "mask has no bounds"),
    "too fine": ({"a": "integer", "n": "integer"}, {"intervals": [2.5]}, "numbers with 1 decimal place and its type .* holds 0"),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.engines("duckdb")
def test_hierarchies_without_bounds_are_refused(backend: Database, name: str) -> None:
    columns, rule, message = WRONG[name]
    backend.create("t", columns, [(1, 1), (2, 1)])
    with pytest.raises(ks.HierarchyError, match=message):
        ks.anonymize(backend.url, policy(rule))


@pytest.mark.engines("duckdb")
def test_a_column_with_the_name_of_a_bound_is_refused(backend: Database) -> None:
    backend.create("t", {"a": "integer", "a_max": "integer", "n": "integer"}, [(1, 1, 1), (2, 1, 1)])
    given = policy({"intervals": [10]})
    given["columns"]["a_max"] = "insensitive"
    with pytest.raises(ks.RequestError, match="already has a column 'a_max'"):
        ks.anonymize(backend.url, given)
    given["columns"]["a_max"] = "identifier"
    assert ks.anonymize(backend.url, given).published_rows == 2
    with pytest.raises(ks.RequestError, match="output is only for the role quasi_identifier"):
        ks.load_policy({**given, "columns": {"a": QUASI, "n": {"role": "sensitive", "output": "bounds"}}})
