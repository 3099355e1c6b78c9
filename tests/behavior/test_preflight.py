"""Problems of a run in place are reported before the search, and all at once by a dry run: defaults, types and indexes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from support.databases import Database
from support.inventory import inventory

import kanon_sql as ks

SEQUENCE = {"role": "identifier", "action": "sequence"}
HASH = {"role": "identifier", "action": "hash", "key": "env:KANON_TEST_KEY"}
EMPTY = {"role": "identifier", "action": "null"}
AGE = {"role": "quasi_identifier", "hierarchy": {"intervals": [5, 10]}}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KANON_TEST_KEY", "secret")


def policy(columns: dict[str, Any], *allowed: str, **publish: Any) -> dict[str, Any]:
    place = publish or {"in_place": True, "allow_loss": list(allowed)}
    return {"table": "t", "publish": place, "privacy": {"k": 5}, "columns": {"age": AGE, **columns}}


def make(backend: Database, declared: str, value: str = "concat('v', {n})", *statements: str) -> None:
    """Create a table t of forty rows with an age and a column of this definition."""
    for statement in statements:
        backend.execute(statement)
    backend.execute(f"create table t (id {declared}, age integer)")
    backend.execute("insert into t (id, age) values " + ", ".join(f"({value.format(n=n)}, {20 + n % 10})" for n in range(40)))


def refused(backend: Database, given: dict[str, Any], *texts: str) -> None:
    """Require that a dry run and a run report the problem, the run before its search, and that the table is unchanged."""
    before = inventory(backend), Counter(backend.rows("t"))
    begun: list[str] = []
    for options in ({"dry_run": True}, {"yes": True, "listener": lambda name, _: begun.append(name)}):
        with pytest.raises(ks.RequestError) as raised:
            ks.anonymize(backend.url, given, **options)
        for text in texts:
            assert text in str(raised.value)
    assert "count" not in begun
    assert (inventory(backend), Counter(backend.rows("t"))) == before


UUIDS = "'00000000-0000-0000-0000-0000000000{n:02d}'"
DEFAULTS = {
    "duckdb": [
        ("uuid primary key default gen_random_uuid()", UUIDS),
        ("varchar default 'none'", "'v{n}'"),
        ("date default current_date", "'20{n:02d}-01-01'"),
    ],
    "sqlite": [("text default (hex(randomblob(8)))", "'v{n}'"), ("date default current_date", "'20{n:02d}-01-01'")],
    "postgresql": [
        ("uuid primary key default gen_random_uuid()", UUIDS),
        ("text default 'none'", "'v{n}'"),
        ("mood default 'calm'", "'calm'"),
        ("boolean default true", "true"),
        ("short default 'x'", "'v{n}'"),
        ("numeric default 1.5", "{n}"),
    ],
    "mariadb": [
        ("uuid primary key default uuid()", UUIDS),
        ("varchar(36) default 'none'", "'v{n}'"),
        ("enum('calm', 'wild') default 'calm'", "'calm'"),
        ("datetime default current_timestamp", "'2020-01-01 00:00:{n:02d}'"),
        ("decimal(10, 2) default 1.5", "{n}"),
    ],
}
TYPES = ["create type mood as enum ('calm', 'wild')", "create domain short as text check (length(value) < 40)"]


def test_a_default_that_does_not_fit_numbers_is_named_before_the_search_and_can_be_dropped(backend: Database) -> None:
    for number, (declared, value) in enumerate(DEFAULTS[backend.name]):
        make(backend, declared, value, *(TYPES if backend.name == "postgresql" and number == 0 else ()))
        refused(backend, policy({"id": SEQUENCE}), "default of column id does not fit the numbers", "--allow-loss id")
        report = ks.anonymize(backend.url, policy({"id": SEQUENCE}, "id"), yes=True)
        assert report.in_place is not None
        assert report.in_place.lost == ("default of column id",)
        assert not [remaining for remaining in report.in_place.remaining if "could not be finished" in remaining]
        assert {type(row[0]) for row in backend.rows("t", ["id"])} == {int}
        for table in ("t", "__kanon_journal", "kanon_runs"):
            backend.drop(table)


@pytest.mark.parametrize("action", [HASH, EMPTY], ids=["hash", "null"])
def test_a_default_stays_with_a_column_that_is_hashed_or_emptied(backend: Database, action: dict[str, Any]) -> None:
    make(backend, "varchar(80) default 'none'", "'v{n}'")
    ks.anonymize(backend.url, policy({"id": action}), yes=True)
    backend.execute("insert into t (age) values ('added')")
    assert ("none", "added") in backend.rows("t", ["id", "age"])


@pytest.mark.engines("postgresql")
def test_defaults_of_typed_columns_stay_when_they_are_hashed(backend: Database) -> None:
    backend.execute(TYPES[0])
    for declared, value in (("uuid default gen_random_uuid()", UUIDS), ("mood default 'calm'", "'calm'"), ("integer default 7", "{n}")):
        make(backend, declared, value)
        ks.anonymize(backend.url, policy({"id": HASH}), yes=True)
        backend.execute("insert into t (age) values ('added')")
        assert len(backend.rows("t")) == 41
        for table in ("t", "__kanon_journal", "kanon_runs"):
            backend.drop(table)


@pytest.mark.engines("postgresql")
@pytest.mark.parametrize("place", [{}, {"into": "t_anon"}], ids=["in place", "new table"])
def test_a_domain_that_refuses_small_numbers_becomes_a_plain_number(backend: Database, place: dict[str, Any]) -> None:
    make(backend, "large", "{n} + 1000", "create domain large as integer check (value >= 1000)")
    ks.anonymize(backend.url, policy({"id": SEQUENCE}, **place), yes=True)
    table = place.get("into", "t")
    assert sorted(backend.rows(table, ["id"])) == [(n,) for n in range(1, 41)]


@pytest.mark.engines("mariadb")
@pytest.mark.parametrize("place", [{}, {"into": "t_anon"}], ids=["in place", "new table"])
def test_a_year_becomes_a_plain_number(backend: Database, place: dict[str, Any]) -> None:
    make(backend, "year", "{n} + 1990")
    ks.anonymize(backend.url, policy({"id": SEQUENCE}, **place), yes=True)
    assert sorted(backend.rows(place.get("into", "t"), ["id"])) == [(n,) for n in range(1, 41)]


@pytest.mark.engines("postgresql")
def test_a_domain_that_refuses_null_is_named(backend: Database) -> None:
    make(backend, "always", "'v{n}'", "create domain always as text not null")
    refused(backend, policy({"id": EMPTY}), "column id has a domain as its type that refuses NULL")


@pytest.mark.engines("postgresql")
def test_an_index_for_a_type_is_named_and_can_be_dropped(backend: Database) -> None:
    make(
        backend,
        "text",
        "'v{n}'",
    )
    backend.execute("create index by_beginning on t (id text_pattern_ops)")
    backend.execute("create index by_age on t using brin (age)")
    refused(backend, policy({"id": SEQUENCE}), "index by_beginning is made for the type of column id")
    ks.anonymize(backend.url, policy({"id": SEQUENCE}, "by_beginning", "by_age"), yes=True)
    assert {type(row[0]) for row in backend.rows("t", ["id"])} == {int}


@pytest.mark.engines("mariadb")
@pytest.mark.parametrize("index", ["key beginning (id(3))", "fulltext key beginning (id)", "unique key beginning (id(30))"])
def test_an_index_on_text_is_named_and_can_be_dropped(backend: Database, index: str) -> None:
    make(backend, f"varchar(80), {index}", "'v{n}'")
    refused(backend, policy({"id": SEQUENCE}), "index beginning is made for the type of column id", "--allow-loss beginning")
    report = ks.anonymize(backend.url, policy({"id": SEQUENCE}, "beginning"), yes=True)
    assert report.in_place is not None
    assert report.in_place.scrubbed
    assert {type(row[0]) for row in backend.rows("t", ["id"])} == {int}


def test_a_dropped_check_is_not_restored(backend: Database) -> None:
    make(backend, "varchar(80) check (length(id) >= 2)", "'v{n}'")
    refused(backend, policy({"id": SEQUENCE}), "on column id, whose values change")
    with pytest.raises(ks.RequestError) as raised:
        ks.anonymize(backend.url, policy({"id": SEQUENCE}), dry_run=True)
    name = str(raised.value).split("--allow-loss ")[1].split()[0]
    report = ks.anonymize(backend.url, policy({"id": SEQUENCE}, name), yes=True)
    assert report.in_place is not None
    assert report.in_place.scrubbed
    assert sorted(backend.rows("t", ["id"])) == [(n,) for n in range(1, 41)]


def test_a_dry_run_names_everything_at_once(backend: Database) -> None:
    """A problem of a dropped column, one of a generalized column, and a limit that the release would exceed."""
    make(backend, "varchar(80)", "'v{n}'")
    backend.execute("create view names as select id from t")
    backend.execute("create view ages as select age from t")
    before = inventory(backend)
    given = {**policy({"id": "identifier"}), "limits": {"geniloss": 0.01}}
    with pytest.raises(ks.RequestError) as raised:
        ks.anonymize(backend.url, {**given, "privacy": {"k": 7}}, dry_run=True)
    said = str(raised.value)
    assert "a run would stop for 2 reasons" in said
    assert "view names reads column id, which changes" in said
    assert "view ages reads column age, which changes" in said
    assert "--allow-loss names --allow-loss ages" in said or "--allow-loss ages --allow-loss names" in said
    assert "geniloss" in said
    assert inventory(backend) == before
    with pytest.raises(ks.RequestError, match=r"(?s)2 reasons.*1\. table t has 40 rows, fewer than k.*2\. .*view names"):
        ks.anonymize(backend.url, {**policy({"id": "identifier"}), "privacy": {"k": 41}}, dry_run=True)


def test_a_dry_run_names_what_a_replaced_target_would_lose(backend: Database) -> None:
    make(backend, "varchar(80)", "'v{n}'")
    given = policy({"id": "identifier"}, into="t_anon", replace=True)
    ks.anonymize(backend.url, {**given, "privacy": {"k": 2}})
    backend.execute("create view ages as select age from t_anon")
    with pytest.raises(ks.RequestError, match="view ages reads column age, which changes"):
        ks.anonymize(backend.url, given, dry_run=True)
    allowed = {**given, "publish": {**given["publish"], "allow_loss": ["ages"]}}
    assert ks.anonymize(backend.url, allowed, dry_run=True).status == "dry_run"
