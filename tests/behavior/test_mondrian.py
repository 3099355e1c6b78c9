"""Mondrian from the source to the release on every engine: types, NULLs, outputs, reports, in place."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.databases import Database
from support.people import COLUMNS, make_people, policy, write_education

import kanon_sql as ks
from kanon_sql.artifacts import CutSearch
from kanon_sql.cli import run as kanon

SMALL = [
    (23, "red", "a"), (25, "red", "b"), (31, "blue", "c"), (38, "green", "d"), (38, "green", "e"), (40, "blue", "f"),
    (None, "red", "g"), (None, "blue", "h"),
]  # fmt: skip


def small(backend: Database, rows: list[Any] | None = None) -> dict[str, Any]:
    """Create a table of ages and colours, and return its policy."""
    backend.create("people", {"age": "integer", "colour": "text", "note": "text"}, SMALL if rows is None else rows)
    return {
        "table": "people",
        "publish": {"into": "people_anon"},
        "privacy": {"k": 2},
        "algorithm": "mondrian",
        "columns": {"age": "quasi_identifier", "colour": "quasi_identifier", "note": {"role": "sensitive", "accept_unique": True}},
    }


def with_column(given: dict[str, Any], name: str, **rule: Any) -> dict[str, Any]:
    return {**given, "columns": {**given["columns"], name: {"role": "quasi_identifier", **rule}}}


def test_every_kind_of_column_is_cut_and_published(backend: Database, tmp_path: Path) -> None:
    rows = make_people(backend)
    given = ks.load_policy(policy(algorithm="mondrian", suppression=0.1), folder=write_education(tmp_path))
    report = ks.anonymize(backend.url, given)
    quasi = list(given.quasi_identifiers)
    published = backend.rows("people_anon", quasi)
    assert report.k == min(Counter(published).values())
    assert min(Counter(published).values()) >= 3
    assert len(set(published)) == report.classes == report.utility["classes"]
    partition = report.to_dict()["partition"]
    assert partition["regions"] == 1 + sum(partition["cuts"].values()) >= report.classes
    assert all(partition["cuts"][name] for name in quasi)
    kept = [place for place, name in enumerate(COLUMNS) if name in ("ward", "diagnosis")]
    assert Counter(backend.rows("people_anon", ["ward", "diagnosis"])) == Counter(tuple(row[place] for place in kept) for row in rows)
    assert report.suppressed_rows == 0
    assert any("suppression limit is not used" in warning for warning in report.warnings)
    assert backend.tables() == {"people", "people_anon"}


def test_the_source_is_read_twice_and_a_round_is_a_constant_number_of_statements(backend: Database) -> None:
    given = small(backend, [(number % 97, f"c{number % 7}", str(number)) for number in range(600)])
    report = ks.anonymize(backend.url, given)
    reading = [s.template for s in report.statements if "people" in s.sql and s.stage not in ("profile", "recover", "verify", "swap")]
    published = [name for name in reading if name.startswith("publish/")]
    assert [name for name in reading if name.startswith(("count/", "evaluate/", "recode/", "labels/regions/"))] == ["count/combinations"]
    assert len(published) == 1
    rounds = Counter(s.template for s in report.statements if s.template.startswith("evaluate/"))
    found = report.solution.search
    assert isinstance(found, CutSearch)
    assert rounds["evaluate/cuts/cuts"] == rounds["evaluate/cuts/counted_cuts"] == rounds["evaluate/cuts/next_regions"] == found.rounds
    assert found.regions > 4 * found.rounds


def test_null_is_cut_off_first_or_makes_a_root(backend: Database) -> None:
    ks.anonymize(backend.url, small(backend))
    ages = Counter(row[0] for row in backend.rows("people_anon", ["age"]))
    assert ages == {None: 2, "[23,25]": 2, "[31,40]": 2, "38": 2}


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("bounds", {(None, None): 2, (23, 25): 2, (31, 40): 2, (38, 38): 2}),
        ("midpoint", {(None,): 2, (24,): 2, (35.5,): 2, (38,): 2}),
        ("mean", {(None,): 2, (24,): 2, (35.5,): 2, (38,): 2}),
    ],
)
def test_outputs_of_numbers_stay_numbers(backend: Database, output: str, expected: dict[tuple[Any, ...], int]) -> None:
    given = with_column(small(backend), "age", output=output)
    report = ks.anonymize(backend.url, given)
    names = ["age_min", "age_max"] if output == "bounds" else ["age"]
    assert Counter(backend.rows("people_anon", names)) == expected
    assert report.classes == 4


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ({"hierarchy": {"tree": {"reds": ["red", "pink"], "blues": ["navy", "azure", "blue"]}}}, {"reds": 2, "navy": 2, "blue": 2}),
        ({}, {"{pink,red}": 2, "navy": 2, "blue": 2}),
    ],
)
def test_a_category_is_its_lowest_common_ancestor_or_a_set(backend: Database, rule: dict[str, Any], expected: dict[str, int]) -> None:
    rows = [("red", "a"), ("pink", "b"), ("navy", "c"), ("blue", "d"), ("blue", "e"), ("navy", "f")]
    given = small(backend, [(30, *row) for row in rows])
    ks.anonymize(backend.url, with_column(given, "colour", **rule))
    assert Counter(row[0] for row in backend.rows("people_anon", ["colour"])) == expected


def test_relaxed_halves_rows_of_equal_values(backend: Database) -> None:
    given = small(backend, [(30, "red", str(number)) for number in range(5)] + [(31, "red", str(number)) for number in range(5, 8)])
    strict = ks.anonymize(backend.url, given)
    relaxed = ks.anonymize(backend.url, {**given, "mondrian": {"mode": "relaxed"}}, replace=True)
    assert strict.classes == 2
    assert Counter(row[0] for row in backend.rows("people_anon", ["age"])) == {"30": 4, "[30,31]": 2, "31": 2}
    assert sorted(row[0] for row in backend.rows("people_anon", ["note"])) == [str(number) for number in range(8)]
    assert relaxed.classes == 3


def test_an_anonymous_table_is_cut_or_kept(backend: Database) -> None:
    given = small(backend, [(20, "red", "a"), (20, "red", "b"), (30, "blue", "c"), (30, "blue", "d")])
    report = ks.anonymize(backend.url, given)
    assert report.classes == 2
    assert any("already satisfied the policy" in warning for warning in report.warnings)
    kept = ks.anonymize(backend.url, {**given, "mondrian": {"keep_if_anonymous": True}}, replace=True)
    assert kept.to_dict()["partition"] is None
    assert Counter(backend.rows("people_anon", ["age", "colour"])) == {(20, "red"): 2, (30, "blue"): 2}


def test_weights_make_a_dimension_wider(backend: Database) -> None:
    rows = [(age, colour, f"{age}{colour}") for age in (20, 30) for colour in ("red", "blue")] * 2
    cuts = []
    for weight in (None, 3):
        given = small(backend, rows)
        if weight:
            given = with_column(given, "colour", weight=weight)
        report = ks.anonymize(backend.url, {**given, "privacy": {"k": 4}})
        cuts.append(report.to_dict()["partition"]["cuts"])
        backend.drop("people")
        backend.drop("people_anon")
    assert cuts == [{"age": 1, "colour": 0}, {"age": 0, "colour": 1}]


def test_in_place_the_table_itself_is_partitioned(backend: Database) -> None:
    given = {**small(backend), "publish": {"in_place": True}}
    report = ks.anonymize(backend.url, given, yes=True)
    assert report.status == "published"
    assert Counter(row[0] for row in backend.rows("people", ["age"])) == {None: 2, "[23,25]": 2, "[31,40]": 2, "38": 2}
    assert ks.check(backend.url, "people", quasi_identifiers=["age", "colour"], k=2).holds
    again = ks.anonymize(backend.url, given, yes=True)
    assert again.status == "unchanged"
    assert again.to_dict()["partition"]["regions"] == report.to_dict()["partition"]["regions"]


@pytest.mark.engines("duckdb")
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"age": {"output": "set"}}, "output: set is for text and booleans"),
        ({"colour": {"output": "mean"}}, "output: mean is for numbers"),
        ({"colour": {"output": "bounds"}}, "output: bounds is for numbers and dates"),
        ({"age": {"max_level": 1}}, "remove them"),
    ],
)
def test_options_that_mondrian_does_not_support_are_refused(backend: Database, changes: dict[str, Any], message: str) -> None:
    given = small(backend)
    for name, rule in changes.items():
        given = with_column(given, name, **rule)
    with pytest.raises(ks.RequestError, match=message):
        ks.anonymize(backend.url, given)
    assert backend.tables() == {"people"}


@pytest.mark.engines("duckdb")
def test_rules_are_checked_and_explained(backend: Database) -> None:
    given = small(backend)
    with pytest.raises(ks.RequestError, match=r"mondrian: unknown key 'ties' \(did you mean 'tie'\?\)"):
        ks.load_policy({**given, "mondrian": {"ties": "last"}})
    with pytest.raises(ks.RequestError, match="its regions have no cut bounds"):
        ks.load_policy({**given, "mondrian": {"mode": "relaxed", "bounds": "cuts"}})
    with pytest.raises(ks.RequestError, match="output: mean is for algorithm: mondrian"):
        ks.anonymize(backend.url, {**with_column(given, "age", output="mean"), "algorithm": "auto"})
    with pytest.raises(ks.RequestError, match="mondrian does not choose levels"):
        ks.anonymize(backend.url, given, levels={"age": 0, "colour": 0})


@pytest.mark.engines("duckdb")
def test_the_command_line_shows_rounds_regions_and_cuts(backend: Database, capsys: pytest.CaptureFixture[str]) -> None:
    small(backend)
    arguments = ["anonymize", backend.url, "people", "--qi", "age,colour", "--k", "2", "--into", "people_anon", "--algorithm", "mondrian"]
    assert kanon([*arguments, "--json"]) == 0
    reported = json.loads(capsys.readouterr().out)
    assert reported["algorithm"] == "mondrian"
    assert reported["solution"] == {"levels": {}}
    assert reported["partition"]["regions"] == 4
    assert set(reported["partition"]) == {
        "mode", "tie", "width", "bounds", "keep_if_anonymous", "rounds", "regions", "cuts", "statements",
    }  # fmt: skip
    assert kanon([*arguments, "--replace"]) == 0
    out = capsys.readouterr().out
    assert "mondrian (strict) made 3 cuts in" in out
    assert "4 regions" in out


def test_the_picture_is_the_same_on_every_engine_and_has_no_small_counts(backend: Database) -> None:
    rows = [(number % 4, float(number % 5), str(number)) for number in range(4000)] + [(49, 49.0, "rare")] * 3
    backend.create("people", {"age": "integer", "height": "double", "note": "text"}, rows)
    columns = {"age": "quasi_identifier", "height": "quasi_identifier", "note": {"role": "sensitive", "accept_unique": True}}
    given = {"table": "people", "publish": {"into": "people_anon"}, "privacy": {"k": 4}, "algorithm": "mondrian", "columns": columns}
    report = ks.anonymize(backend.url, given, picture=True)
    assert report.picture is not None
    drawn = ElementTree.fromstring(report.picture)
    shapes = [shape.attrib for shape in drawn.iter("{http://www.w3.org/2000/svg}rect")]
    assert sum(shape.get("stroke") == "#111" for shape in shapes) == report.classes
    assert sum("fill-opacity" in shape for shape in shapes) == 20  # of 21 points, one of which has 3 rows
    texts = {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert texts >= {"age (logarithmic)", "height (logarithmic)"}  # most rows lie in the lowest twentieth


def test_the_picture_is_even_where_values_are(backend: Database) -> None:
    backend.create("points", {"x": "integer", "y": "integer"}, [(number % 50, number % 40) for number in range(400)])
    columns = {"x": "quasi_identifier", "y": "quasi_identifier"}
    given = {"table": "points", "publish": {"into": "p"}, "privacy": {"k": 2}, "algorithm": "mondrian", "columns": columns}
    drawn = ElementTree.fromstring(ks.anonymize(backend.url, given, picture=True).picture or "")
    assert {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")} >= {"x", "y"}
    assert "no frame" not in (drawn.findtext("{http://www.w3.org/2000/svg}title") or "")
    backend.execute("insert into points values (null, 1), (null, 1)")
    unframed = ks.anonymize(backend.url, given, picture=True, replace=True).picture or ""
    assert "402 rows; " in unframed
    assert "rows have no frame" in unframed
    coarse = ElementTree.fromstring(ks.anonymize(backend.url, {**given, "privacy": {"k": 40}}, picture=True, replace=True).picture or "")
    assert any("fill-opacity" in shape.attrib for shape in coarse.iter("{http://www.w3.org/2000/svg}rect"))  # cells as large as k needs


@pytest.mark.engines("duckdb")
def test_the_picture_is_written_or_refused_with_a_reason(backend: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = small(backend)
    backend.create("points", {"x": "integer", "y": "integer"}, [(number % 5, number % 3) for number in range(60)])
    arguments = ["anonymize", backend.url, "points", "--qi", "x,y", "--k", "2", "--into", "points_anon"]
    arguments += ["--picture", str(tmp_path / "p.svg")]
    assert kanon([*arguments, "--algorithm", "mondrian"]) == 0
    assert (tmp_path / "p.svg").read_text().startswith("<svg")
    assert kanon([*arguments, "--algorithm", "datafly"]) == 1
    assert "cannot be drawn" in capsys.readouterr().err
    with pytest.raises(ks.RequestError, match="two quasi-identifiers that are numbers or dates"):
        ks.anonymize(backend.url, given, picture=True)
    assert kanon([*arguments, "--algorithm", "mondrian", "--qi", "x", "--replace"]) == 1
    reported = capsys.readouterr().err
    assert "two quasi-identifiers that are numbers or dates" in reported
    assert "count " not in reported  # before anything is counted
    assert backend.tables() == {"people", "points", "points_anon"}


@pytest.mark.engines("duckdb", "postgresql")
def test_nonfinite_numbers_are_at_the_ends_and_add_no_width(backend: Database) -> None:
    odd = [float("nan"), float("inf"), float("-inf")]
    rows = [(value, str(number)) for number, value in enumerate([*odd, *odd, 1.5, 1.5, 2.0, 2.0, 7.0, 7.0])]
    backend.create("people", {"height": "double", "note": "text"}, rows)
    columns = {"height": "quasi_identifier", "note": {"role": "sensitive", "accept_unique": True}}
    given = {"table": "people", "publish": {"into": "people_anon"}, "privacy": {"k": 2}, "algorithm": "mondrian", "columns": columns}
    report = ks.anonymize(backend.url, given)
    found = Counter(row[0] for row in backend.rows("people_anon", ["height"]))
    assert found == {"-Infinity": 2, "1.5": 2, "2": 2, "7": 2, "Infinity": 2, "NaN": 2}
    assert report.utility["geniloss"] == 0


@pytest.mark.engines("duckdb", "postgresql")
def test_infinite_ends_of_a_region_do_not_break_its_loss(backend: Database) -> None:
    rows = [(value, str(number)) for number, value in enumerate([float("-inf"), 1.0, 2.0, float("nan")])]
    backend.create("people", {"height": "double", "note": "text"}, rows)
    columns = {"height": "quasi_identifier", "note": {"role": "sensitive", "accept_unique": True}}
    given = {"table": "people", "publish": {"into": "people_anon"}, "privacy": {"k": 3}, "algorithm": "mondrian", "columns": columns}
    report = ks.anonymize(backend.url, given)
    assert {row[0] for row in backend.rows("people_anon", ["height"])} == {"[-Infinity,NaN]"}
    assert report.utility["geniloss"] == 1


@pytest.mark.parametrize("mode", ["strict", "relaxed"])
@pytest.mark.parametrize("publish", [{"into": "people_anon"}, {"in_place": True}])
def test_an_identifier_that_is_emptied_is_not_published(backend: Database, mode: str, publish: dict[str, Any]) -> None:
    given = small(backend)
    columns = {**given["columns"], "note": {"role": "identifier", "action": "null"}}
    ks.anonymize(backend.url, {**given, "publish": publish, "columns": columns, "mondrian": {"mode": mode}}, yes=True)
    published = backend.rows(publish.get("into", "people"), ["note"])
    assert published == [(None,)] * len(SMALL)
