"""Direct identifiers: dropped, hashed with a secret key, set to NULL or replaced by numbers, into a new table and in place."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.databases import Database, Row

import kanon_sql as ks
from kanon_sql.cli import run
from kanon_sql.commands.anonymize import anonymize

KEY = "c4nary-kéy"
NAMES = ["Ada", "Ünï 数 😀", "O'Hara", "x" * 70, "", "ada", "Ada "]
PLACES: list[dict[str, Any]] = [{"into": "t_anon"}, {"in_place": True}]
places = pytest.mark.parametrize("place", PLACES, ids=["into", "in_place"])


def rows() -> list[Row]:
    """Return three rows per person, whose number follows from the name, and three rows without a name."""
    people = [*((name, 1000 - 7 * number) for number, name in enumerate(NAMES)), (None, None)]
    return [(name, number, turn, f"{name}") for turn in range(3) for name, number in people]


@pytest.fixture
def people(backend: Database, monkeypatch: pytest.MonkeyPatch) -> Database:
    monkeypatch.setenv("KANON_TEST_KEY", KEY)
    kind = "varchar(100) collate utf8mb4_nopad_bin" if backend.name == "mariadb" else "text"
    backend.create("t", {"name": kind, "number": "integer", "a": "integer", "illness": kind}, rows())
    return backend


def policy(place: dict[str, Any], **columns: Any) -> dict[str, Any]:
    return {
        "table": "t",
        "publish": place,
        "privacy": {"k": 3},
        "columns": {
            "name": {"role": "identifier", "action": "hash", "key": "env:KANON_TEST_KEY"},
            "number": "identifier",
            "a": {"role": "quasi_identifier", "hierarchy": "suppress"},
            "illness": "sensitive",
            **columns,
        },
    }


def published(people: Database, place: dict[str, Any], *columns: str) -> list[Row]:
    return people.rows(place.get("into", "t"), columns)


def pseudonym(value: object, key: str = KEY) -> str | None:
    return None if value is None else hmac.new(key.encode(), str(value).encode(), hashlib.sha256).hexdigest()


@places
def test_a_hash_is_the_hmac_of_the_text(people: Database, place: dict[str, Any]) -> None:
    number = {"role": "identifier", "action": "hash", "key": "env:KANON_TEST_KEY"}
    report = ks.anonymize(people.url, policy(place, number=number), yes=True)
    expected = Counter((pseudonym(name), pseudonym(number), illness) for name, number, _, illness in rows())
    assert Counter(published(people, place, "name", "number", "illness")) == expected
    assert len({name for name, _ in published(people, place, "name", "number")}) == len(NAMES) + 1
    assert any("'name'" in warning and "links all rows of one person" in warning for warning in report.warnings)


@places
def test_a_key_longer_than_a_block_is_hashed_first(people: Database, place: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    long = "k" * 65 + "é"
    monkeypatch.setenv("KANON_TEST_KEY", long)
    ks.anonymize(people.url, policy(place), yes=True)
    assert Counter(published(people, place, "name", "illness")) == Counter(
        (pseudonym(name, long), illness) for name, _, _, illness in rows()
    )


@places
def test_the_key_appears_nowhere(people: Database, place: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.yml").write_text(json.dumps(policy(place)))
    script = tmp_path / "run.sql"
    assert run(["anonymize", people.url, "--policy", str(tmp_path / "p.yml"), "--yes", "--json", "--sql", str(script)]) == 0
    captured = capsys.readouterr()
    block = KEY.encode().ljust(64, b"\0")
    spellings = [KEY, KEY.encode().hex(), *(bytes(byte ^ pad for byte in block).hex() for pad in (0x36, 0x5C))]
    tables = "".join(repr(people.rows(table)) for table in people.tables())
    output = script.read_text() + captured.out + captured.err + tables
    assert "env:KANON_TEST_KEY" in captured.out
    assert "pseudonyms" in script.read_text()
    for spelling in spellings:
        assert spelling.lower() not in output.lower()


@places
@pytest.mark.parametrize("value", [None, ""])
def test_a_missing_key_is_named_by_its_variable(
    people: Database, place: dict[str, Any], value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KANON_TEST_KEY")
    if value is not None:
        monkeypatch.setenv("KANON_TEST_KEY", value)
    with pytest.raises(ks.RequestError, match="environment variable KANON_TEST_KEY, the key for the hash, is not set"):
        ks.anonymize(people.url, policy(place), yes=True)
    assert Counter(people.rows("t")) == Counter(rows())
    assert "t_anon" not in people.tables()


@places
@pytest.mark.parametrize("action", ["null", None])
def test_null_empties_the_column(backend: Database, place: dict[str, Any], action: str | None) -> None:
    kind = {"sqlite": "text", "mariadb": "varchar(20)"}.get(backend.name, "varchar")
    backend.create("t", {"name": f"{kind} default 'x' not null", "a": "integer"}, [(f"n{n}", n % 2) for n in range(10)])
    quasi = {"role": "quasi_identifier", "hierarchy": "suppress"}
    given = {**policy(place), "columns": {"name": {"role": "identifier", "action": action}, "a": quasi}}
    report = ks.anonymize(backend.url, given, yes=True)
    assert Counter(published(backend, place, "name", "a")) == {(None, 0): 5, (None, 1): 5}
    assert report.warnings == ()
    if "in_place" in place:
        assert ks.anonymize(backend.url, given, yes=True).status == "unchanged"


@pytest.mark.engines("sqlite")
@pytest.mark.parametrize(
    "written", ["constraint given not null", "not null on conflict replace", "not  null collate nocase", "collate nocase not null"]
)
def test_null_empties_a_column_with_any_constraint(backend: Database, written: str) -> None:
    backend.create("t", {"name": f"text {written}", "a": "integer"}, [(f"n{n}", n % 2) for n in range(10)])
    quasi = {"role": "quasi_identifier", "hierarchy": "suppress"}
    given = {**policy({"in_place": True}), "columns": {"name": {"role": "identifier", "action": "null"}, "a": quasi}}
    ks.anonymize(backend.url, given, yes=True)
    assert set(backend.rows("t", ["name"])) == {(None,)}
    ((text,),) = backend.execute("select sql from sqlite_master where name = 't'")
    assert ("collate" in text) == ("collate" in written)


def test_null_is_also_what_yaml_calls_null(backend: Database, tmp_path: Path) -> None:
    backend.create("t", {"name": "text", "a": "integer"}, [(f"n{n}", n % 2) for n in range(10)])
    path = tmp_path / "p.yml"
    path.write_text(
        "table: t\npublish: {in_place: true}\nprivacy: {k: 3}\n"
        "columns:\n  name: {role: identifier, action: null}\n  a: {role: quasi_identifier, hierarchy: suppress}\n"
    )
    ks.anonymize(backend.url, path, yes=True)
    assert set(backend.rows("t", ["name"])) == {(None,)}
    assert "action: 'null'" in ks.load_policy(path).to_yaml()


@places
def test_a_sequence_numbers_people_and_discloses_nothing_else(backend: Database, place: dict[str, Any]) -> None:
    people = [f"p{number:03d}" for number in range(100)]
    backend.create("t", {"name": "text", "a": "integer", "illness": "text"}, [(p, 1, p) for p in people * 2] + [(None, 1, None)] * 2)
    columns = {
        "name": {"role": "identifier", "action": "sequence"},
        "a": {"role": "quasi_identifier", "hierarchy": "suppress"},
        "illness": "sensitive",
    }
    report = ks.anonymize(backend.url, {**policy(place), "columns": columns}, yes=True)
    found = Counter(published(backend, place, "illness", "name"))
    assert set(found.values()) == {2}
    numbers: dict[Any, Any] = dict(found.keys())
    assert len(found) == len(numbers) == 101
    assert numbers.pop(None) is None
    assert sorted(numbers.values()) == list(range(1, 101))
    in_order = [numbers[person] for person in people]
    assert in_order not in (sorted(in_order), sorted(in_order, reverse=True))
    assert sum(abs(number - place) for place, number in enumerate(in_order, start=1)) > 1000  # some 3333 are expected
    assert any("'name'" in warning and "links all rows" in warning for warning in report.warnings)


def test_a_hashed_key_stays_a_key(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KANON_TEST_KEY", KEY)
    kind = "varchar(20)"
    backend.execute(f"create table t (name {kind} not null, a integer, constraint one_name unique (name))")
    backend.execute("insert into t values " + ", ".join(f"('n{n}', {n % 2})" for n in range(10)))
    quasi = {"role": "quasi_identifier", "hierarchy": "suppress"}
    name = {"role": "identifier", "action": "hash", "key": "env:KANON_TEST_KEY"}
    ks.anonymize(backend.url, {**policy({"in_place": True}), "columns": {"name": name, "a": quasi}}, yes=True)
    assert set(backend.rows("t", ["name"])) == {(pseudonym(f"n{n}"),) for n in range(10)}
    with pytest.raises(Exception, match=r"(?i)unique|duplicate"):
        backend.execute(f"insert into t values ('{pseudonym('n1')}', 1)")
    with pytest.raises(Exception, match=r"(?i)null"):
        backend.execute("insert into t values (null, 1)")


def test_a_key_of_text_that_is_numbered_stays_a_key(backend: Database) -> None:
    backend.execute("create table t (name varchar(20) not null, a integer, constraint one_name unique (name))")
    backend.execute("insert into t values " + ", ".join(f"('n{n}', {n % 2})" for n in range(10)))
    quasi = {"role": "quasi_identifier", "hierarchy": "suppress"}
    sequence = {"role": "identifier", "action": "sequence"}
    ks.anonymize(backend.url, {**policy({"in_place": True}), "columns": {"name": sequence, "a": quasi}}, yes=True)
    assert sorted(backend.rows("t", ["name"])) == [(n,) for n in range(1, 11)]
    for again in ("1", "null"):
        with pytest.raises(Exception, match=r"(?i)unique|duplicate|null"):
            backend.execute(f"insert into t values ({again}, 1)")


def test_a_numbered_key_stays_a_key_and_goes_on_counting(backend: Database) -> None:
    kind = {
        "duckdb": "integer primary key default nextval('ids')",
        "sqlite": "integer primary key autoincrement",
        "postgresql": "integer generated always as identity primary key",
        "mariadb": "integer auto_increment primary key",
    }[backend.name]
    if backend.name == "duckdb":
        backend.execute("create sequence ids")
    backend.execute(f"create table t (id {kind}, a integer)")
    backend.execute("insert into t (a) values " + ", ".join(f"({n % 2})" for n in range(40)))
    quasi = {"role": "quasi_identifier", "hierarchy": "suppress"}
    sequence = {"role": "identifier", "action": "sequence"}
    ks.anonymize(backend.url, {**policy({"in_place": True}), "columns": {"id": sequence, "a": quasi}}, yes=True)
    assert sorted(backend.rows("t", ["id"])) == [(n,) for n in range(1, 41)]
    assert any(number % 2 == a for number, a in backend.rows("t", ["id", "a"]))
    backend.execute("insert into t (a) values (1)")
    assert max(backend.rows("t", ["id"])) == (41,)
    overriding = "overriding system value" if backend.name == "postgresql" else ""
    with pytest.raises(Exception, match=r"(?i)unique|duplicate|primary|constraint"):
        backend.execute(f"insert into t (id, a) {overriding} values (41, 1)")


def test_a_counted_key_that_is_hashed_is_refused_by_name_or_hashed(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KANON_TEST_KEY", KEY)
    kind = {
        "duckdb": "integer primary key",
        "sqlite": "integer primary key autoincrement",
        "postgresql": "integer generated always as identity primary key",
        "mariadb": "integer auto_increment primary key",
    }[backend.name]
    backend.execute(f"create table t (id {kind}, a integer)")
    overriding = "overriding system value" if backend.name == "postgresql" else ""
    backend.execute(f"insert into t (id, a) {overriding} values (1, 0), (2, 0), (3, 0)")
    quasi = {"role": "quasi_identifier", "hierarchy": "suppress"}
    name = {"role": "identifier", "action": "hash", "key": "env:KANON_TEST_KEY"}
    given = {**policy({"in_place": True}), "columns": {"id": name, "a": quasi}}
    if backend.name == "duckdb":
        ks.anonymize(backend.url, given, yes=True)
        assert set(backend.rows("t", ["id"])) == {(pseudonym(n),) for n in (1, 2, 3)}
        return
    with pytest.raises(ks.RequestError, match="column id counts by itself and cannot hold text"):
        ks.anonymize(backend.url, given, yes=True)
    assert sorted(backend.rows("t")) == [(1, 0), (2, 0), (3, 0)]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"illness": {"role": "sensitive", "action": "hash", "key": "env:X"}}, "action is only for the role identifier"),
    ({"a": {"role": "quasi_identifier", "action": "null"}}, "action is only for the role identifier"),
    ({"name": {"role": "drop", "action": "null"}}, "action is only for the role identifier"),
    ({"name": {"role": "drop", "hierarchy": "suppress"}}, "hierarchy is only for the role quasi_identifier"),
    ({"name": {"role": "drop", "accept_unique": True}}, "accept_unique is only for the roles sensitive and insensitive"),
    ({"name": {"role": "identifier", "action": "hash"}}, "action: hash needs a key, such as key: env:NAME"),
    ({"name": {"role": "identifier", "action": "sequence", "key": "env:X"}}, "key is only for action: hash"),
    ({"name": {"role": "identifier", "key": "env:X"}}, "key is only for action: hash"),
    ({"name": {"role": "identifier", "action": "hash", "key": "c4nary"}}, "must name an environment variable"),
    ({"name": {"role": "identifier", "action": "hsh", "key": "env:X"}}, "'hsh' is not allowed, did you mean 'hash'|'hsh' is not allowed"),
]


@pytest.mark.engines("duckdb")
@pytest.mark.parametrize(("columns", "message"), WRONG)
def test_wrong_combinations_are_refused(backend: Database, columns: dict[str, Any], message: str) -> None:
    with pytest.raises(ks.RequestError, match=message) as raised:
        ks.anonymize(backend.url, policy({"into": "x"}, **columns))
    assert "c4nary" not in str(raised.value)


@pytest.mark.engines("duckdb", "postgresql")
def test_a_column_without_an_order_can_only_be_dropped_or_emptied(people: Database) -> None:
    people.execute("alter table t add column many integer[]")
    given = policy({"into": "t_anon"}, many={"role": "identifier", "action": "sequence"})
    with pytest.raises(ks.RequestError, match=r"column 'many' has type .* which sequence cannot replace; drop it or write action: null"):
        ks.anonymize(people.url, given)
    ks.anonymize(people.url, policy({"into": "t_anon"}, many={"role": "identifier", "action": "null"}))
    assert set(people.rows("t_anon", ["many"])) == {(None,)}


@places
def test_a_missing_key_is_reported_before_the_search(people: Database, place: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KANON_TEST_KEY")
    begun: list[str] = []
    with pytest.raises(ks.RequestError, match=r"KANON_TEST_KEY, the key for the hash, is not set"):
        anonymize(people.url, policy(place), yes=True, listener=lambda name, _: begun.append(name))
    assert set(begun) == {"recover", "profile"}
    assert ks.anonymize(people.url, policy(place), dry_run=True).status == "dry_run"


@pytest.mark.engines("sqlite")
@places
def test_ctrl_c_in_a_registered_function_is_ctrl_c(
    people: Database, place: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("kanon_sql.backends.sqlite.FUNCTIONS", [("kanon_hmac", 4, stopped)])
    path = tmp_path / "policy.yml"
    path.write_text(json.dumps(policy(place)))
    before = people.rows("t")
    assert run(["anonymize", people.url, "--policy", str(path), "--yes", "--quiet"]) == 130
    assert capsys.readouterr().err == "Stopped. Nothing was published.\n"
    assert people.rows("t") == before


@places
def test_a_column_with_the_role_drop_is_left_out(people: Database, place: dict[str, Any]) -> None:
    asked = policy(place, name="drop", number="drop")
    planned = ks.solve(people.url, asked)
    assert planned.plan.policy["columns"]["name"] == "drop"
    report = ks.anonymize(people.url, asked, plan=planned.plan, yes=True)
    assert report.dropped == ("name", "number")
    assert Counter(published(people, place)) == Counter((turn, illness) for _, _, turn, illness in rows())
    table = place.get("into", "t")
    assert ks.check(people.url, table, policy=asked).holds
    assert ks.measure(people.url, asked).published_rows == len(rows())


def test_a_dropped_column_of_persons_counts_them(people: Database) -> None:
    asked = {**policy({"into": "t_anon"}, name="drop", number="drop"), "entity": "name"}
    report = ks.anonymize(people.url, asked)
    assert report.dropped == ("name", "number")
    assert report.k == len(NAMES)
    with pytest.raises(ks.RequestError, match="'name'"):
        ks.check(people.url, "t_anon", policy=asked)
