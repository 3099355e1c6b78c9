"""The oracle reproduces the papers' numbers and those computed by hand."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.oracle import (
    Outcome,
    Unsolvable,
    Verdict,
    anonymize,
    build_ladder,
    parse,
    verdict,
)

CASES = Path(__file__).parents[1] / "golden" / "cases"
RUNS = ["001_table_2_3", "002_app_a_datafly", "002_table_1_2"]


def read_csv(path: Path) -> list[list[str]]:
    """Return the lines of a CSV file."""
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))


def read_table(path: Path, columns: dict[str, str]) -> list[tuple[Any, ...]]:
    """Return the rows of a golden table in their columns' types; an empty cell is NULL."""
    header, *lines = read_csv(path)
    assert header == list(columns)
    types = columns.values()
    return [tuple(parse(t, cell) if cell else None for t, cell in zip(types, line, strict=True)) for line in lines]


def read_golden(name: str) -> tuple[dict[str, str], Any, Any, dict[str, Any]]:
    """Return the columns, policy, expectations and hierarchy files of a golden case."""
    folder = CASES / name
    tables = ("source", "expected", "table_")
    return (
        json.loads((folder / "columns.json").read_text()),
        yaml.safe_load((folder / "policy.yml").read_text()),
        json.loads((folder / "expected.json").read_text()),
        {path.name: read_csv(path) for path in folder.glob("*.csv") if not path.stem.startswith(tables)},
    )


def policy_of(hierarchies: dict[str, Any], k: int = 2, **more: Any) -> dict[str, Any]:
    """Return a policy of quasi-identifiers only."""
    columns = {name: {"role": "quasi_identifier", "hierarchy": hierarchy} for name, hierarchy in hierarchies.items()}
    return {"privacy": {"k": k}, "columns": columns, **more}


def paths_of(type_: str, values: Sequence[Any], hierarchy: Any, files: Any = None) -> list[tuple[Any, ...]]:
    """Return the labels of each value, level by level."""
    ladder = build_ladder(type_, values, hierarchy, files or {})
    return [ladder.paths[value] for value in values]


@pytest.mark.parametrize("name", RUNS)
def test_datafly_reproduces_the_paper(name: str) -> None:
    columns, policy, expected, files = read_golden(name)
    rows = read_table(CASES / name / "source.csv", columns)
    outcome = anonymize(columns, rows, policy, files=files)
    header, *lines = read_csv(CASES / name / "expected.csv")
    assert outcome.levels == expected["levels"]
    assert list(outcome.levels) == list(expected["levels"])
    assert [list(node) for node in outcome.path] == expected["path"]
    assert outcome.columns == header
    printed = Counter(tuple(map(str, row)) for row in outcome.rows)
    assert printed == Counter(map(tuple, lines))
    assert outcome.class_sizes == expected["class_sizes"]
    assert len(outcome.class_sizes) == expected["classes"]
    assert outcome.suppressed == expected["suppressed"]


@pytest.mark.parametrize("name", RUNS)
def test_every_visited_node_has_the_failing_rows_of_the_paper(name: str) -> None:
    columns, policy, expected, files = read_golden(name)
    rows = read_table(CASES / name / "source.csv", columns)
    failing = [verdict(columns, rows, policy, tuple(node), files=files).failing_rows for node in expected["path"]]
    assert failing == expected["failing_rows"]


@pytest.mark.parametrize("name", ["001_table_2_3", "002_table_1_2"])
def test_metrics_of_the_paper(name: str) -> None:
    columns, policy, expected, files = read_golden(name)
    rows = read_table(CASES / name / "source.csv", columns)
    judged = verdict(columns, rows, policy, tuple(expected["node"]), files=files)
    outcome = anonymize(columns, rows, policy, files=files)
    for measured in (judged, outcome):
        assert measured.dm == expected["dm"]
        assert measured.c_avg == float(Fraction(expected["c_avg"]))
        assert measured.geniloss == float(Fraction(expected["geniloss"]))


@pytest.mark.parametrize("table", ["table_1", "table_2", "table_3", "table_4"])
def test_printed_tables_are_2_anonymous_or_not(table: str) -> None:
    columns, policy, expected, files = read_golden("000_tables_1_4")
    rows = read_table(CASES / "000_tables_1_4" / f"{table}.csv", columns)
    judged = verdict(columns, rows, policy, (0, 0), files=files)
    wanted = expected["tables"][table]
    assert judged.passes == wanted["k_anonymous"]
    assert judged.smallest_class == wanted["smallest_class"]
    assert judged.classes == len(wanted["class_sizes"])
    assert judged.dm == wanted.get("dm", judged.dm)


def test_null_is_a_separate_value_below_the_root() -> None:
    rows = [(None,), (None,), (3,), (4,), (12,)]
    policy = policy_of({"age": {"intervals": [5]}})
    columns = {"age": "integer"}
    outcome = anonymize(columns, rows, policy | {"suppression": 1}, files={})
    assert outcome.path == [(0,), (1,)]
    assert Counter(outcome.rows) == {(None,): 2, ("[0,5)",): 2}
    assert (outcome.suppressed, outcome.class_sizes) == (1, [2, 2])
    # Cells: NULL 0, NULL 0, [0,5) twice (4-3)/(12-3), one suppressed.
    assert outcome.geniloss == float((2 * Fraction(1, 9) + 1) / 5)
    assert outcome.dm == 2**2 + 2**2 + 5 * 1
    assert outcome.c_avg == 5 / (2 * 2)
    to_root = anonymize(columns, rows, policy, files={})
    assert to_root.levels == {"age": 2}
    assert Counter(to_root.rows) == {("*",): 5}
    assert to_root.geniloss == 1.0


def test_null_counts_as_one_leaf_of_a_category() -> None:
    table = [["a", "ab"], ["b", "ab"], ["c", "c"]]
    rows = [("a",), ("b",), (None,), (None,)]
    policy = policy_of({"x": {"csv": "x.csv"}})
    judged = verdict({"x": "text"}, rows, policy, (1,), files={"x.csv": table})
    # Leaves a, b, c, NULL: the label ab covers two of four, NULL one.
    assert judged.geniloss == float(2 * Fraction(1, 3) / 4)
    assert judged.classes == 2


def test_null_and_one_number_are_two_leaves() -> None:
    policy = policy_of({"x": {"intervals": [5]}})
    rows = [(7,), (7,), (None,), (None,)]
    losses = [verdict({"x": "integer"}, rows, policy, (level,), files={}).geniloss for level in range(3)]
    assert losses == [0.0, 0.0, 1.0]


def test_empty_text_is_not_null() -> None:
    rows = [("",), ("",), (None,), (None,), ("a",), ("A",), ("a ",)]
    policy = policy_of({"x": "suppress"})
    judged = verdict({"x": "text"}, rows, policy, (0,), files={})
    assert (judged.classes, judged.failing_rows) == (5, 3)


def test_zeros_are_equal_and_nan_is_one_value() -> None:
    rows = [(0.0,), (-0.0,), (float("nan"),), (float("nan"),)]
    policy = policy_of({"x": "suppress"})
    judged = verdict({"x": "double"}, rows, policy, (0,), files={})
    assert (judged.classes, judged.smallest_class) == (2, 2)


def test_intervals_of_negative_numbers_and_an_origin() -> None:
    assert paths_of("integer", [-1, -5, -6, 0], {"intervals": [5, 10]}) == [
        (-1, "[-5,0)", "[-10,0)", "*"),
        (-5, "[-5,0)", "[-10,0)", "*"),
        (-6, "[-10,-5)", "[-10,0)", "*"),
        (0, "[0,5)", "[0,10)", "*"),
    ]
    assert paths_of("integer", [17, 16], {"intervals": [5, 10], "origin": 17}) == [
        (17, "[17,22)", "[17,27)", "*"),
        (16, "[12,17)", "[7,17)", "*"),
    ]


def test_intervals_of_decimals_and_doubles() -> None:
    values = [Decimal("0.50"), Decimal("-0.1"), Decimal("12.99")]
    assert paths_of("decimal", values, {"intervals": [0.5, 2]}) == [
        (Decimal("0.5"), "[0.5,1)", "[0,2)", "*"),
        (Decimal("-0.1"), "[-0.5,0)", "[-2,0)", "*"),
        (Decimal("12.99"), "[12.5,13)", "[12,14)", "*"),
    ]
    # As a binary number 0.3 lies below three tenths, and so does the bound.
    assert paths_of("double", [0.3, 0.7, 1e16], {"intervals": [0.1]}) == [
        (0.3, "[0.3,0.4)", "*"),
        (0.7, "[0.7,0.8)", "*"),
        (1e16, "[10000000000000000,10000000000000002)", "*"),
    ]
    assert paths_of("integer", [3000], {"intervals": [1000]})[0][1] == "[3000,4000)"


def test_masks_keep_the_length_and_hide_short_values_completely() -> None:
    hide = {"mask": {"char": "#", "hide": [1, 3]}}
    assert paths_of("text", ["abcd", "ab", "", "né€𝄞"], hide) == [
        ("abcd", "abc#", "a###", "*"),
        ("ab", "a#", "##", "*"),
        ("", "", "", "*"),
        ("né€𝄞", "né€#", "n###", "*"),
    ]
    assert paths_of("integer", [-12, 7], hide) == [
        (-12, "-1#", "###", "*"),
        (7, "#", "#", "*"),
    ]


def test_masked_integers_are_measured_as_numbers() -> None:
    policy = policy_of({"x": {"mask": {"hide": [1]}}})
    rows = [(11,), (14,), (31,), (31,)]
    judged = verdict({"x": "integer"}, rows, policy, (1,), files={})
    assert judged.geniloss == float(2 * Fraction(3, 20) / 4)


def test_dates_and_iso_weeks() -> None:
    units = ["month", "quarter", "year", "decade", "century"]
    day, moment = date(2021, 1, 1), datetime(1999, 12, 31, 23, 59)
    assert paths_of("date", [day], {"dates": units}) == [(day, "2021-01", "2021-Q1", "2021", "2020s", "2000-2099", "*")]
    assert paths_of("timestamp", [moment], {"dates": units}) == [(moment, "1999-12", "1999-Q4", "1999", "1990s", "1900-1999", "*")]
    days = [day, date(2021, 1, 4), date(2019, 12, 30), date(2020, 3, 12)]
    weeks = [path[1] for path in paths_of("date", days, {"dates": ["week"]})]
    assert weeks == ["2020-W53", "2021-W01", "2020-W01", "2020-W11"]


def test_dates_are_measured_in_days_and_timestamps_in_seconds() -> None:
    policy = policy_of({"d": {"dates": ["year"]}})
    days = [(date(2020, 1, 1),), (date(2020, 1, 11),), (date(2021, 1, 1),)] * 2
    judged = verdict({"d": "date"}, days, policy, (1,), files={})
    assert judged.geniloss == float(4 * Fraction(10, 366) / 6)
    first, last = datetime(2020, 12, 31, 23, 59, 58), datetime(2021, 1, 1)
    times = [(first,), (datetime(2020, 12, 31, 23, 59, 59, 500000),), (last,)] * 2
    judged = verdict({"d": "timestamp"}, times, policy, (1,), files={})
    assert judged.geniloss == float(4 * Fraction(3, 4) / 6)


def test_listed_leaves_count_though_absent_from_the_data() -> None:
    table = [["1", "low"], ["2", "low"], ["9", "low"], ["11", "high"]]
    rows = [(1,), (2,), (1,), (2,)]
    policy = policy_of({"x": {"csv": "x.csv"}}, k=4)
    outcome = anonymize({"x": "integer"}, rows, policy, files={"x.csv": table})
    assert Counter(outcome.rows) == {("low",): 4}
    assert outcome.geniloss == float(Fraction(9 - 1, 11 - 1))
    as_text = [(str(x),) for (x,) in rows]
    outcome = anonymize({"x": "text"}, as_text, policy, files={"x.csv": table})
    assert outcome.geniloss == float(Fraction(3 - 1, 4 - 1))


def test_a_list_that_ends_in_one_label_gets_no_other_root() -> None:
    files = {"x.csv": [["a", "Any"], ["b", "Any"]]}
    assert paths_of("text", ["a", None], {"csv": "x.csv"}, files) == [
        ("a", "Any"),
        (None, "Any"),
    ]


def test_a_lone_leaf_has_height_0_unless_other_values_occur() -> None:
    files = {"x.csv": [["39"]]}
    lone, open_ = {"csv": "x.csv"}, {"csv": "x.csv", "unlisted": "root"}
    assert paths_of("integer", [39], lone, files) == [(39,)]
    assert paths_of("integer", [39], open_, files) == [(39,)]
    assert paths_of("integer", [39, None], lone, files) == [(39, "*"), (None, "*")]
    assert paths_of("integer", [39, 40], open_, files) == [(39, "*"), (40, "*")]
    with pytest.raises(ValueError, match="not listed"):
        paths_of("integer", [39, 40], lone, files)


def test_a_domain_of_one_leaf_loses_nothing() -> None:
    policy = policy_of({"x": "suppress", "y": "suppress"})
    rows = [("same", "p"), ("same", "q")]
    columns = {"x": "text", "y": "text"}
    judged = verdict(columns, rows, policy, (1, 1), files={})
    assert judged.geniloss == 0.5


def test_unlisted_values_take_the_root_from_level_1_and_are_lost() -> None:
    files = {"x.csv": [["a", "ab", "all"], ["b", "ab", "all"], ["c", "c", "all"]]}
    hierarchy = {"csv": "x.csv", "unlisted": "root"}
    assert paths_of("text", ["a", "z", None], hierarchy, files) == [
        ("a", "ab", "all"),
        ("z", "all", "all"),
        (None, None, "all"),
    ]
    rows = [("a",), ("a",), ("y",), ("z",)]
    policy = policy_of({"x": hierarchy})
    judged = verdict({"x": "text"}, rows, policy, (1,), files=files)
    assert (judged.classes, judged.smallest_class) == (2, 2)
    assert judged.geniloss == float((2 * Fraction(1, 2) + 2) / 4)


def test_a_list_that_is_not_a_tree_is_refused() -> None:
    two_paths = {"x.csv": [["1", "a"], ["1.0", "b"]]}
    with pytest.raises(ValueError, match="two paths"):
        paths_of("decimal", [Decimal(1)], {"csv": "x.csv"}, two_paths)
    two_parents = {"x.csv": [["1", "a", "p"], ["2", "a", "q"]]}
    with pytest.raises(ValueError, match="two parents"):
        paths_of("integer", [1], {"csv": "x.csv"}, two_parents)


@pytest.mark.parametrize(
    ("share", "allowed"),
    [(0.07, 7), (0.29, 29), (0.57, 57), (0.069, 6), (7, 7), (0, 0), (1.0, 100)],
)
def test_the_suppression_limit_is_exact(share: float, allowed: int) -> None:
    def publish_with(failing: int) -> Outcome:
        rows = [(str(i),) for i in range(failing)] + [("x",)] * (100 - failing)
        policy = policy_of({"x": "suppress"}, suppression=share)
        return anonymize({"x": "text"}, rows, policy, files={})

    if allowed < 100:
        assert publish_with(allowed + 2).levels == {"x": 1}
        assert publish_with(allowed + 1).levels == {"x": 1}
    assert publish_with(allowed).levels == {"x": 0}
    assert publish_with(allowed).suppressed == allowed


def test_datafly_takes_most_distinct_then_policy_order_and_skips_roots() -> None:
    rows = [(1, "a", "p"), (2, "b", "p"), (3, "a", "q"), (4, None, "q")]
    columns = {"n": "integer", "x": "text", "y": "text"}
    policy = policy_of({"y": "suppress", "x": "suppress", "n": "suppress"}, k=4)
    outcome = anonymize(columns, rows, policy, files={})
    # n has 4 values, x has 3 with NULL, y has 2; order of levels: y, x, n.
    assert outcome.path == [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]
    assert outcome.columns == ["n", "x", "y"]
    tie = [("a", "p"), ("b", "q")]
    policy = policy_of({"y": "suppress", "x": "suppress"})
    outcome = anonymize({"x": "text", "y": "text"}, tie, policy, files={})
    assert outcome.path == [(0, 0), (1, 0), (1, 1)]


def test_too_few_rows_are_unsolvable_unless_all_may_be_suppressed() -> None:
    columns, policy = {"x": "text"}, policy_of({"x": "suppress"}, k=3)
    with pytest.raises(Unsolvable):
        anonymize(columns, [("a",), ("a",)], policy, files={})
    outcome = anonymize(columns, [("a",), ("a",)], policy | {"suppression": 2}, files={})
    assert outcome == Outcome({"x": 0}, [(0,)], ["x"], [], 2, [], 4, 0.0, 1.0)


def test_an_empty_source_is_accepted_unchanged() -> None:
    columns, policy = {"x": "text"}, policy_of({"x": "suppress"})
    assert anonymize(columns, [], policy, files={}).levels == {"x": 0}
    judged = verdict(columns, [], policy, (1,), files={})
    assert judged == Verdict(0, 0, 0, True, 0, 0, 0.0, 0.0)


def test_roles_decide_what_is_published() -> None:
    columns = {"a": "text", "b": "text", "c": "text", "d": "text", "e": "text"}
    rows = [("1", "q", "s", None, "o"), ("2", "q", "t", "i", "o")]
    policy: dict[str, Any] = {
        "privacy": {"k": 2},
        "columns": {
            "d": "insensitive",
            "c": {"role": "sensitive"},
            "b": {"role": "quasi_identifier", "hierarchy": "suppress"},
            "a": "identifier",
        },
    }
    kept = anonymize(columns, rows, policy | {"others": "keep"}, files={})
    assert kept.columns == ["b", "c", "d", "e"]
    assert sorted(kept.rows, key=str) == [("q", "s", None, "o"), ("q", "t", "i", "o")]
    dropped = anonymize(columns, rows, policy | {"others": "drop"}, files={})
    assert dropped.columns == ["b", "c", "d"]
    with pytest.raises(ValueError, match="does not name"):
        anonymize(columns, rows, policy | {"others": "error"}, files={})
