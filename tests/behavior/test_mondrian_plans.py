"""Plans of Mondrian on every engine: cuts saved in a file, applied to current rows, published with their bounds; types in plans."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.databases import Database
from support.people import COLUMNS, make_people, policy, write_education

import kanon_sql as ks
from kanon_sql.cli import run

QUASI = "quasi_identifier"
ROWS = [(number % 17 + 20, ("red", "blue", "green", None)[number % 4], str(number)) for number in range(60)]


def ages(backend: Database, rows: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    backend.drop("people")
    backend.create("people", {"age": "integer", "colour": "text", "note": "text"}, ROWS if rows is None else rows)
    return {
        "table": "people", "publish": {"into": "people_anon", "replace": True}, "privacy": {"k": 3}, "algorithm": "mondrian",
        "columns": {"age": QUASI, "colour": QUASI, "note": {"role": "sensitive", "accept_unique": True}}, **more,
    }  # fmt: skip


def saved(backend: Database, given: Any, folder: Path) -> ks.Plan:
    ks.solve(backend.url, given).plan.write(folder / "plan.yml", policy_folder=folder)
    return ks.read_plan(folder / "plan.yml")


def test_a_plan_of_every_kind_of_column_gives_what_cut_bounds_give(backend: Database, tmp_path: Path) -> None:
    make_people(backend, 120)
    given = policy(algorithm="mondrian", suppression=0, mondrian={"bounds": "cuts"})
    given["columns"]["zip"] = QUASI
    checked = ks.load_policy(given, folder=write_education(tmp_path))
    plan = saved(backend, checked, tmp_path)
    assert plan.cuts
    names = list(plan.types)
    ks.anonymize(backend.url, checked)
    directly = Counter(backend.rows("people_anon", names))
    report = ks.anonymize(backend.url, checked, plan=plan, replace=True)
    assert Counter(backend.rows("people_anon", names)) == directly
    assert report.solution.algorithm == "plan"
    assert set(names) < set(COLUMNS)
    assert report.classes == len(set(backend.rows("people_anon", list(checked.quasi_identifiers))))


def test_the_cuts_apply_to_other_rows_and_keep_their_bounds(backend: Database, tmp_path: Path) -> None:
    given = ages(backend)
    assert run(["solve", backend.url, "--policy", str(write(tmp_path, given)), "-o", str(tmp_path / "plan.yml")]) == 0
    plan = ks.read_plan(tmp_path / "plan.yml")
    assert any("although the policy has bounds: tight" in warning for warning in ks.solve(backend.url, given).warnings)
    first = ks.anonymize(backend.url, given, plan=plan)
    assert any("published by the bounds of its cuts" in warning for warning in first.warnings)
    before = set(backend.rows("people_anon", ["age", "colour"]))
    # Values of cuts are gone, others are new, and the regions have the bounds they had.
    at = sorted({int(cut.split) for cut in plan.cuts or () if cut.column == "age" and cut.split is not None})
    others = [(age + 1 if age in at and age + 1 not in at else age, colour, note) for age, colour, note in ROWS]
    edges = {min(age for age, *_ in ROWS), max(age for age, *_ in ROWS)}
    others += [(age, colour, "more") for age in edges for colour in ("red", "blue", "green", None) for _ in range(3)]
    ages(backend, [row for row in others for _ in range(3)])
    second = ks.anonymize(backend.url, given, plan=plan)
    rows = backend.rows("people_anon", ["age", "colour"])
    assert set(rows) <= before
    assert min(Counter(rows).values()) >= 3
    assert second.published_rows == len(rows) == 3 * len(others)


def write(folder: Path, given: dict[str, Any]) -> Path:
    file = folder / "people.yml"
    file.write_text(yaml.safe_dump(given, sort_keys=False))
    return file


def test_a_region_that_breaks_the_policy_fails_the_plan(backend: Database, tmp_path: Path) -> None:
    given = ages(backend)
    plan = saved(backend, given, tmp_path)
    ks.anonymize(backend.url, given, plan=plan)
    before = backend.rows("people_anon")
    ages(backend, ROWS[:25])
    with pytest.raises(
        ks.NoSolutionError,
        match=r"the plan does not satisfy the policy with the current rows: \d+ rows are in classes that violate the policy",
    ):
        ks.anonymize(backend.url, given, plan=plan)
    assert backend.rows("people_anon") == before
    assert backend.tables() == {"people", "people_anon"} | {name for name in backend.tables() if name.startswith("kanon_")}


@pytest.mark.engines("duckdb", "mariadb")
def test_a_plan_is_published_in_place(backend: Database, tmp_path: Path) -> None:
    given = ages(backend, publish={"in_place": True})
    plan = saved(backend, given, tmp_path)
    ks.anonymize(backend.url, given, plan=plan, yes=True)
    assert min(Counter(backend.rows("people", ["age", "colour"])).values()) >= 3


@pytest.mark.engines("duckdb")
def test_the_file_of_cuts_is_a_tree_and_belongs_to_its_plan(backend: Database, tmp_path: Path) -> None:
    given = ages(backend)
    plan = saved(backend, given, tmp_path)
    file = tmp_path / "plan.cuts.csv"
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert len(rows) == len(plan.cuts or ()) == yaml.safe_load((tmp_path / "plan.yml").read_text())["cuts"]["cuts"]
    nodes = [int(row["node"]) for row in rows]
    children = [int(row[side]) for row in rows for side in ("left", "right")]
    assert sorted({1, *children}) == list(range(1, 2 * len(rows) + 2))
    assert set(nodes) <= {1, *children}
    text = file.read_text()
    for changed, message in (
        (text.replace("\n", "\n9999,age,value,30,1,2\n", 1), "are not the ones it was made with"),
        (text.replace("node,", "knot,", 1), "must begin with the header"),
        (text + "1,age,sometimes,3,2,3\n", "the third is null or value"),
    ):
        file.write_text(changed)
        with pytest.raises(ks.RequestError, match=message):
            ks.read_plan(tmp_path / "plan.yml")
    file.unlink()
    with pytest.raises(ks.RequestError, match="cannot be read"):
        ks.read_plan(tmp_path / "plan.yml")
    assert plan.cuts
    no_tree = replace(plan, cuts=(*plan.cuts, replace(plan.cuts[0], node=4711)))
    with pytest.raises(ks.RequestError, match="are not a tree"):
        ks.anonymize(backend.url, given, plan=no_tree)


@pytest.mark.engines("duckdb")
def test_plans_that_cannot_be_saved_are_reported(backend: Database, tmp_path: Path) -> None:
    relaxed = ages(backend, mondrian={"mode": "relaxed"})
    masked = ages(backend)
    masked["columns"] = {**masked["columns"], "colour": {"role": QUASI, "hierarchy": {"mask": {"hide": [1, 2, 3]}}}}
    kept = ages(backend, mondrian={"keep_if_anonymous": True}, privacy={"k": 2})
    for given, rows, message in (
        (relaxed, ROWS, "a relaxed cut separates rows with equal values"),
        (masked, [(20 + n % 2, f"c{n % 9}", str(n)) for n in range(60)], "colour is cut between values that the release only shows masked"),
        (kept, [(20, "red", "x")] * 6, "kept unchanged, so there are no cuts"),
    ):
        ages(backend, rows)
        report = ks.solve(backend.url, given)
        assert any(message in warning for warning in report.warnings)
        with pytest.raises(ks.RequestError, match=message):
            report.plan.write(tmp_path / "plan.yml")
    assert not (tmp_path / "plan.yml").exists()


@pytest.mark.engines("duckdb")
def test_plans_of_levels_and_of_cuts_are_not_mixed(backend: Database, tmp_path: Path) -> None:
    given = ages(backend)
    cuts = saved(backend, given, tmp_path)
    levels = ks.solve(backend.url, {**given, "algorithm": "flash", "suppression": 1.0}).plan
    with pytest.raises(ks.RequestError, match="the plan holds cuts, which algorithm: flash does not use"):
        ks.anonymize(backend.url, {**given, "algorithm": "flash"}, plan=cuts)
    with pytest.raises(ks.RequestError, match="the plan holds levels, which algorithm: mondrian does not use"):
        ks.anonymize(backend.url, given, plan=levels)


def test_types_are_part_of_the_plan(backend: Database, tmp_path: Path) -> None:
    given = ages(backend, algorithm="flash", suppression=1.0)
    given["columns"]["age"] = {"role": QUASI, "output": "bounds", "min_level": 1, "hierarchy": {"intervals": [5, 10]}}
    plan = saved(backend, given, tmp_path)
    assert list(plan.types) == ["age_min", "age_max", "colour", "note"]
    assert plan.types["age_min"] == plan.types["age_max"]
    assert plan.types["age_min"].lower() in ("bigint", "integer", "bigint(20)")
    ks.anonymize(backend.url, given, plan=plan)
    other = replace(plan, types={**plan.types, "age_min": "smallint"})
    with pytest.raises(ks.RequestError, match=r"column 'age_min' of the release would have type .*, but the plan has type smallint"):
        ks.anonymize(backend.url, given, plan=other)
    with pytest.raises(ks.RequestError, match=r"column 'note' of the release would have type .*, but the plan does not list it"):
        ks.anonymize(backend.url, given, plan=replace(plan, types={n: t for n, t in plan.types.items() if n != "note"}))


@pytest.mark.engines("duckdb", "mariadb")
def test_types_contain_no_values(backend: Database) -> None:
    backend.create("t", {"a": "integer", "mood": "enum('sunny', 'gloomy')"}, [(n % 2, "sunny") for n in range(8)])
    given = {"table": "t", "publish": {"into": "x"}, "privacy": {"k": 2}, "columns": {"a": QUASI, "mood": "sensitive"}}
    assert "sunny" not in ks.solve(backend.url, given).plan.to_yaml()
