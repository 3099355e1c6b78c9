"""Every kind of hierarchy on every engine, compared with the oracle; errors name the location and the count."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from support import oracle
from support.databases import Database, canonical

import kanon_sql as ks
from kanon_sql.backends import connect
from kanon_sql.commands.hierarchy import hierarchy as show
from kanon_sql.policy.file import load_policy
from kanon_sql.stages.count.frequencies import count_combinations
from kanon_sql.stages.profile.source import describe_source, profile_source
from kanon_sql.workspace import Workspace

QUASI = "quasi_identifier"
INTEGERS = [None, -31, -30, -5, 0, 4, 5, 15, 17, 18, 19, 25, 64, 65, 89, 90, 91, 149, 150, 151, 1050]
DOUBLES = [None, -2.5, -0.15, -0.05, 0.0, 0.05, 0.1, 0.15, 0.25, 0.3, 0.35, 1.005, 17.99, 18.0, 90.0, 90.5, 149.99999999999997, 150.0, 1e6]
DECIMALS = [None, *map(Decimal, ["-150", "-149.9999", "-50", "-0.5", "0", "0.05", "0.0499", "12.5", "17.9999", "18", "49.9999"])]
DECIMALS += [Decimal(50), Decimal(90), Decimal("90.0001"), Decimal(1050)]
DATES = [None, date(1899, 12, 31), date(1900, 1, 1), date(1999, 12, 31), date(2020, 1, 1), date(2020, 2, 29), date(2021, 1, 3)]

RULES: dict[str, tuple[str, list[Any], Any]] = {
    "edges of integers": ("integer", INTEGERS, {"edges": [[0, 18, 65], [0, 65]]}),
    "one edge": ("integer", INTEGERS, {"edges": [[18]]}),
    "fractional edges of integers": ("integer", INTEGERS, {"edges": [[-4.5, 17.5, 90]]}),
    "edges of doubles": ("double", DOUBLES, {"edges": [[-0.05, 0.05, 0.15, 0.3, 90], [0.15]]}),
    "edges of decimals": ("decimal", DECIMALS, {"edges": [[-149.9999, 0.05, 18, 90], [18]]}),
    "rounded integers": ("integer", INTEGERS, {"round": [10, 100, 1000]}),
    "odd rounding": ("integer", INTEGERS, {"round": [5, 15]}),
    "rounded doubles": ("double", DOUBLES, {"round": [0.1, 0.5, 100]}),
    "rounded decimals": ("decimal", DECIMALS, {"round": [0.1, 100, 1000]}),
    "top and bottom": ("integer", INTEGERS, {"top_bottom": {"low": 18, "high": 90}, "intervals": [10, 20]}),
    "top only": ("integer", INTEGERS, {"top_bottom": {"high": 90}}),
    "bottom only": ("integer", INTEGERS, {"top_bottom": {"low": -5}, "intervals": [50], "origin": 17}),
    "top and bottom of doubles": ("double", DOUBLES, {"top_bottom": {"low": -0.05, "high": 90}, "intervals": [0.5, 5]}),
    "top and bottom of decimals": ("decimal", DECIMALS, {"top_bottom": {"low": -149.9999, "high": 90}, "intervals": [2.5]}),
    "tree": ("text", [None, "France", "USA", "Chile"], {"tree": {"Europe": ["France", "Italy"], "America": ["USA", "Chile"]}}),
    "deep tree": (
        "text", [None, "fr", "de", "sc", "us", "aq"],
        {"tree": {"World": {"Europe": {"EU": ["fr", "de"], "UK": ["sc", "en"]}, "America": {"North": ["us"]}, "None": ["aq"]}}},
    ),
    "tree of integers": ("integer", [None, 1, 2, 3, 9], {"tree": {"low": [1, 2], "high": [{"three": [3]}]}, "unlisted": "root"}),
    "tree of dates": ("date", [None, date(2020, 1, 1), date(2020, 7, 1)], {"tree": {"winter": ["2020-01-01"], "summer": ["2020-07-01"]}}),
    "tree of booleans": ("boolean", [None, True, False], {"tree": {"yes": ["true"], "no": ["false"]}}),
    "centuries": ("date", DATES, {"dates": ["decade", "century"]}),
    "weeks": ("timestamp", [None, datetime(2020, 12, 31, 23, 59), datetime(2021, 1, 3, 12), datetime(2021, 1, 4)], {"dates": ["week"]}),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_labels_equal_the_oracle_on_every_level(backend: Database, name: str) -> None:
    kind, values, rule = RULES[name]
    backend.create("t", {"a": kind}, [(value,) for value in [*values, *values]])
    ladder = oracle.build_ladder(kind, values, rule, {})
    expected = {tuple(canonical(label) for label in path) for path in ladder.paths.values()}
    assert labels_of(backend, policy(rule), ladder.height) == expected


def labels_of(backend: Database, given: dict[str, Any], height: int) -> set[tuple[Any, ...]]:
    """Return every leaf with its labels, as the run counts them; equal labels, and only they, have equal codes."""
    checked = ks.load_policy(given)
    with Workspace(connect(backend.url), "publish") as workspace:
        profile = profile_source(workspace, describe_source(workspace, checked.source), checked)
        (column,) = count_combinations(workspace, profile).columns
        assert column.height == height
        names = ["value", *(f"label_{n}" for n in range(1, height + 1)), *(f"part_{n}" for n in range(height + 1))]
        table = column.hierarchy_table.table
        found = workspace.backend.fetch(f"select {', '.join(names)} from {table}")
    for level in range(1, height):
        codes = {(row[level], row[height + 1 + level]) for row in found}
        assert len(codes) == len({label for label, _ in codes}) == len({code for _, code in codes})
    return {tuple(canonical(cell) for cell in row[: height + 1]) for row in found}


def policy(rule: Any, **column: Any) -> dict[str, Any]:
    return {
        "table": "t",
        "publish": {"into": "u", "replace": True},
        "privacy": {"k": 2},
        "columns": {"a": {"role": QUASI, "hierarchy": rule, **column}},
        "others": "drop",
    }


TABLES: dict[str, tuple[str, list[Any], str, list[tuple[Any, ...]]]] = {
    "text": ("text", [None, "a", "A", "á"], "text", [("a", "low", "x"), ("A", "low", "x"), ("á", "high", "y"), ("z", "high", "y")]),
    "integers as text": ("integer", [None, 39, 40], "text", [("39", "odd"), ("040", "even")]),
    "decimals": ("decimal", [Decimal("0.1"), Decimal("2.5")], "decimal", [(Decimal("0.1"), "low"), (Decimal("2.5"), "high")]),
    "dates as text": ("date", [date(2020, 1, 1), None], "text", [("2020-01-01", "new year")]),
    "timestamps": ("timestamp", [datetime(2020, 1, 1, 12)], "timestamp", [(datetime(2020, 1, 1, 12), "x"), (datetime(2021, 1, 1), "y")]),
    "booleans": ("boolean", [True, False], "boolean", [(True, "smoker"), (False, "none")]),
    "doubles": ("double", [0.1, 0.30000000000000004], "double", [(0.1, "low"), (0.30000000000000004, "high")]),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_hierarchy_in_a_table(backend: Database, name: str) -> None:
    kind, values, listed_kind, rows = TABLES[name]
    backend.create("t", {"a": kind}, [(value,) for value in values])
    levels = {f"level{n}": "text" for n in range(1, len(rows[0]))}
    backend.create("levels", {"value": listed_kind, **levels, "remark": "text"}, [(*row, "ignored") for row in rows])
    spelled = [[str(row[0]).lower() if isinstance(row[0], bool) else str(row[0]), *row[1:]] for row in rows]
    ladder = oracle.build_ladder(kind, values, {"table": "levels"}, {"levels": spelled})
    expected = {tuple(canonical(label) for label in path) for path in ladder.paths.values()}
    assert labels_of(backend, policy({"table": "levels"}), ladder.height) == expected


WRONG_TABLES: dict[str, tuple[list[str], list[tuple[Any, ...]], str]] = {
    "two parents": (["value", "level1", "level2"], [("a", "x", "y"), ("b", "x", "z"), ("c", "w", "z")],
                    r"row 2: the label at level 1 has a different parent than in row 1; labels with more than one parent at level 1: 1"),
    "twice": (["value", "level1"], [("a", "x"), ("a", "x"), ("b", "y")], r"row 2: the same leaf is in row 1"),
    "gap": (["value", "level2"], [("a", "x")], "needs the columns value, level1, level2"),
    "no value": (["val", "level1"], [("a", "x")], "needs the columns value, level1, level2"),
    "empty label": (["value", "level1"], [("a", None), ("b", "x"), ("c", None)], r"row 1: level 1 is empty.*2 such rows"),
    "NULL": (["value", "level1"], [(None, "x"), ("b", "x")], "1 row with NULL as value"),
    "nothing": (["value", "level1"], [], "is empty"),
    "unlisted": (["value", "level1"], [("a", "x")], r"table levels does not list 2 distinct values in 4 rows"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_TABLES)
def test_a_wrong_hierarchy_table_is_explained(backend: Database, name: str) -> None:
    columns, rows, message = WRONG_TABLES[name]
    backend.create("t", {"a": "text"}, [(value,) for value in "abcabc"])
    backend.create("levels", dict.fromkeys(columns, "text"), rows)
    with pytest.raises(ks.HierarchyError, match=message) as raised:
        ks.anonymize(backend.url, policy({"table": "levels"}))
    assert "column 'a'" in str(raised.value)
    with pytest.raises(ks.HierarchyError, match=r"hierarchy table lewels does not exist \(did you mean 'levels'\?\)"):
        ks.anonymize(backend.url, policy({"table": "lewels"}))


WRONG_RULES: dict[str, tuple[Any, str]] = {
    "edges that shrink": ({"edges": [[5, 3]]}, "edges: level 1 must be increasing numbers"),
    "edges that do not nest": ({"edges": [[0, 10], [0, 5]]}, "edges: level 2 must only have edges of level 1; edges that are new: 1"),
    "same edges": ({"edges": [[0, 10], [0, 10]]}, "same edges"),
    "steps that do not nest": ({"round": [10, 25]}, "each step must be a multiple"),
    "no code": ({"top_bottom": {}}, "needs low, high or both"),
    "codes crossed": ({"top_bottom": {"low": 5, "high": 1}}, "low must not be above high"),
    "misspelled code": ({"top_bottom": {"lo": 5}}, r"unknown key 'lo' \(did you mean 'low'\?\)"),
    "tree of one value": ({"tree": "Europe"}, "must map each label"),
    "empty branch": ({"tree": {"Europe": []}}, "a branch is empty"),
    "boolean leaf": ({"tree": {"Nordic": [False]}}, "put it in quotes"),
    "leaf twice": ({"tree": {"x": [1, 2], "y": [1]}}, "columns.a: hierarchy tree, leaf 3: the same leaf is in leaf 1"),
    "not a number": (
        {"tree": {"x": [1, "two", "three"]}},
        r"hierarchy tree, leaf 2: the leaf cannot be read as integer.*\(2 of 3 leaves\)",
    ),
    "same number": ({"tree": {"x": ["1", "01"]}}, "leaf 2: read as integer, the type of column 'a', it is the same value as leaf 1"),
    "unlisted in a tree": ({"tree": {"x": [1]}}, "its tree does not list 1 distinct value in 2 rows"),
    "two hierarchies": ({"round": [5], "edges": [[5]]}, "unknown key"),
}


@pytest.mark.parametrize("name", WRONG_RULES)
@pytest.mark.engines("duckdb")
def test_a_wrong_hierarchy_is_explained(backend: Database, name: str) -> None:
    rule, message = WRONG_RULES[name]
    backend.create("t", {"a": "integer"}, [(1,), (2,), (1,), (2,)])
    with pytest.raises(ks.RequestError, match=message):
        ks.anonymize(backend.url, policy(rule))


def test_a_file_is_named_with_line_and_count(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("a;x;y\n\nb;;y\nc;x;y\nd;;y\n")
    with pytest.raises(ks.HierarchyError, match=r"columns.a: hierarchy file .*h.csv, line 3: level 1 is empty.*\(2 such lines\)"):
        ks.load_policy(policy({"csv": "h.csv"}), folder=tmp_path)


@pytest.mark.engines("duckdb")
def test_trees_are_written_and_read_back(backend: Database) -> None:
    backend.create("t", {"a": "integer"}, [(1,), (2,), (1,), (2,)])
    report = ks.anonymize(backend.url, policy({"tree": {"x": [1, 2]}, "unlisted": "root"}), dry_run=True)
    assert report.policy.to_dict()["columns"]["a"]["hierarchy"] == {"tree": {"x": ["1", "2"]}, "unlisted": "root"}
    again = ks.load_policy(report.policy.to_dict())
    assert again.quasi_identifiers == report.policy.quasi_identifiers


@pytest.mark.engines("duckdb")
def test_a_long_list_is_loaded_by_one_statement(backend: Database, tmp_path: Path) -> None:
    backend.create("t", {"pay": "decimal"}, [(Decimal(n) / 4,) for n in range(0, 40_000, 100) for _ in range(2)])
    leaves = [f"{Decimal(n) / 4};{'low' if n < 20_000 else 'high'}" for n in range(40_000)]
    (tmp_path / "pay.csv").write_text("\n".join(leaves))
    rule = {"role": "quasi_identifier", "hierarchy": {"csv": str(tmp_path / "pay.csv")}, "min_level": 1}
    report = ks.anonymize(backend.url, {"table": "t", "publish": {"into": "t_anon"}, "privacy": {"k": 2}, "columns": {"pay": rule}})
    assert Counter(row[0] for row in backend.rows("t_anon", ["pay"])) == {"low": 400, "high": 400}
    assert len([statement for statement in report.statements if statement.template == "workspace/ddl/lists"]) == 1


EDUCATION = ["primary;basic", "secondary;basic", "bachelor;higher", "master;higher"]
VALUES = ["primary", "secondary", "bachelor", "master"]
LISTS: dict[str, tuple[list[str], list[str], dict[str, Any], bool]] = {
    "a header": (["education;level"], VALUES, {}, True),
    "a header that is declared": (["education;level"], VALUES, {"header": True}, False),
    "a leaf that is declared": (["doctorate;top"], VALUES, {"header": False}, False),
    "a leaf that occurs": (["doctorate;top"], [*VALUES, "doctorate"], {}, False),
    "a leaf that does not occur": (["doctorate;higher"], VALUES, {}, False),
    "a branch of one leaf among leaves that do not occur": (["doctorate;top"], VALUES[:3], {}, False),
    "no header": ([], VALUES, {}, False),
}


@pytest.mark.parametrize("root", ["", ";*"])
@pytest.mark.parametrize("name", LISTS)
def test_a_header_is_not_a_leaf(backend: Database, tmp_path: Path, name: str, root: str) -> None:
    first, values, more, refused = LISTS[name]
    top = ";top" if "header" in name and root else root
    head = [line + top for line in first]
    (tmp_path / "education.csv").write_text("\n".join([*head, *(line + root for line in EDUCATION)]) + "\n")
    backend.create("t", {"education": "text"}, [(value,) for value in values * 2])
    hierarchy = {"csv": "education.csv", **more}
    content = {
        "table": "t",
        "publish": {"into": "t_anon"},
        "privacy": {"k": 4},
        "columns": {"education": {"role": QUASI, "hierarchy": hierarchy}},
    }
    policy = load_policy(content, folder=tmp_path)
    if not refused:
        report = ks.anonymize(backend.url, policy)
        if name in ("no header", "a header that is declared"):
            assert report.to_dict()["utility"]["geniloss"] == pytest.approx(1 / 3)
        return
    for call in (lambda: ks.anonymize(backend.url, policy), lambda: show(backend.url, "t", "education", policy)):
        with pytest.raises(ks.HierarchyError, match="seems to be a header") as error:
            call()
        assert "write header: true next to csv" in str(error.value)
        assert "level" not in str(error.value)


def test_a_header_over_numbers_is_named(backend: Database, tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_text("age;band\n1;low\n2;low\n3;high\n")
    backend.create("t", {"age": "integer"}, [(1,), (2,), (3,)] * 3)
    columns = {"age": {"role": QUASI, "hierarchy": {"csv": "age.csv"}}}
    content = {"table": "t", "publish": {"into": "t_anon"}, "privacy": {"k": 3}, "columns": columns}
    with pytest.raises(ks.HierarchyError, match=r"line 1: the leaf cannot be read as integer.*write header: true"):
        ks.anonymize(backend.url, load_policy(content, folder=tmp_path))
    columns["age"]["hierarchy"] = {"csv": "age.csv", "header": True}
    ks.anonymize(backend.url, load_policy(content, folder=tmp_path))


def test_a_file_of_a_header_alone_is_empty(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("age;band\n")
    content = {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 3}}
    columns = {"age": {"role": QUASI, "hierarchy": {"csv": "a.csv", "header": True}}}
    with pytest.raises(ks.HierarchyError, match="is empty"):
        load_policy({**content, "columns": columns}, folder=tmp_path)
