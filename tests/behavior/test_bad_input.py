"""Bad input: a clear error and an unchanged database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.databases import Database

import kanon_sql as ks
from kanon_sql.cli.release_status import ReleaseStatus
from kanon_sql.workspace import Workspace

ROWS = [(number % 5, f"z{number % 3}", "flu") for number in range(20)]


@pytest.fixture(autouse=True)
def untouched(backend: Database) -> Iterator[None]:
    """Require that the database is the same after the test."""
    backend.create("people", {"age": "integer", "zip": "text", "diagnosis": "text"}, ROWS)
    before, tables = backend.rows("people"), backend.tables()
    yield
    assert backend.rows("people") == before
    assert backend.tables() == tables


def policy(**changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "table": "people",
        "publish": {"into": "people_anon"},
        "privacy": {"k": 3},
        "columns": {
            "age": {"role": "quasi_identifier", "hierarchy": {"intervals": [5]}},
            "zip": {"role": "quasi_identifier", "hierarchy": "suppress"},
            "diagnosis": "sensitive",
        },
    }
    return {**base, **changes}


def columns(**changes: Any) -> dict[str, Any]:
    return {"columns": {**policy()["columns"], **changes}}


QUASI = "quasi_identifier"
REQUESTS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown table": ({"table": "peple"}, r"table peple does not exist \(did you mean 'people'\?\)"),
    "unknown schema": ({"table": "nowhere.people"}, "does not exist"),
    "unknown column": (columns(agee="insensitive"), r"no column 'agee' \(did you mean 'age'\?\)"),
    "injected column": (columns(**{'age"; drop table people; --': QUASI}), "no column 'age\"; drop table people; --'"),
    "injected table": ({"table": 'people"; drop table people; --'}, "table name"),
    "injected target": ({"publish": {"into": "x'; drop table people; --", "replace": True}, "privacy": {"k": 99}}, "fewer than k = 99"),
    "no quasi-identifier": ({"columns": {"age": "insensitive"}, "others": "drop"}, "no column has the role quasi_identifier"),
    "undecided column": ({"columns": {"age": QUASI}}, r"does not list 2 columns of table people: 'zip', 'diagnosis'"),
    "k of one": ({"privacy": {"k": 1}}, "privacy.k"),
    "k as text": ({"privacy": {"k": "five"}}, "privacy.k"),
    "k as fraction": ({"privacy": {"k": 2.5}}, "privacy.k"),
    "fewer rows than k": ({"privacy": {"k": 21}}, "has 20 rows, fewer than k = 21"),
    "misspelled key": ({"supression": 0.1}, r"unknown key 'supression' \(did you mean 'suppression'\?\)"),
    "misspelled role": (columns(diagnosis="sensitiv"), r"did you mean 'sensitive'\?"),
    "misspelled hierarchy": (columns(age={"role": QUASI, "hierarchy": {"interval": [5]}}), r"did you mean 'intervals'\?"),
    "widths that do not nest": (columns(age={"role": QUASI, "hierarchy": {"intervals": [5, 12]}}), "12 is not a multiple of 5"),
    "negative limit": ({"suppression": -1}, "negative"),
    "limit over one": ({"suppression": 1.5}, "between 0.0 and 1.0"),
    "target is the source": ({"publish": {"into": "people", "replace": True}}, "is the source itself"),
    "intervals on text": (columns(zip={"role": QUASI, "hierarchy": {"intervals": [5]}}), "which intervals does not fit"),
    "dates on a number": (columns(age={"role": QUASI, "hierarchy": {"dates": ["year"]}}), "which dates does not fit"),
    "missing hierarchy file": (columns(zip={"role": QUASI, "hierarchy": {"csv": "none.csv"}}), "none.csv cannot be read"),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_wrong_request_is_explained(backend: Database, name: str) -> None:
    changes, message = REQUESTS[name]
    with pytest.raises(ks.RequestError, match=message):
        ks.anonymize(backend.url, policy(**changes))


TREES: dict[str, tuple[bytes, str]] = {
    "two parents": (b"z0;low;all\nz1;low;other\nz2;high;all\n", r"line 2: the label at level 1 has a different parent than in line 1"),
    "gap": (b"z0;low;all\nz1;;all\nz2;high;all\n", "line 2: level 1 is empty"),
    "wrong width": (b"z0;low;all\nz1;low\n", "line 2: 2 columns where line 1 has 3"),
    "duplicate leaf": (b"z0;low\nz1;low\nz0;low\n", "line 3: the same leaf is in line 1"),
    "bad encoding": (b"z0;caf\xe9\nz1;caf\xe9\n", "not UTF-8"),
    "empty": (b"\n\n", "is empty"),
    "unlisted": (b"z0;low\nz1;low\n", "zips.csv does not list 1 distinct value in 6 rows"),
}


@pytest.mark.parametrize("name", TREES)
def test_a_broken_hierarchy_file_is_explained(backend: Database, tmp_path: Path, name: str) -> None:
    content, message = TREES[name]
    (tmp_path / "zips.csv").write_bytes(content)
    given = policy(**columns(zip={"role": QUASI, "hierarchy": {"csv": "zips.csv"}}))
    with pytest.raises(ks.HierarchyError, match=message) as raised:
        ks.anonymize(backend.url, ks.load_policy(given, folder=tmp_path))
    assert "z0" not in str(raised.value)


def test_a_leaf_of_another_type_is_explained(backend: Database, tmp_path: Path) -> None:
    (tmp_path / "ages.csv").write_text("0;low\none;low\n")
    given = policy(**columns(age={"role": QUASI, "hierarchy": {"csv": "ages.csv"}}))
    with pytest.raises(ks.HierarchyError, match=r"ages.csv, line 2: the leaf cannot be read as integer, the type of column 'age'"):
        ks.anonymize(backend.url, ks.load_policy(given, folder=tmp_path))


def test_empty_table(backend: Database) -> None:
    backend.create("nobody", {"age": "integer"})
    try:
        with pytest.raises(ks.RequestError, match="table nobody is empty"):
            ks.anonymize(backend.url, policy(table="nobody", columns={"age": QUASI}))
    finally:
        backend.drop("nobody")


def test_kept_keys_and_nearly_unique_columns_are_refused(backend: Database) -> None:
    backend.create("keyed", {"id": "integer primary key", "age": "integer", "token": "text"}, [(n, n % 2, f"t{n}") for n in range(40)])
    given = policy(table="keyed", columns={"age": QUASI, "token": "identifier", "id": "sensitive"}, publish={"into": "keyed_anon"})
    try:
        with pytest.raises(ks.RequestError, match=r"column 'id' is a key and would be kept.*accept_unique: true"):
            ks.anonymize(backend.url, given)
        given["columns"] = {"age": QUASI, "id": "identifier", "token": "insensitive"}
        with pytest.raises(ks.RequestError, match="column 'token' is nearly unique"):
            ks.anonymize(backend.url, given)
        given["columns"]["token"] = "sensitive"
        assert "nearly unique" in ks.anonymize(backend.url, given, dry_run=True).warnings[0]
        given["columns"]["token"] = {"role": "insensitive", "accept_unique": True}
        assert ks.anonymize(backend.url, given, dry_run=True).warnings == ()
    finally:
        backend.drop("keyed")


def test_a_view_is_not_replaced(backend: Database) -> None:
    backend.execute("create view people_view as select * from people")
    try:
        with pytest.raises(ks.RequestError, match="is a view"):
            ks.anonymize(backend.url, policy(publish={"into": "people_view", "replace": True}))
    finally:
        backend.execute("drop view people_view")


def test_two_hundred_columns_and_a_long_value(backend: Database) -> None:
    names = [f"c{number}" for number in range(200)]
    long_value = "x" * 10_000
    rows = [tuple(long_value if number == 0 else f"v{row % 2}" for number in range(200)) for row in range(6)]
    backend.create("wide", dict.fromkeys(names, "TEXT"), rows)
    roles: dict[str, Any] = dict.fromkeys(names, "insensitive")
    roles["c0"] = {"role": QUASI, "hierarchy": {"mask": {"hide": [1, 9999]}}}
    try:
        report = ks.anonymize(backend.url, policy(table="wide", columns=roles, publish={"into": "wide_anon"}))
        assert report.published_rows == 6
        assert {row[0] for row in backend.rows("wide_anon", ["c0"])} == {long_value}
    finally:
        backend.drop("wide")
        backend.drop("wide_anon")


def test_a_failure_at_any_statement_leaves_no_tables(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    original = Workspace.perform
    templates = [statement.template for statement in ks.anonymize(backend.url, policy()).statements]
    published_by = "workspace/ddl/rename_table" if backend.name == "mariadb" else "commit"
    steps = templates.index(published_by) + 1
    backend.drop("people_anon")
    assert steps > 20
    for step in range(steps):
        seen = 0

        def interrupted(self: Workspace, template: str, sql: str, action: Any, step: int = step) -> Any:
            nonlocal seen
            seen += 1
            if seen == step + 1:
                raise KeyboardInterrupt
            return original(self, template, sql, action)

        monkeypatch.setattr(Workspace, "perform", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ks.anonymize(backend.url, policy())
        assert backend.tables() == {"people"}


@pytest.mark.parametrize("published", [False, True])
def test_a_stopped_swap_reports_its_outcome(backend: Database, monkeypatch: pytest.MonkeyPatch, published: bool) -> None:
    original = Workspace.perform
    last = "workspace/ddl/rename_table" if backend.name == "mariadb" else "commit"

    def interrupted(self: Workspace, template: str, sql: str, action: Any) -> Any:
        if template != last:
            return original(self, template, sql, action)
        if published:
            original(self, template, sql, action)
        raise KeyboardInterrupt

    monkeypatch.setattr(Workspace, "perform", interrupted)
    note = ReleaseStatus()
    with pytest.raises(KeyboardInterrupt):
        ks.anonymize(backend.url, policy(), listener=note.watch(None))
    assert str(note) == ("The release is already published." if published else "Nothing was published.")
    assert backend.tables() == ({"people", "people_anon"} if published else {"people"})
    if published:
        backend.drop("people_anon")
