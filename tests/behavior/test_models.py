"""Privacy models in addition to k: policies, reports, in place and per person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.databases import Database

import kanon_sql as ks
from kanon_sql.terminal import describe_anonymize, describe_check, describe_measure, describe_solve

COLUMNS = {"person": "text", "age": "integer", "ill": "text"}
ROWS = [(f"p{n % 9}", 20 + n % 6, ["flu", "gout", "ulcer"][n % 3]) for n in range(36)]


def policy(**changes: Any) -> dict[str, Any]:
    return {
        "table": "visits",
        "publish": {"into": "visits_anon"},
        "privacy": {"k": 3, "l_diversity": [{"column": "ill", "l": 2}]},
        "columns": {
            "person": "identifier",
            "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [2, 4]}},
            "ill": "sensitive",
        },
        **changes,
    }


MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown column": ({"l_diversity": [{"column": "il", "l": 2}]}, r"there is no column 'il' under columns \(did you mean 'ill'\?\)"),
    "quasi-identifier": (
        {"t_closeness": [{"column": "age", "t": 0.1}]},
        "'age' has the role quasi_identifier; the model needs a sensitive column",
    ),
    "impossible t": ({"t_closeness": [{"column": "ill", "t": 1.5}]}, "t must be between 0 and 1"),
    "no tree": ({"t_closeness": [{"column": "ill", "t": 0.5, "kind": "hierarchical"}]}, "needs a hierarchy"),
    "no c": ({"l_diversity": [{"column": "ill", "l": 2, "kind": "recursive"}]}, "kind: recursive needs c"),
    "nothing": ({}, "no privacy model is set"),
    "unit": ({"k": 2}, r"unit: entity needs a column that identifies persons; name it with entity: column, or write unit: row"),
    "risk": ({"average_risk": 2}, "average_risk must be above 0"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_explained(name: str) -> None:
    privacy, message = MISTAKES[name]
    changes = {"suppression": {"limit": 3, "unit": "entity"}} if name == "unit" else {}
    with pytest.raises(ks.RequestError, match=message):
        ks.load_policy(policy(privacy=privacy, **changes))


def test_more_values_than_there_are_is_explained(backend: Database) -> None:
    backend.create("visits", COLUMNS, ROWS)
    with pytest.raises(ks.RequestError, match="3 distinct values there, fewer than l = 4"):
        ks.anonymize(backend.url, policy(privacy={"l_diversity": [{"column": "ill", "l": 4}]}))
    assert backend.tables() == {"visits"}


def test_persons_in_several_classes_do_not_merge_them(backend: Database) -> None:
    # Ages 20 to 23: each class is balanced, but one person is in all of them, so together they are not; likewise from 24 on.
    rows = [(person, 20 + n, ill) for n in range(4) for person, ill in (("a", "flu"), (f"b{n}", "gout"))]
    rows += [(person, 24 + n, ill) for n in range(4) for person, ill in (("c", "gout"), (f"d{n}", "flu"))]
    given = policy(
        privacy={"k": 2, "t_closeness": [{"column": "ill", "t": 0.1}]},
        entity="person",
        columns={**policy()["columns"], "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [4, 8]}, "max_level": 1}},
    )
    backend.create("visits", COLUMNS, rows)
    for algorithm in ("auto", "flash", "ola", "incognito", "samarati", "mingen"):
        report = ks.solve(backend.url, {**given, "algorithm": algorithm})
        assert (report.levels, report.solution.search.optimal) == ({"age": 0}, True)


@pytest.mark.parametrize("in_place", [False, True])
def test_persons_are_suppressed_with_all_their_rows(backend: Database, *, in_place: bool) -> None:
    # Ages 20 and 30 have three persons each until p1, alone at 40, is gone; then 20 has two, and its persons go too.
    rows: list[tuple[Any, ...]] = [(f"p{n}", 20, "flu") for n in (1, 2, 3)]
    rows += [(f"p{n}", 30, "gout") for n in (3, 4, 5, 6, 7)]
    rows += [("p1", 40, "flu"), (None, 50, "flu"), (None, 30, "flu")]
    columns = {**policy()["columns"], "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [20]}, "max_level": 0}}
    given = policy(privacy={"k": 3}, entity="person", suppression={"limit": 6, "unit": "entity"}, columns=columns)
    if in_place:
        columns = {**columns, "person": {"role": "identifier", "action": "null"}}
        given |= {"publish": {"in_place": True}, "columns": columns}
    backend.create("visits", COLUMNS, rows)
    with pytest.raises(ks.NoSolutionError):
        ks.solve(backend.url, {**given, "suppression": {"limit": 5, "unit": "entity"}})
    report = ks.anonymize(backend.url, given, yes=in_place)
    published = backend.rows("visits" if in_place else "visits_anon")
    assert [str(row[-2]) for row in published] == ["30"] * 5
    assert (report.published_rows, report.suppressed_rows, report.k) == (5, 6, 4)


def test_a_policy_with_models_is_written_back(tmp_path: Path) -> None:
    privacy = {"k": 3, "t_closeness": [{"column": "ill", "t": 0.2, "kind": "hierarchical", "hierarchy": {"tree": {"a": ["flu"]}}}]}
    given = ks.load_policy(policy(privacy=privacy))
    (tmp_path / "policy.yml").write_text(given.to_yaml())
    assert ks.load_policy(tmp_path / "policy.yml") == given


SEVERAL = {
    "k": 2,
    "l_diversity": [{"column": "ill", "l": 2}, {"column": "cost", "l": 2, "bins": 3}],
    "t_closeness": [{"column": "ill", "t": 0.9}, {"column": "cost", "t": 0.9, "kind": "ordered"}],
}


@pytest.mark.parametrize("entity", [None, "person"])
@pytest.mark.parametrize("publish", [{"in_place": True}, {"into": "visits_anon", "replace": True}], ids=["in_place", "replace"])
def test_a_table_with_rows_is_verified_by_all_models(backend: Database, publish: dict[str, Any], entity: str | None) -> None:
    columns = {**policy()["columns"], "cost": "sensitive"}
    rows = [(*row, n % 7) for n, row in enumerate(ROWS)]
    backend.create("visits", {**COLUMNS, "cost": "integer"}, rows)
    backend.create("visits_anon", {"age": "text", "ill": "text", "cost": "integer"}, [("old", "old", 1)])
    report = ks.anonymize(backend.url, policy(privacy=SEVERAL, publish=publish, columns=columns, entity=entity), yes=True)
    assert report.published_rows == 36
    table = "visits" if "in_place" in publish else "visits_anon"
    counted = ks.check(backend.url, table, policy=policy(privacy=SEVERAL, columns=columns))
    assert counted.holds
    assert entity or counted.to_dict()["privacy"] == report.to_dict()["privacy"]


def test_a_run_reports_the_cost_of_the_model(backend: Database) -> None:
    backend.create("visits", COLUMNS, ROWS)
    report = ks.anonymize(backend.url, policy())
    reported = report.to_dict()
    assert reported["privacy"]["l_diversity"] == [{"column": "ill", "kind": "distinct", "reached": 2.0}]  # two ages per class
    assert reported["price_of_models"]["compared"]
    assert reported["utility"]["geniloss"] > reported["price_of_models"]["cost"]["geniloss"] == 0


NUMBERS = ("a", "b", "c", "d")


def many_nodes(**changes: Any) -> dict[str, Any]:
    """Return a policy whose lattice has 2,401 nodes."""
    ruled = {"role": "quasi_identifier", "hierarchy": {"intervals": [2, 4, 8, 16, 32]}}
    columns = {**dict.fromkeys(NUMBERS, ruled), "ill": "sensitive"}
    return {**policy(columns=columns, privacy={"k": 3, "l_diversity": [{"column": "ill", "l": 3}]}), "suppression": 0.1, **changes}


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the time limit of the search for k alone, so a busy machine does not change the result."""
    monkeypatch.setattr("kanon_sql.commands.comparison.LEAST_SECONDS", 3600.0)


@pytest.mark.parametrize("algorithm", ["auto", "incognito", "samarati", "datafly"])
def test_the_cost_of_models_is_reported_for_large_lattices(backend: Database, algorithm: str) -> None:
    rows = [(n % 40, n * 7 % 32, n * 11 % 24, n * 5 % 48, ["flu", "gout", "ulcer"][n * n // 2 % 3]) for n in range(120)]
    backend.create("visits", {**dict.fromkeys(NUMBERS, "integer"), "ill": "text"}, rows)
    found = ks.solve(backend.url, many_nodes(algorithm=algorithm)).to_dict()
    alone = ks.solve(backend.url, many_nodes(algorithm=algorithm, privacy={"k": 3})).to_dict()
    assert found["nodes"]["total"] > 1000
    price = found["price_of_models"]
    assert price["compared"]
    assert price["cost"]["geniloss"] == pytest.approx(alone["cost"]["geniloss"], abs=1e-9)
    assert price["suppressed"] == alone["expected"]["suppressed"]
    assert alone["price_of_models"] is None


def test_an_unknown_cost_of_models_is_reported_as_unknown(backend: Database) -> None:
    backend.create("visits", COLUMNS, ROWS)
    rushed = ks.solve(backend.url, policy(time_budget="1ms", algorithm="flash")).to_dict()
    assert rushed["optimal"] or "not proven optimal" in rushed["price_of_models"]["reason"]
    risk = policy(privacy={"k": 2, "average_risk": 0.5}, algorithm="mondrian")
    assert "cut the table twice" in ks.solve(backend.url, risk).to_dict()["price_of_models"]["reason"]


def test_models_are_described_in_words(backend: Database) -> None:
    backend.create("visits", COLUMNS, ROWS)
    reported = describe_anonymize(
        ks.anonymize(backend.url, policy(privacy={"average_risk": 0.5, "l_diversity": {"column": "ill", "l": 2}}))
    )
    assert "2-diversity of ill: every class has at least 2 distinct values; smallest of a class 2." in reported
    assert "an average risk of at most 0.5: 0.0833333 classes per published row." in reported
    assert "2-diversity of ill and an average risk of at most 0.5 raised geniloss from 0 to" in reported
    assert "(none required)" in reported


@pytest.mark.parametrize("publish", [{"in_place": True}, {"into": "visits_anon"}], ids=["in_place", "into"])
def test_persons_leave_no_trace(backend: Database, publish: dict[str, Any]) -> None:
    backend.create("visits", COLUMNS, ROWS)
    report = ks.anonymize(backend.url, policy(entity="person", privacy={"k": 9}, publish=publish), yes=True)
    assert report.k == 9
    table = "visits" if "in_place" in publish else "visits_anon"
    assert {len(row) for row in backend.rows(table)} == {2}
    with pytest.raises(ks.RequestError, match="persons cannot be counted"):
        ks.check(backend.url, table, policy=policy(entity="person"))


@pytest.mark.parametrize("person", ["identifier", "insensitive"])
def test_a_run_reports_the_cost_of_counting_persons(backend: Database, person: str) -> None:
    backend.create("visits", COLUMNS, ROWS)
    report = ks.solve(backend.url, policy(entity="person", columns={**policy()["columns"], "person": person}))
    assert report.to_dict()["combinations"] == {"rows": 6, "persons": len({row[:2] for row in ROWS})}
    assert "The search counted 18 combinations with persons instead of 6 combinations" in describe_solve(report, None)


@pytest.mark.parametrize("person", ["identifier", "insensitive"])
def test_measure_reports_the_values_of_models(backend: Database, person: str) -> None:
    backend.create("visits", COLUMNS, ROWS)
    several = {"k": 3, "l_diversity": [{"column": "ill", "l": 2}], "t_closeness": [{"column": "ill", "t": 0.5}], "average_risk": 0.5}
    given = policy(privacy=several, columns={**policy()["columns"], "person": person})
    published = ks.anonymize(backend.url, given).to_dict()["privacy"]
    measured = ks.measure(backend.url, given)
    assert measured.to_dict()["privacy"] == published
    assert "an average risk of at most 0.5: 0.0833333 classes per published row." in describe_measure(measured)
    reported = ks.measure(backend.url, {**given, "entity": "person"}).to_dict()
    assert ("l_diversity" in reported["privacy"]) == (person == "insensitive")
    assert [missing["reason"] for missing in reported["not_computed"] if missing["metric"] == "t_closeness"] == (
        ["persons cannot be counted without column 'person'"] if person == "identifier" else []
    )


def test_a_check_compares_with_the_rows_that_were_read(backend: Database) -> None:
    backend.create("visits", COLUMNS, [*ROWS, *[("x", 99, "gout")] * 60])
    given = policy(where="age < 99", privacy={"k": 2, "t_closeness": [{"column": "ill", "t": 0.4}]})
    published = ks.anonymize(backend.url, given).to_dict()
    report = ks.check(backend.url, "visits_anon", policy=given, source="visits")
    assert report.holds
    assert report.to_dict()["privacy"] == published["privacy"]
    assert "Reference distribution: visits, the rows that the policy's where reads." in describe_check(report)
    assert report.to_dict()["reference_condition"]
    assert not ks.check(backend.url, "visits_anon", policy={**given, "where": "age > 0"}, source="visits").holds


@pytest.mark.parametrize("model", [{"t_closeness": {"t": 1}}, {"delta_disclosure": {"delta": 9}}, {"beta_likeness": {"beta": 9}}])
@pytest.mark.parametrize("entity", [None, "person"])
def test_null_needs_a_reference_too(backend: Database, model: dict[str, Any], entity: str | None) -> None:
    backend.create("visits", COLUMNS, ROWS)
    backend.create("visits_anon", COLUMNS, [*ROWS, ("p1", 20, None), (None, 20, None)])
    ((name, rule),) = model.items()
    columns = {**policy()["columns"], "person": "insensitive"}
    asked = policy(privacy={"k": 2, name: [{"column": "ill", **rule}]}, entity=entity, columns=columns)
    reported = ks.check(backend.url, "visits_anon", policy=asked, source="visits").to_dict()
    assert (reported["holds"], reported["unknown_rows"]) == (False, 1 if entity else 2)  # who is nobody counts nowhere
    diverse = {**asked, "privacy": {"k": 2, "l_diversity": [{"column": "ill", "l": 1}]}}
    assert ks.check(backend.url, "visits_anon", policy=diverse, source="visits").holds


def test_a_check_needs_a_reference_that_has_all_values(backend: Database) -> None:
    backend.create("visits", COLUMNS, ROWS)
    backend.create("visits_anon", COLUMNS, [*ROWS, ("x", 20, "new")])
    asked = policy(privacy={"k": 2, "t_closeness": [{"column": "ill", "t": 1}]})
    report = ks.check(backend.url, "visits_anon", policy=asked, source="visits")
    assert not report.holds
    assert report.to_dict()["unknown_rows"] == 1
    assert ks.check(backend.url, "visits_anon", policy=asked).holds
