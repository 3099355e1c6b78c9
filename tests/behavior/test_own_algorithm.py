"""Algorithms that the package does not know assign combinations to classes: all stages work on what they return."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.databases import Database
from support.own_algorithms import OWN

import kanon_sql as ks
from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.terminal.runs import describe_anonymize, describe_solve

PEOPLE = [
    (21, "1010", "flu", "a"), (21, "1010", "cold", "b"), (23, "1010", "flu", "c"), (27, "1020", "flu", "d"), (28, "1020", "cold", "e"),
    (34, "2010", "flu", "f"), (34, "2010", "cold", "g"), (36, "2020", "cold", "h"), (None, "2020", "flu", "i"), (51, None, "flu", "j"),
]  # fmt: skip


def ladder_of_age(age: int | None) -> tuple[str | None, ...]:
    return (None, None, "*") if age is None else (str(age), f"[{age // 10 * 10},{age // 10 * 10 + 10})", "*")


def ladder_of_zip(text: str | None) -> tuple[str | None, ...]:
    return (None, None, "*") if text is None else (text, text[:2] + "##", "*")


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, algorithm in OWN.items():
        monkeypatch.setitem(ALGORITHMS, name, algorithm)


def policy(backend: Database, algorithm: str, rows: list[Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A table of people, and the policy for it."""
    backend.create("people", {"age": "integer", "zip": "text", "illness": "text", "note": "text"}, PEOPLE if rows is None else rows)
    quasi = "quasi_identifier"
    columns = {
        "age": {"role": quasi, "hierarchy": {"intervals": [10]}},
        "zip": {"role": quasi, "hierarchy": {"mask": {"char": "#", "hide": [2]}}},
        "illness": "sensitive",
        "note": {"role": "sensitive", "accept_unique": True},
    }
    base = {"table": "people", "publish": {"into": "people_anon"}, "privacy": {"k": 2}, "algorithm": algorithm, "columns": columns}
    return {**base, **changes}


def recount(backend: Database, table: str, rows: list[Any], k: int) -> Counter[Any]:
    """The published classes: each has k rows, and every cell is on the ladder of its source value."""
    published = backend.rows(table, ["age", "zip", "note"])
    source = {note: (age, text) for age, text, _, note in rows}
    for age, text, note in published:
        assert (None if age is None else str(age)) in ladder_of_age(source[note][0])
        assert text in ladder_of_zip(source[note][1])
    classes = Counter((age, text) for age, text, _ in published)
    assert min(classes.values()) >= k
    return classes


CLASSES = {
    "merging": {("[20,30)", "1010"): 3, ("[20,30)", "1020"): 2, ("*", "2020"): 2, ("*", "*"): 3},
    "refining": {("[20,30)", "1010"): 3, ("[20,30)", "1020"): 2, ("[30,40)", "20##"): 3},
    "blanking": {("21", "1010"): 2, ("34", "2010"): 2, ("*", "1020"): 2, ("*", "2020"): 2, ("*", "*"): 2},
}


@pytest.mark.parametrize("algorithm", CLASSES)
def test_classes_are_published_measured_and_reported(backend: Database, algorithm: str) -> None:
    given = policy(backend, algorithm, suppression=0.2)
    report = ks.anonymize(backend.url, given)
    classes = recount(backend, "people_anon", PEOPLE, 2)
    assert classes == CLASSES[algorithm]
    lost = 10 - classes.total()
    assert (report.classes, report.published_rows, report.suppressed_rows, report.k) == (len(classes), 10 - lost, lost, 2)
    assert report.levels == {}
    if algorithm == "blanking":  # a cell is a value or lost
        blank = [sum(rows for labels, rows in classes.items() if labels[place] == "*") for place in (0, 1)]
        found = report.utility["per_column"]
        assert [found[name]["nllm"] for name in ("age", "zip")] == [pytest.approx(rows / 10) for rows in blank]
    shown = report.to_dict()
    assert (shown["algorithm"], shown["partition"], shown["optimal_reason"]) == (algorithm, None, "it is for tests")
    assert algorithm in describe_anonymize(report)
    assert ks.check(backend.url, "people_anon", quasi_identifiers=["age", "zip"], k=2).holds
    assert backend.tables() == {"people", "people_anon"}
    stages = ("count", "search", "recode", "measure", "publish")
    reading = [s.template for s in report.statements if "people" in s.sql and s.stage in stages and not s.template.startswith("profile/")]
    assert [name.split("/")[0] for name in reading] == ["count", "publish"]


@pytest.mark.parametrize("algorithm", CLASSES)
def test_classes_are_published_in_place_and_known_again(backend: Database, algorithm: str) -> None:
    given = policy(backend, algorithm, suppression=0.2, publish={"in_place": True})
    report = ks.anonymize(backend.url, given, yes=True)
    assert recount(backend, "people", PEOPLE, 2) == CLASSES[algorithm]
    again = ks.anonymize(backend.url, given, yes=True)
    assert (again.status, again.levels, again.suppressed_rows) == ("unchanged", {}, report.suppressed_rows)
    assert again.to_dict()["optimal_reason"] == "it is for tests"
    assert algorithm in describe_anonymize(again)


def test_single_cells_are_suppressed_as_defined(backend: Database) -> None:
    """A worked example with k = 2 at level 0: 2 blank cells, 1 row lost, NLLM 0.4."""
    backend.create("t", {"gender": "text", "age": "integer"}, [("M", 19), ("F", 24), ("M", 20), ("M", 20), ("M", 24)])
    suppress = {"role": "quasi_identifier", "hierarchy": "suppress"}
    given = {"table": "t", "publish": {"into": "t_anon"}, "privacy": {"k": 2}, "suppression": 0.2, "algorithm": "blanking"}
    report = ks.anonymize(backend.url, {**given, "columns": {"gender": suppress, "age": suppress}})
    assert Counter(backend.rows("t_anon", ["gender", "age"])) == {("M", "20"): 2, ("*", "24"): 2}
    assert report.suppressed_rows == 1
    assert report.utility["nllm"] == pytest.approx(0.4)


def test_a_column_that_no_class_generalizes_keeps_its_type(backend: Database) -> None:
    rows = [(30, f"10{number % 2}0", "flu", str(number)) for number in range(4)] + [(30, "1090", "flu", "9")]
    ks.anonymize(backend.url, policy(backend, "merging", rows))
    assert {age for (age,) in backend.rows("people_anon", ["age"])} == {30}
    assert recount(backend, "people_anon", rows, 2).total() == 5


@pytest.mark.parametrize("entity", [{}, {"entity": "note"}])
def test_other_models_are_judged_by_recode(backend: Database, entity: dict[str, Any]) -> None:
    privacy = {"k": 2, "l_diversity": [{"column": "illness", "l": 2}]}
    report = ks.anonymize(backend.url, policy(backend, "merging", privacy=privacy, **entity))
    assert recount(backend, "people_anon", PEOPLE, 2) == CLASSES["merging"]
    assert report.to_dict()["privacy"]["k"] == 2
    backend.drop("people")
    alike = [(age, text, "flu" if text == "1020" else illness, note) for age, text, illness, note in PEOPLE]
    given = policy(backend, "merging", alike, privacy=privacy, publish={"into": "other"}, **entity)
    with pytest.raises(ks.NoSolutionError, match=r"2 rows are in such classes that violate the policy"):
        ks.anonymize(backend.url, given)
    assert "other" not in backend.tables()


def test_labels_that_do_not_cover_their_values_are_refused(backend: Database) -> None:
    with pytest.raises(ks.KanonError, match=r"labels of 7 combinations do not cover their values; nothing was published"):
        ks.anonymize(backend.url, policy(backend, "lying"))
    assert backend.tables() == {"people"}


def test_more_suppressed_rows_than_allowed_are_refused(backend: Database) -> None:
    with pytest.raises(ks.NoSolutionError, match="2 rows fail, and the suppression limit allows 1"):
        ks.anonymize(backend.url, policy(backend, "refining", suppression=0.1))
    assert backend.tables() == {"people"}


def test_traits_decide_what_can_be_asked_for(backend: Database, tmp_path: Path) -> None:
    given = policy(backend, "merging")
    solved = ks.solve(backend.url, given)
    assert solved.plan.expected["classes"] == 4
    assert "the solution would publish 10 of 10 rows" in describe_solve(solved, None)
    with pytest.raises(ks.RequestError, match="this solution cannot be saved as a plan"):
        solved.plan.write(tmp_path / "plan.yml")
    assert ks.anonymize(backend.url, given, dry_run=True).classes == 4
    with pytest.raises(ks.RequestError, match="merging does not choose levels"):
        ks.anonymize(backend.url, given, levels={"age": 0, "zip": 0})
    with pytest.raises(ks.RequestError, match="cannot be drawn; write algorithm: mondrian"):
        ks.anonymize(backend.url, given, picture=True)
    with pytest.raises(ks.RequestError, match="merging does not choose levels"):
        ks.explain(backend.url, given)
    with pytest.raises(ks.RequestError, match="suppresses single rows; write unit: row"):
        ks.load_policy({**given, "entity": "note", "suppression": {"limit": 0.1, "unit": "entity"}})
    bounds = {**given["columns"], "age": {**given["columns"]["age"], "output": "bounds"}}
    with pytest.raises(ks.RequestError, match="output: bounds is for algorithm: auto"):
        ks.anonymize(backend.url, {**given, "columns": bounds})
    assert backend.tables() == {"people"}
