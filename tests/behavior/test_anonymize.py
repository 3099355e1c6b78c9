"""The whole pipeline on every engine, compared with the row-by-row oracle."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from decimal import Decimal
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import pytest
from support import oracle
from support.databases import Database, canonical
from support.metric_oracle import flattened
from support.people import COLUMNS, EDUCATION, make_people, policy, write_education

import kanon_sql as ks
from kanon_sql.backends import connect
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import describe, resolve


def run(backend: Database, folder: Path, given: dict[str, Any], **options: Any) -> ks.AnonymizeReport:
    return ks.anonymize(backend.url, ks.load_policy(given, folder=write_education(folder)), **options)


def expected(rows: list[tuple[Any, ...]], given: dict[str, Any]) -> oracle.Outcome:
    return oracle.anonymize(COLUMNS, rows, given, files={"education.csv": EDUCATION})


def multiset(rows: list[tuple[Any, ...]]) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(canonical(value) for value in row) for row in rows)


def fewer_columns(*kept: str, **changes: Any) -> dict[str, Any]:
    """Return the people's policy with only these columns as quasi-identifiers."""
    given = policy(**changes)
    given["columns"] = {name: rule if name in kept or isinstance(rule, str) else "identifier" for name, rule in given["columns"].items()}
    return given


QUASI_IDENTIFIERS = [name for name, rule in policy()["columns"].items() if isinstance(rule, dict)]
SOME = [("age", "zip"), ("born", "education"), ("seen", "smoker"), ("height", "smoker"), ("income", "education"), ("age", "born", "smoker")]


@pytest.mark.parametrize("kept", [*SOME, QUASI_IDENTIFIERS], ids="-".join)
def test_release_is_what_the_oracle_publishes(backend: Database, tmp_path: Path, kept: tuple[str, ...]) -> None:
    rows, given = make_people(backend), fewer_columns(*kept)
    report, wanted = run(backend, tmp_path, given), expected(rows, given)
    assert report.levels == wanted.levels
    assert report.solution.search.nodes.checked == len(wanted.path)
    assert multiset(backend.rows("people_anon")) == multiset(wanted.rows)
    assert report.suppressed_rows == wanted.suppressed
    assert report.published_rows + report.suppressed_rows == report.rows == len(rows)
    assert report.k == min(wanted.class_sizes)
    assert report.classes == len(wanted.class_sizes)
    assert report.utility["dm"] == wanted.dm
    assert report.utility["c_avg"] == pytest.approx(wanted.c_avg, rel=1e-9)
    assert report.utility["geniloss"] == pytest.approx(wanted.geniloss, rel=1e-9)


@pytest.mark.parametrize("column", QUASI_IDENTIFIERS)
def test_labels_of_every_level(backend: Database, tmp_path: Path, column: str) -> None:
    rows = make_people(backend, 80)
    position = list(COLUMNS).index(column)
    for k in (2, 5, 12, 30, 80):
        given = fewer_columns(column, privacy={"k": k}, suppression=0, publish={"into": "people_anon", "replace": True})
        wanted = expected(rows, given)
        assert run(backend, tmp_path, given).levels == wanted.levels
        published = [row[wanted.columns.index(column)] for row in wanted.rows]
        assert multiset([(value,) for value in published]) == Counter(backend.rows("people_anon", [column])), (position, k)


def test_source_is_unchanged_and_there_are_no_leftovers(backend: Database, tmp_path: Path) -> None:
    make_people(backend)
    before = backend.rows("people")
    run(backend, tmp_path, policy())
    assert backend.rows("people") == before
    assert backend.tables() == {"people", "people_anon"}


def test_rows_are_published_by_class_and_in_a_fresh_order_within_it(backend: Database) -> None:
    count = 2000
    backend.create("ordered", {"group": "integer", "place": "integer"}, [(number % 4, number) for number in range(count)])
    given = {
        "table": "ordered",
        "publish": {"into": "shuffled", "replace": True},
        "privacy": {"k": 5},
        "columns": {
            "group": {"role": "quasi_identifier", "hierarchy": "suppress"},
            "place": {"role": "insensitive", "accept_unique": True},
        },
    }
    orders = []
    for _ in range(2):
        ks.anonymize(backend.url, given)
        orders.append(backend.rows("shuffled", ["group", "place"]))
    assert orders[0] != orders[1]
    for order in orders:
        assert sorted(place for _, place in order) == list(range(count))
        by_class = {group: [place for _, place in rows] for group, rows in groupby(order, key=lambda row: row[0])}
        assert len(by_class) == 4
        for places in by_class.values():
            assert len(places) == count // 4
            steps_up = sum(later > earlier for earlier, later in pairwise(places))
            assert count / 4 * 0.3 < steps_up < count / 4 * 0.7
            mean_of_first_half = sum(places[: count // 8]) / (count // 8)
            assert abs(mean_of_first_half - count / 2) < count / 10


def test_columns_keep_order_types_and_values(backend: Database, tmp_path: Path) -> None:
    make_people(backend)
    run(backend, tmp_path, fewer_columns("age", "smoker", privacy={"k": 5}))
    description = described(backend, "people_anon")
    source = described(backend, "people")
    assert [name for name, _ in description] == ["age", "smoker", "ward", "diagnosis"]
    assert dict(description)["ward"] == dict(source)["ward"]
    assert dict(description)["smoker"] == dict(source)["smoker"]
    assert dict(description)["age"].lower().split()[0] in ("varchar", "text")


def described(backend: Database, table: str) -> list[tuple[str, str]]:
    """Return the names and types of a table's columns, as the product reads them from the catalog."""
    with Workspace(connect(backend.url), "read") as workspace:
        found = resolve(workspace, TableName((table,)))
        assert found is not None
        return [(column.name, column.type) for column in describe(workspace, found.name).columns]


def test_source_is_scanned_twice_and_sampled_twice(backend: Database, tmp_path: Path) -> None:
    make_people(backend)
    report = run(backend, tmp_path, policy())
    touching = [s.template for s in report.statements if backend.quote("people") in s.sql and s.template != "profile/source_queries/lock"]
    sorts_first = backend.name in ("duckdb", "postgresql")
    publishing = "publish/release" if sorts_first else "publish/release_sorted_last"
    assert touching == ["profile/source/sample", "count/combinations", "profile/dependencies/sample", publishing]
    (sample,) = [s.sql.lower() for s in report.statements if s.template == "profile/source/sample"]
    assert "limit 100000" in sample
    (spread,) = [s.sql.lower() for s in report.statements if s.template == "profile/dependencies/sample"]
    assert "limit 20000" in spread


def test_statements_contain_no_values(backend: Database, tmp_path: Path) -> None:
    make_people(backend)
    report = run(backend, tmp_path, policy())
    text = "\n".join(statement.sql for statement in report.statements)
    for word in ("person 1", "doctorate", "university", "asthma", "north"):
        assert word not in text
    plain = ("begin", "commit", "rollback")
    assert all(statement.sql.startswith("/* kanon_sql ") or statement.sql in plain for statement in report.statements)


def test_dry_run_publishes_nothing_and_finds_the_same(backend: Database, tmp_path: Path) -> None:
    make_people(backend)
    dry = run(backend, tmp_path, policy(), dry_run=True)
    assert backend.tables() == {"people"}
    real = run(backend, tmp_path, policy())
    for key in ("solution", "privacy", "published", "before", "columns"):
        assert dry.to_dict()[key] == real.to_dict()[key]
    wanted = {name: value if value is None else pytest.approx(value, rel=1e-12) for name, value in flattened(real.utility).items()}
    assert flattened(dry.utility) == wanted
    assert dry.to_dict()["dry_run"] is True


CLAIMS = ("workspace/claims/claim", "workspace/claims/release")
BETWEEN_STAGES = ("begin", "rollback", *CLAIMS)


def test_report_has_the_documented_shape(backend: Database, tmp_path: Path) -> None:
    make_people(backend)
    report = run(backend, tmp_path, policy())
    document = json.loads(report.to_json())
    assert document["algorithm"] == "datafly"
    assert set(document["solution"]["levels"]) == set(QUASI_IDENTIFIERS)
    assert set(document["nodes"]) == {"total", "checked", "inferred", "pruned"}
    assert document["nodes"]["total"] == 5 * 5 * 7 * 3 * 5 * 4 * 2 * 3
    assert set(document["published"]) == {"table", "rows", "suppressed", "classes"}
    assert {"dm", "c_avg", "geniloss"} <= set(document["utility"])
    assert [stage["name"] for stage in document["stages"]] == [
        "recover", "profile", "count", "search", "recode", "measure", "publish", "verify", "swap",
    ]  # fmt: skip
    outside = [s.template for s in report.statements if s.template in BETWEEN_STAGES and (s.template in CLAIMS or s.stage != "profile")]
    assert sum(stage["statements"] for stage in document["stages"]) == len(report.statements) - len(outside)


def test_a_new_table_needs_no_statement_that_replaces_rows(backend: Database, tmp_path: Path) -> None:
    make_people(backend)
    report = run(backend, tmp_path, {**policy(), "publish": {"into": "people_anon", "history": True}})
    assert [stage.name for stage in report.stages][-2:] == ["swap", "history"]
    assert not [statement.template for statement in report.statements if statement.template.startswith("replace/")]


def test_replace_and_others(backend: Database, tmp_path: Path) -> None:
    make_people(backend)
    run(backend, tmp_path, policy())
    with pytest.raises(ks.RequestError, match="exists"):
        run(backend, tmp_path, policy())
    given = {**policy(others="keep"), "columns": {k: v for k, v in policy()["columns"].items() if k != "ward"}}
    run(backend, tmp_path, given, replace=True)
    with_ward = len(backend.rows("people_anon")[0])
    run(backend, tmp_path, {**given, "others": "drop"}, replace=True)
    assert with_ward == len(backend.rows("people_anon")[0]) + 1


def test_a_view_is_a_source(backend: Database, tmp_path: Path) -> None:
    rows = make_people(backend)
    backend.execute("create view adults as select * from people where age >= 18")
    given = fewer_columns("age", "smoker", table="adults", publish={"into": "adults_anon"})
    report = run(backend, tmp_path, given)
    assert report.rows == sum(row[1] is not None and row[1] >= 18 for row in rows)


def test_suppression_limits(backend: Database, tmp_path: Path) -> None:
    rows = make_people(backend, 100)
    for limit, allowed in ((0, 0), (7, 7), (0.07, 7), (1.0, 100), (1, 1)):
        given = fewer_columns("age", suppression=limit, publish={"into": "people_anon", "replace": True})
        report = run(backend, tmp_path, given)
        assert report.suppressed_rows <= allowed
        assert report.suppressed_rows == expected(rows, given).suppressed


def test_everything_suppressed_is_an_empty_release(backend: Database) -> None:
    backend.create("few", {"a": "integer"}, [(number,) for number in range(5)])
    given = {"table": "few", "publish": {"into": "none"}, "privacy": {"k": 2}, "suppression": 1.0, "columns": {"a": "quasi_identifier"}}
    report = ks.anonymize(backend.url, given)
    assert report.to_dict()["published"] == {"table": "none", "rows": 0, "suppressed": 5, "classes": 0}
    assert report.k is None
    assert report.utility["c_avg"] is None
    assert backend.rows("none") == []


def test_unlisted_values_go_to_the_root_if_the_policy_says_so(backend: Database, tmp_path: Path) -> None:
    columns = {"education": "text"}
    rows = [("primary",)] * 4 + [("secondary",)] * 3 + [("apprentice",)] * 2 + [(None,)] * 2
    backend.create("people", columns, rows)
    rule: dict[str, Any] = {"role": "quasi_identifier", "hierarchy": {"csv": "education.csv"}}
    given = {"table": "people", "publish": {"into": "people_anon"}, "privacy": {"k": 3}, "suppression": 2, "columns": {"education": rule}}
    with pytest.raises(ks.HierarchyError, match=r"'education': education.csv does not list 1 distinct value in 2 rows.*unlisted: root"):
        run(backend, tmp_path, given)
    rule["hierarchy"]["unlisted"] = "root"
    report = run(backend, tmp_path, given)
    wanted = oracle.anonymize(columns, rows, given, files={"education.csv": EDUCATION})
    assert report.levels == wanted.levels
    assert multiset(backend.rows("people_anon")) == multiset(wanted.rows)
    assert report.utility["geniloss"] == pytest.approx(wanted.geniloss, rel=1e-9)


def test_hierarchy_leaves_are_read_in_the_columns_type(backend: Database, tmp_path: Path) -> None:
    columns = {"age": "integer", "day": "date", "yes": "boolean", "price": "decimal"}
    rows = [(39, date(2020, 1, 1), True, Decimal("1.5")), (40, date(2020, 1, 2), False, Decimal("2"))] * 2 + [(41, None, None, None)] * 3
    backend.create("typed", columns, rows)
    files = {
        "age.csv": [["39", "old"], ["40", "old"], ["41", "older"], ["99", "older"]],
        "day.csv": [["2020-01-01", "2020"], ["2020-01-02", "2020"], ["2021-01-02", "2021"]],
        "yes.csv": [["true", "any"], ["false", "any"]],
        "price.csv": [["1.50", "low"], ["2.0", "low"], ["9.25", "high"]],
    }
    for name, lines in files.items():
        (tmp_path / name).write_text("\n".join(",".join(line) for line in lines))
    given = {
        "table": "typed",
        "publish": {"into": "typed_anon"},
        "privacy": {"k": 3},
        "columns": {name: {"role": "quasi_identifier", "hierarchy": {"csv": f"{name}.csv"}} for name in columns},
    }
    report = ks.anonymize(backend.url, ks.load_policy(given, folder=tmp_path))
    wanted = oracle.anonymize(columns, rows, given, files=files)
    assert report.levels == wanted.levels
    assert multiset(backend.rows("typed_anon")) == multiset(wanted.rows)
    assert report.utility["geniloss"] == pytest.approx(wanted.geniloss, rel=1e-9)


def test_more_columns_than_one_packed_key_can_hold(backend: Database) -> None:
    names = [f"c{number}" for number in range(12)]
    rows = [tuple((row * (number + 3)) % 97 if row % 2 else row for number in range(12)) for row in range(97)] * 2
    backend.create("wide", dict.fromkeys(names, "integer"), rows)
    given: dict[str, Any] = {
        "table": "wide",
        "publish": {"into": "wide_anon"},
        "privacy": {"k": 2},
        "columns": {name: {"role": "quasi_identifier", "hierarchy": "suppress"} for name in names},
    }
    report = ks.anonymize(backend.url, given)
    assert multiset(backend.rows("wide_anon")) == Counter(rows)
    assert set(report.levels.values()) == {0}
    assert 97**12 > 2**62
