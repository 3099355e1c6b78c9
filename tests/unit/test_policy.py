"""Policies: reading files, and explanations of mistakes."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.errors import RequestError
from kanon_sql.hierarchy import Intervals
from kanon_sql.policy import Policy
from kanon_sql.policy.file import load_policy
from kanon_sql.tables import TableName

GOOD = """
table: clinic.patients
publish: {into: patients_anon}
privacy: {k: 5}
suppression: 0.02
columns:
  name: identifier
  age: {role: quasi_identifier, hierarchy: {intervals: [0.5, 1], origin: 0.25}}
  zip: quasi_identifier
  id: {role: insensitive, accept_unique: true}
"""


def read(folder: Path, text: str, name: str = "policy.yml") -> Policy:
    path = folder / name
    path.write_text(text)
    return load_policy(path)


def test_a_file_is_read_and_written_back(tmp_path: Path) -> None:
    policy = read(tmp_path, GOOD)
    assert policy.source == TableName(("clinic", "patients"))
    assert policy.target == TableName(("patients_anon",))
    assert list(policy.quasi_identifiers) == ["age", "zip"]
    assert read(tmp_path, policy.to_yaml()) == policy


def test_search_settings_of_a_policy(tmp_path: Path) -> None:
    text = GOOD.replace("zip: quasi_identifier", "zip: {role: quasi_identifier, min_level: 0, max_level: 1, weight: 2.5}")
    policy = read(tmp_path, text + "cost: [dm, geniloss]\ntime_budget: 5m\nlabel: id\nalgorithm: ola\n")
    assert policy.cost == ("dm", "geniloss")
    assert policy.time_budget == 300
    assert read(tmp_path, policy.to_yaml()) == policy
    plain = read(tmp_path, GOOD)
    assert (plain.algorithm, plain.cost, plain.time_budget) == ("auto", ("geniloss",), None)
    assert read(tmp_path, GOOD + "cost: dm\n").to_dict()["cost"] == "dm"


def test_json_is_read_too(tmp_path: Path) -> None:
    text = '{"table": "t", "publish": {"into": "u"}, "privacy": {"k": 2}, "columns": {"a": "quasi_identifier"}}'
    assert read(tmp_path, text, "policy.json").privacy.k == 2


def test_limits_are_exact() -> None:
    base = {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 2}, "columns": {"a": "quasi_identifier"}}
    for limit, rows, allowed in ((0.07, 100, 7), (0.29, 100, 29), (1, 100, 1), (1.0, 100, 100), (0, 9, 0), (0.02, 99, 1)):
        assert load_policy({**base, "suppression": limit}).suppression.allowed_rows(rows) == allowed
        assert load_policy({**base, "suppression": {"limit": limit}}).suppression.allowed_rows(rows) == allowed


def test_bounds_are_exact_decimals() -> None:
    rule = Intervals(intervals=[Decimal("0.1"), Decimal("0.5")], origin=Decimal("0.05"))
    assert (rule.scale, [level.step for level in rule.levels], rule.start, rule.height) == (100, [10, 50], 5, 3)
    assert Intervals(intervals=[Decimal(100), Decimal("1e3")]).levels[1].step == 1000


@pytest.mark.parametrize(
    "rule",
    [
        {"edges": [[0, 18.5], [0]]},
        {"round": [0.1, 1]},
        {"top_bottom": {"low": 1.5}, "intervals": [5], "origin": 2},
        {"top_bottom": {"high": 9}},
        {"tree": {"a": {"b": ["c"]}}},
        {"table": "s.t", "unlisted": "root"},
        {"dates": ["decade", "century"]},
    ],
)
def test_every_hierarchy_is_written_back(tmp_path: Path, rule: dict[str, object]) -> None:
    column = {"role": "quasi_identifier", "hierarchy": rule, "output": "bounds"}
    policy = load_policy({"table": "t", "publish": {"into": "u"}, "privacy": {"k": 2}, "columns": {"a": column}})
    assert policy.to_dict()["columns"]["a"] == column
    assert read(tmp_path, policy.to_yaml()) == policy


def test_one_level_of_edges_needs_no_list_of_lists() -> None:
    base = {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 2}}
    policy = load_policy({**base, "columns": {"a": {"role": "quasi_identifier", "hierarchy": {"edges": [0, 18, 65]}}}})
    assert policy.to_dict()["columns"]["a"]["hierarchy"] == {"edges": [[0, 18, 65]]}


MISTAKES = {
    "listed twice": (GOOD + "  zip: identifier\n", r"line \d+: 'zip' is listed twice"),
    "no mapping": ("- a\n- b\n", "must have keys"),
    "broken YAML": ("table: [", r"line \d+"),
    "tabs": ("table: t\n\tpublish: {into: u}\n", r"line 2: .*; indent with spaces instead of tabs"),
    "key as number": (GOOD + "  2020: identifier\n", "put it in quotes"),
    "key as boolean": (GOOD + "  no: identifier\n", "put it in quotes"),
    "missing table": (GOOD.replace("table:", "tabel:"), r"unknown key 'tabel' \(did you mean 'table'\?\)"),
    "wrong choice": (GOOD + "others: dropp\n", r"'dropp' is not allowed \(did you mean 'drop'\?\)"),
    "week and month": (GOOD.replace("{intervals: [0.5, 1], origin: 0.25}", "{dates: [week, month]}"), r"\[week\] alone"),
    "shrinking dates": (GOOD.replace("{intervals: [0.5, 1], origin: 0.25}", "{dates: [year, month]}"), "units must grow"),
    "kept with hierarchy": (
        GOOD.replace("name: identifier", "name: {role: sensitive, hierarchy: suppress}"),
        "only for the role quasi_identifier",
    ),
    "mask of two characters": (GOOD.replace("{intervals: [0.5, 1], origin: 0.25}", '{mask: {char: "ab", hide: [1]}}'), "mask.char"),
}

ZIP = "zip: quasi_identifier"
MISTAKES |= {
    "no level left": (GOOD.replace(ZIP, "zip: {role: quasi_identifier, min_level: 2, max_level: 1}"), "min_level 2 is above max_level 1"),
    "negative level": (GOOD.replace("zip: quasi_identifier", "zip: {role: quasi_identifier, min_level: -1}"), "columns.zip.min_level"),
    "weight of nothing": (GOOD.replace("zip: quasi_identifier", "zip: {role: quasi_identifier, weight: 0}"), "must be a number above 0"),
    "weight of a kept column": (
        GOOD.replace("name: identifier", "name: {role: identifier, weight: 2}"),
        "weight is only for the role quasi_identifier",
    ),
    "unknown algorithm": (GOOD + "algorithm: incognto\n", r"did you mean 'incognito'\?"),
    "unknown cost": (GOOD + "cost: [geniloss, dmm]\n", r"cost.1: 'dmm' is not allowed \(did you mean 'dm'\?\)"),
    "a cost that is wrong is said once": (GOOD + "cost: genilos\n", r"^[^\n]*cost.0: 'genilos' is not allowed[^\n]*$"),
    "no cost": (GOOD + "cost: []\n", "cost: name at least one cost"),
    "a cost twice": (GOOD + "cost: [dm, dm]\n", "cost: a cost is listed twice"),
    "no time": (GOOD + "time_budget: never\n", "time_budget: must be a duration such as 60s"),
    "cm of nothing": (GOOD + "cost: cm\n", "cm needs a label column"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_explained(tmp_path: Path, name: str) -> None:
    text, message = MISTAKES[name]
    with pytest.raises(RequestError, match=message) as raised:
        read(tmp_path, text)
    assert "policy.yml" in str(raised.value)


def test_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "p.yml").write_bytes(b"table: caf\xe9")
    with pytest.raises(RequestError, match="UTF-8"):
        load_policy(tmp_path / "p.yml")


@pytest.mark.parametrize(
    ("text", "parts"),
    [("t", ("t",)), ("s.t", ("s", "t")), ('"a.b"."c ""d"""', ("a.b", 'c "d"')), ("my table", ("my table",)), ("c.s.t", ("c", "s", "t"))],
)
def test_table_names(text: str, parts: tuple[str, ...]) -> None:
    assert TableName.parse(text).parts == parts
    assert TableName.parse(str(TableName(parts))).parts == parts


@pytest.mark.parametrize("text", ["", "a.", ".a", 'a"b', '"a', "a..b", '"a"b'])
def test_invalid_table_names(text: str) -> None:
    with pytest.raises(RequestError, match="table name"):
        TableName.parse(text)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"table": 5}, r"table: must be the name of a table or view, or \{query: select …\}"),
        ({"table": {"qery": "select 1"}}, r"table: unknown key 'qery' \(did you mean 'query'\?\); allowed is query"),
        ({"table": {"query": " "}}, "table: must be SQL text"),
        ({"table": {}}, "table: query: is missing"),
        ({"table": {"query": "select 1"}, "publish": {"in_place": True}}, "the rows of a query cannot be replaced in place"),
        ({"where": "a > 1", "publish": {"in_place": True}}, "where: in place, the rows that it leaves out would be lost"),
        ({"where": "a > 1", "table": {"query": "select 1"}}, "write the condition into the query"),
        ({"where": 5}, "where: must be SQL text"),
        ({"grants": {"select": ["r"]}, "publish": {"in_place": True}}, "the table keeps its permissions"),
        ({"grants": {"insert": ["r"]}}, "grants: unknown key 'insert'; allowed are select"),
        ({"pre_hook": [5]}, "pre_hook: must be an SQL statement, or a list of SQL statements"),
        ({"post_hook": ""}, "post_hook: must be an SQL statement, or a list of SQL statements"),
        ({"lock_timeout": "soon"}, "lock_timeout: must be a duration such as 60s"),
    ],
)
def test_sources_hooks_and_settings_are_checked(changes: dict[str, Any], message: str) -> None:
    given = {"table": "t", "publish": {"into": "x"}, "privacy": {"k": 2}, "columns": {"a": "quasi_identifier"}, **changes}
    with pytest.raises(RequestError, match=message):
        load_policy(given)


def test_hooks_and_settings_are_not_part_of_the_fingerprint() -> None:
    given: dict[str, Any] = {"table": "t", "publish": {"into": "x"}, "privacy": {"k": 2}, "columns": {"a": "quasi_identifier"}}
    surrounded = {**given, "grants": {"select": "r"}, "pre_hook": "select 1", "lock_timeout": "5s"}
    plain, around = load_policy(given), load_policy(surrounded)
    assert plain.content_hash == around.content_hash != load_policy({**given, "where": "a > 1"}).content_hash
    assert load_policy(around.to_dict()) == around
    assert around.to_dict()["grants"] == {"select": ["r"]}
