"""Searches on every engine: reports, refused requests, plans, given levels and time budgets."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from support.comparisons import rounded
from support.databases import Database
from support.people import COLUMNS, EDUCATION, enumerated, load, make_people, policy_of_few, write_education

import kanon_sql as ks
from kanon_sql.backends import Backend
from kanon_sql.backends.postgresql import PostgreSQLBackend
from kanon_sql.cli import run
from kanon_sql.models import KAnonymity

QUASI = "quasi_identifier"
FEW = ("age", "zip", "smoker", "education")


def few_columns(**changes: Any) -> dict[str, Any]:
    """Return the people with four quasi-identifiers: 5 · 5 · 2 · 3 = 150 nodes."""
    return policy_of_few(FEW, **changes)


@pytest.fixture
def people(backend: Database) -> list[tuple[Any, ...]]:
    return make_people(backend, 120)


def test_auto_is_the_default_and_reports_its_choice(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    given = few_columns()
    wanted = enumerated(people, given)
    del given["algorithm"]
    document = ks.anonymize(backend.url, load(given, tmp_path)).to_dict()
    assert document["algorithm"] == "flash"
    assert "150 nodes" in document["algorithm_reason"]
    assert document["optimal"] is True
    assert set(document["nodes"]) == {"total", "checked", "inferred", "pruned"}
    assert document["nodes"]["total"] == 150 > document["nodes"]["checked"]
    best = wanted.best(["geniloss"])
    assert best is not None
    assert tuple(document["solution"]["levels"].values()) == best
    assert document["cost"]["geniloss"] == pytest.approx(document["utility"]["geniloss"], rel=1e-9)
    for minimal in document["minimal"]:
        node = tuple(minimal["levels"].values())
        assert node in wanted.minimal
        assert minimal["cost"] == pytest.approx(wanted.nodes[node].values["geniloss"], rel=1e-9)


def test_a_search_reads_temporary_tables_in_few_statements(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    for algorithm, most in (("mingen", 30), ("incognito", 40), ("ola", 40), ("flash", 20), ("samarati", 30)):
        report = ks.solve(backend.url, load({**few_columns(), "algorithm": algorithm}, tmp_path))
        ending = ("workspace/ddl/drop_temporary_tables", "rollback")
        run_in_search = [s for s in report.statements if s.stage == "search" and s.template not in ending]
        asked = [statement for statement in run_in_search if statement.template in ("evaluate/class_sizes", "metrics/cells")]
        assert asked == run_in_search
        assert not any("people" in statement.sql for statement in asked)
        assert len(asked) <= most, algorithm


@pytest.mark.parametrize("algorithm", ["flash", "ola", "incognito", "mingen"])
def test_smaller_sets_give_the_same_results(
    backend: Database, people: list[tuple[Any, ...]], tmp_path: Path, algorithm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {**few_columns(), "algorithm": algorithm, "cost": ["cm", "geniloss"]}
    direct = ks.solve(backend.url, load(given, tmp_path))
    monkeypatch.setattr("kanon_sql.stages.evaluate.rollups.WORTH_IT", 0)
    for engine in (Backend, PostgreSQLBackend):
        monkeypatch.setattr(engine, "rollup_scans", 0)
        monkeypatch.setattr(engine, "rollup_shrinks", 1)
    report = ks.solve(backend.url, load(given, tmp_path))
    assert any(statement.template == "evaluate/rollup" for statement in report.statements)
    keys = ("solution", "nodes", "minimal", "expected")
    assert [rounded(report.to_dict()[key]) for key in keys] == [rounded(direct.to_dict()[key]) for key in keys]


@pytest.mark.parametrize("algorithm", ["flash", "samarati", "mingen", "datafly"])
def test_slices_of_classes_give_the_same_solution(
    backend: Database, people: list[tuple[Any, ...]], tmp_path: Path, algorithm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {**few_columns(), "algorithm": algorithm}
    direct = ks.solve(backend.url, load(given, tmp_path))
    for limit in ("WORTH_IT", "CROWDED", "LABELS"):
        monkeypatch.setattr(f"kanon_sql.stages.evaluate.slices.{limit}", 0)
    report = ks.solve(backend.url, load(given, tmp_path))
    assert any(" % " in s.sql or "MOD(" in s.sql for s in report.statements if s.template == "evaluate/class_sizes")
    keys = ("solution", "nodes", "minimal", "expected")
    assert [rounded(report.to_dict()[key]) for key in keys] == [rounded(direct.to_dict()[key]) for key in keys]


def test_nodes_that_cannot_be_inferred_are_checked(
    backend: Database, people: list[tuple[Any, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = few_columns()
    wanted = enumerated(people, given)
    monkeypatch.setattr(KAnonymity, "inherits", lambda self, *, suppresses, persons: False)
    for algorithm in ("flash", "ola", "incognito", "mingen", "samarati"):
        report = ks.solve(backend.url, load({**given, "algorithm": algorithm}, tmp_path))
        best = wanted.lowest_best(["geniloss"]) if algorithm == "samarati" else wanted.best(["geniloss"])
        assert tuple(report.levels.values()) == best


def test_named_levels_are_checked_and_published(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    given = few_columns()
    wanted = enumerated(people, given)
    node = max(wanted.minimal)
    levels = dict(zip(FEW, node, strict=True))
    report = ks.anonymize(backend.url, load(given, tmp_path), levels=levels)
    assert report.levels == levels
    assert report.suppressed_rows == wanted.nodes[node].failing_rows
    assert report.to_dict()["optimal"] is False
    with pytest.raises(ks.NoSolutionError, match=r"the given levels do not satisfy the policy with the current rows: \d+ rows fail"):
        ks.anonymize(backend.url, load(given, tmp_path), levels=dict.fromkeys(FEW, 0), replace=True)
    for wrong, message in (
        ({**levels, "agee": 1}, r"not a quasi-identifier: 'agee' \(did you mean 'age'\?\)"),
        ({"age": 1}, "no level for 'zip', 'smoker', 'education'"),
        ({**levels, "age": 9}, "age=9 is not allowed; its levels are 0 to 4"),
    ):
        with pytest.raises(ks.RequestError, match=message):
            ks.anonymize(backend.url, load(given, tmp_path), levels=wrong, replace=True)


def test_a_policy_that_no_node_meets_is_explained(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    given = few_columns(suppression=2)
    given["columns"]["age"] = {**given["columns"]["age"], "max_level": 1}
    given["columns"]["zip"] = {**given["columns"]["zip"], "max_level": 3}
    wanted = enumerated(people, given)
    top = (1, 3, 1, 2)
    assert not wanted.accepted
    failing = wanted.nodes[top].failing_rows
    for algorithm in ("auto", "flash", "ola", "incognito", "mingen", "samarati", "datafly"):
        with pytest.raises(ks.NoSolutionError) as raised:
            ks.anonymize(backend.url, load({**given, "algorithm": algorithm}, tmp_path))
        message = str(raised.value)
        assert f"even at the highest allowed levels (age=1, zip=3, smoker=1, education=2), {failing} rows fail" in message
        assert f"the highest reachable k is {reachable_k(people, given)}" in message
        assert f"a suppression limit of {failing} rows" in message
        assert "max_level: 1 of column 'age'" in message
    assert backend.tables() == {"people"}


def test_limits_that_help_only_together_are_named(backend: Database) -> None:
    backend.create("t", {"a": "integer", "b": "integer"}, [(n, n) for n in range(20)])
    rule = {"role": QUASI, "hierarchy": {"intervals": [2]}, "max_level": 1}
    given = {"table": "t", "publish": {"into": "t_anon"}, "privacy": {"k": 5}, "columns": {"a": rule, "b": rule}}
    with pytest.raises(ks.NoSolutionError) as raised:
        ks.anonymize(backend.url, given)
    assert "What would help: raising or removing max_level of several of the columns 'a', 'b'. Nothing" in str(raised.value)


def reachable_k(rows: list[tuple[Any, ...]], given: dict[str, Any]) -> int:
    k = 1
    while enumerated(rows, {**given, "privacy": {"k": k + 1}}).accepted:
        k += 1
    return k


def test_a_lattice_of_one_node(backend: Database) -> None:
    backend.create("same", {"a": "integer", "b": "text"}, [(1, None)] * 4)
    rule = {"role": QUASI, "hierarchy": "suppress", "max_level": 0}
    given = {"table": "same", "publish": {"into": "same_anon", "replace": True}, "privacy": {"k": 4}, "columns": {"a": rule, "b": rule}}
    for algorithm in ("auto", "flash", "ola", "incognito", "mingen", "samarati", "datafly"):
        report = ks.anonymize(backend.url, {**given, "algorithm": algorithm})
        assert report.levels == {"a": 0, "b": 0}
        assert report.to_dict()["nodes"] == {"total": 1, "checked": 1, "inferred": 0, "pruned": 0}
    free: dict[str, Any] = {**given, "columns": {"a": QUASI, "b": QUASI}}
    assert ks.anonymize(backend.url, free).levels == {"a": 0, "b": 0}


def test_limits_beyond_a_hierarchy_are_refused(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    for key in ("min_level", "max_level"):
        given = few_columns()
        given["columns"]["age"] = {**given["columns"]["age"], key: 5}
        with pytest.raises(ks.RequestError, match=f"columns.age: {key} is 5, but its hierarchy has levels 0 to 4"):
            ks.anonymize(backend.url, load(given, tmp_path))


def wide_table(backend: Database) -> dict[str, Any]:
    """Return fifteen quasi-identifiers with heights of 3 to 6: billions of nodes."""
    columns = {f"c{number}": "integer" for number in range(15)}
    random = Random(7)
    rows = [tuple(random.randrange(97) for _ in columns) for _ in range(1000)]
    backend.create("wide", columns, rows)
    widths = [[2, 6], [3, 9, 27], [2, 4, 8, 16], [2, 4, 8, 16, 32]]
    rules = {name: {"role": QUASI, "hierarchy": {"intervals": widths[place % 4]}} for place, name in enumerate(columns)}
    return {"table": "wide", "publish": {"into": "wide_anon"}, "privacy": {"k": 3}, "suppression": 0.1, "columns": rules}


def test_a_huge_lattice_ends_within_its_budget(backend: Database) -> None:
    given = {**wide_table(backend), "time_budget": "1ms"}  # what one round takes at least
    report = ks.solve(backend.url, given)
    document = report.to_dict()
    assert document["nodes"]["total"] > 10**9
    assert document["optimal"] is False
    assert "time budget of 0.001 s" in document["optimal_reason"]
    assert document["bound"] <= document["cost"]["geniloss"]
    assert report.plan.expected["suppressed"] <= 100
    assert report.plan.expected["k"] >= 3
    greedy = ks.solve(backend.url, {**given, "algorithm": "datafly"})
    assert document["cost"]["geniloss"] <= greedy.to_dict()["cost"]["geniloss"]


@pytest.mark.parametrize("algorithm", ["flash", "ola", "incognito", "mingen", "samarati"])
def test_a_budget_that_is_too_short_still_returns_a_node(
    backend: Database, people: list[tuple[Any, ...]], tmp_path: Path, algorithm: str
) -> None:
    given = {**few_columns(), "algorithm": algorithm, "time_budget": "0.001ms"}
    document = ks.anonymize(backend.url, load(given, tmp_path)).to_dict()
    assert document["optimal"] is False
    assert "nodes open, none of which can have a better geniloss than" in document["optimal_reason"]
    assert document["bound"] <= document["cost"]["geniloss"]
    assert document["privacy"]["k"] >= 3


def test_a_plan_is_published_after_a_check(
    backend: Database, people: list[tuple[Any, ...]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, plans = write_education(tmp_path), tmp_path / "plans"
    plans.mkdir()
    file, plan = folder / "people.yml", plans / "plan.yml"
    file.write_text(yaml.safe_dump(few_columns(), sort_keys=False))
    assert run(["solve", backend.url, "--policy", str(file), "-o", str(plan), "--json", "--quiet"]) == 0
    solved = json.loads(capsys.readouterr().out)
    assert backend.tables() == {"people"}
    content = yaml.safe_load(plan.read_text())
    assert content["table"] == "people"
    assert content["levels"] == solved["solution"]["levels"]
    assert set(content["hashes"]) == {"policy", "hierarchies", "schema"}
    assert run(["anonymize", backend.url, "--plan", str(plan), "--json", "--quiet"]) == 0
    published = json.loads(capsys.readouterr().out)
    assert published["solution"] == solved["solution"]
    for key, value in (("rows", "published"), ("suppressed", "suppressed"), ("classes", "classes")):
        assert published["published"][key] == content["expected"][value]
    assert published["privacy"]["k"] == content["expected"]["k"]
    assert run(["anonymize", backend.url, "--plan", str(plan), "--policy", str(file), "--replace", "--quiet"]) == 0


def planned(backend: Database, folder: Path) -> tuple[ks.Plan, dict[str, Any]]:
    given = few_columns()
    ks.solve(backend.url, load(given, folder)).plan.write(folder / "plan.yml", policy_folder=folder)
    return ks.read_plan(folder / "plan.yml"), given


def test_a_plan_that_does_not_fit_is_refused(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    plan, given = planned(backend, tmp_path)
    cases = {
        "the policy changed": {**given, "privacy": {"k": 4}},
        "a hierarchy changed": {**given, "columns": {**given["columns"], "age": {"role": QUASI, "hierarchy": {"intervals": [5, 10, 40]}}}},
        "the plan is for table people": {**given, "table": "others"},
    }
    backend.create("others", COLUMNS, people)
    for message, changed in cases.items():
        with pytest.raises(ks.RequestError, match=message):
            ks.anonymize(backend.url, load(changed, tmp_path), plan=plan)
    (tmp_path / "education.csv").write_text("\n".join(";".join([*line[:1], "any", "*"]) for line in EDUCATION))
    with pytest.raises(ks.RequestError, match="a hierarchy changed"):
        ks.anonymize(backend.url, ks.load_policy(given, folder=tmp_path), plan=plan)
    with pytest.raises(ks.RequestError, match="either a plan or levels"):
        ks.anonymize(backend.url, load(given, tmp_path), plan=plan, levels=plan.levels)
    assert backend.tables() == {"people", "others"}


def test_a_plan_that_no_longer_holds_is_refused(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    plan, given = planned(backend, tmp_path)
    backend.drop("people")
    backend.create("people", COLUMNS, people[:15])
    with pytest.raises(ks.NoSolutionError, match=r"the plan does not satisfy the policy with the current rows: \d+ rows fail"):
        ks.anonymize(backend.url, load(given, tmp_path), plan=plan)
    assert backend.tables() == {"people"}


BROKEN_PLANS = {
    "no YAML": ("levels: [", ", line 1"),
    "no plan": ("table: people\n", "is not a plan: it must hold exactly table"),
    "levels as text": (
        "{table: t, algorithm: ola, levels: {a: one}, types: {}, expected: {}, hashes: {}, policy: {}}",
        "levels must map each quasi-identifier",
    ),
    "no hashes": ("{table: t, algorithm: ola, levels: {a: 1}, types: {}, expected: {}, hashes: {}, policy: {}}", "hashes must hold policy"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN_PLANS)
@pytest.mark.engines("duckdb")
def test_a_broken_plan_is_explained(backend: Database, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text, message = BROKEN_PLANS[name]
    (tmp_path / "plan.yml").write_text(text)
    assert run(["anonymize", backend.url, "--plan", str(tmp_path / "plan.yml")]) == 1
    assert message in capsys.readouterr().err


def test_the_command_line_of_a_search(backend: Database, people: list[tuple[Any, ...]], capsys: pytest.CaptureFixture[str]) -> None:
    base = ["solve", backend.url, "people", "--qi", "age,smoker,education", "--sensitive", "diagnosis", "--k", "4", "--quiet"]
    assert run([*base, "--algorithm", "ola", "--cost", "dm,geniloss", "--suppression", "0.05", "--time-budget", "1m", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["algorithm"] == "ola"
    assert list(document["cost"]) == ["dm", "geniloss"]
    assert document["policy"]["time_budget"] == 60
    assert run(base) == 0
    shown = capsys.readouterr().out
    assert "auto chose" in shown
    assert "Minimal accepted nodes" in shown
    assert "Nothing was published." in shown
    for wrong, message in (
        (["--algorithm", "olaf"], "did you mean 'ola'?"),
        (["--cost", "genilos"], "did you mean 'geniloss'?"),
        (["--cost", "dm,dm"], "listed twice"),
        (["--time-budget", "soon"], "must be a duration such as 60s"),
    ):
        assert run([*base, *wrong]) == 1
        assert message in capsys.readouterr().err
    assert run(["anonymize", backend.url, "people", "--qi", "age", "--k", "4", "--into", "x", "--levels", "age"]) == 1
    assert "--levels cannot be read" in capsys.readouterr().err
    assert backend.tables() == {"people"}


def test_the_label_of_cm(backend: Database, people: list[tuple[Any, ...]], tmp_path: Path) -> None:
    given = {**few_columns(), "cost": "cm"}
    by_first_sensitive = ks.anonymize(backend.url, load(given, tmp_path))
    wanted = enumerated(people, given)
    node = tuple(by_first_sensitive.levels.values())
    assert node == wanted.best(["cm"])
    assert by_first_sensitive.utility["cm"] == wanted.nodes[node].values["cm"]
    by_name = {**given, "label": "ward", "publish": {"into": "people_anon", "replace": True}}
    report = ks.anonymize(backend.url, load(by_name, tmp_path))
    wanted = enumerated(people, by_name)
    assert report.utility["cm"] == wanted.nodes[tuple(report.levels.values())].values["cm"]
    with pytest.raises(ks.RequestError, match="no column 'wart'"):
        ks.anonymize(backend.url, load({**by_name, "label": "wart"}, tmp_path))
    nothing_sensitive = {**given, "columns": {**given["columns"], "diagnosis": "insensitive"}}
    with pytest.raises(ks.RequestError, match="cm needs a label column"):
        load(nothing_sensitive, tmp_path)
