"""Names of every kind: schemas, special characters, reserved words, the longest, and those of a run's temporary tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import create_engine
from support.databases import Database, MariaDB, PostgreSQL
from support.odd_names import LONGEST, NAMES, OWN, RESERVED, written

import kanon_sql as ks

ROWS = [(number % 3, f"w{number % 2}") for number in range(12)]


def counted(rows: list[Any]) -> Counter[Any]:
    return Counter(tuple(row) for row in rows)


QUASI = {"role": "quasi_identifier", "hierarchy": {"intervals": [2, 4]}}


def policy(source: str, target: str, quasi: str, kept: str) -> dict[str, Any]:
    return {"table": source, "publish": {"into": target}, "privacy": {"k": 3}, "columns": {quasi: QUASI, kept: "insensitive"}}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_odd_names_of_table_target_and_columns(backend: Database, name: str) -> None:
    publishes(backend, name)


@pytest.mark.engines("duckdb", "sqlite", "postgresql")  # MariaDB has no names beyond the basic plane
def test_names_with_emoji(backend: Database) -> None:
    publishes(backend, "😀 id")


@pytest.mark.parametrize("name", ["select", "order", "table"])
def test_tables_named_by_reserved_words(backend: Database, name: str) -> None:
    publishes(backend, name)


def publishes(backend: Database, name: str) -> None:
    """Use the name for a table and its columns: one column stays at level 0, one goes to level 1, one is kept."""
    steep, kept, target = f"{name} q", f"{name} k", f"{name} t"
    rows = [(number // 4 % 2, number % 4, f"w{number % 2}") for number in range(16)]
    backend.create(name, {name: "integer", steep: "integer", kept: "text"}, rows)
    given = {**policy(written(name), written(target), name, kept), "privacy": {"k": 4}}
    given["columns"][steep] = QUASI
    assert ks.anonymize(backend.url, given).levels == {name: 0, steep: 1}
    assert counted(backend.rows(target)) == counted([(low, f"[{high // 2 * 2},{high // 2 * 2 + 2})", word) for low, high, word in rows])
    assert backend.rows(name) == rows
    assert backend.tables() == {name, target}
    assert ks.check(backend.url, written(target), quasi_identifiers=[steep, name], k=4).to_dict()["classes"] == 4


def test_columns_named_by_reserved_words(backend: Database) -> None:
    backend.create("t", dict.fromkeys(RESERVED, "integer"), [(number % 2,) * len(RESERVED) for number in range(6)])
    columns = {**dict.fromkeys(RESERVED[::2], QUASI), **dict.fromkeys(RESERVED[1::2], "insensitive")}
    ks.anonymize(backend.url, {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 3}, "columns": columns})
    assert counted(backend.rows("u", RESERVED)) == {(0,) * len(RESERVED): 3, (1,) * len(RESERVED): 3}
    assert ks.check(backend.url, "u", quasi_identifiers=RESERVED, k=3).holds


def test_a_hierarchy_file_for_a_column_of_any_name(backend: Database, tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("a;x\nb;x\nc;y\nd;y\n")
    names = list(NAMES.values())
    backend.create("t", dict.fromkeys(names, "varchar(20)"), [(letter,) * len(names) for letter in "abcd"])
    rule = {"role": "quasi_identifier", "hierarchy": {"csv": "h.csv"}}
    given = {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 2}, "columns": dict.fromkeys(names, rule)}
    assert set(ks.anonymize(backend.url, ks.load_policy(given, folder=tmp_path)).levels.values()) == {1}
    assert counted(backend.rows("u")) == {("x",) * len(names): 2, ("y",) * len(names): 2}


@pytest.mark.parametrize("generalized", [False, True], ids=["level 0", "level 1"])
def test_columns_named_like_temporary_columns(backend: Database, generalized: bool) -> None:
    quasi, kept = OWN[::2], OWN[1::2]
    if generalized:
        quasi, kept = kept, quasi
    rows = [(number,) * len(OWN) for number in ((0, 1, 2, 3) if generalized else (0, 0, 2, 2))]
    backend.create("t", dict.fromkeys(OWN, "integer"), rows)
    columns = {**dict.fromkeys(quasi, QUASI), **{name: {"role": "insensitive", "accept_unique": True} for name in kept}}
    given = {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 2}, "columns": columns}
    assert set(ks.anonymize(backend.url, given).levels.values()) == {int(generalized)}
    label = {0: "[0,2)", 1: "[0,2)", 2: "[2,4)", 3: "[2,4)"}
    expected = [tuple(label[row[0]] if generalized and name in quasi else row[0] for name in OWN) for row in rows]
    assert counted(backend.rows("u", OWN)) == counted(expected)
    assert backend.rows("t") == rows
    assert ks.check(backend.url, "u", quasi_identifiers=quasi, k=2).holds


def test_columns_named_like_tables_of_the_run_and_its_queries(backend: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kanon_sql.workspace.workspace.secrets.token_hex", lambda _: "1a2b3c4d")
    names = ["__kanon_1a2b3c4d_a", "__kanon_00000000_a", "__kanon_query_1", "n0_1", "__kanon_1a2b3c4d__kanon_00000000_a"]
    text = " ".join(names)
    rows = [(number % 3, *(f"w{number % 2}" if place else text for place in range(4))) for number in range(12)]
    backend.create("t", {names[0]: "integer", **dict.fromkeys(names[1:], "text")}, rows)
    columns = {names[0]: QUASI, **dict.fromkeys(names[1:], "insensitive")}
    given = {
        "table": "t",
        "publish": {"into": "u"},
        "privacy": {"k": 3},
        "columns": columns,
        "where": f"{backend.quote(names[1])} = '{text}'",
    }
    ks.anonymize(backend.url, given)
    assert counted(backend.rows("u", names)) == counted(rows)
    assert backend.tables() == {"t", "u"}


def test_a_column_named_like_the_prefix_of_temporary_tables(backend: Database) -> None:
    backend.create("t", {"__kanon_@_a": "integer", "__kanon_@_staged": "text"}, ROWS)
    ks.anonymize(backend.url, policy("t", "u", "__kanon_@_a", "__kanon_@_staged"))
    assert counted(backend.rows("u", ["__kanon_@_a", "__kanon_@_staged"])) == counted(ROWS)
    assert ks.check(backend.url, "u", quasi_identifiers=["__kanon_@_a"], k=4).holds


@pytest.mark.parametrize("name", ["t", "class", "carried", "root", "domain", "h_1"])
def test_tables_named_like_temporary_tables(backend: Database, name: str) -> None:
    backend.create(name, {"a": "integer", "b": "text"}, ROWS)
    ks.anonymize(backend.url, policy(name, f"{name}_anon", "a", "b"))
    assert counted(backend.rows(f"{name}_anon")) == counted(ROWS)


def test_the_longest_names(backend: Database) -> None:
    longest = LONGEST[backend.name]
    target = longest[1:] + longest[0] if backend.name == "postgresql" else "z" + longest[1:]
    kept = longest[:-1] + "k"
    backend.create(longest, {longest: "integer", kept: "text"}, ROWS)
    ks.anonymize(backend.url, policy(longest, target, longest, kept))
    assert counted(backend.rows(target)) == counted(ROWS)
    assert backend.tables() == {longest, target}
    assert ks.check(backend.url, target, quasi_identifiers=[longest], k=3).holds


@pytest.mark.engines("postgresql", "mariadb")
@pytest.mark.parametrize("letter", ["n", "é"])
def test_a_target_name_that_is_too_long_is_refused(backend: Database, letter: str) -> None:
    limit = 65 if backend.name == "mariadb" else 64 // len(letter.encode())
    backend.create("t", {"a": "integer", "b": "text"}, ROWS)
    with pytest.raises(ks.RequestError, match="long"):
        ks.anonymize(backend.url, policy("t", letter * limit, "a", "b"))
    assert backend.tables() == {"t"}


@pytest.mark.engines("postgresql")
def test_a_cut_target_name_replaces_no_other_table(backend: Database) -> None:
    backend.create("t", {"a": "integer", "b": "text"}, ROWS)
    backend.create("n" * 63, {"precious": "integer"}, [(1,)])
    given = policy("t", "n" * 70, "a", "b")
    given["publish"]["replace"] = True
    with pytest.raises(ks.RequestError, match="long"):
        ks.anonymize(backend.url, given)
    assert backend.rows("n" * 63) == [(1,)]


@pytest.mark.engines("postgresql")
def test_columns_that_differ_by_case_only(backend: Database) -> None:
    rows = [(number % 2, number % 4, number % 3, f"w{number % 2}") for number in range(24)]
    backend.create("t", {"a": "integer", "A": "integer", "b": "integer", "B": "text"}, rows)
    rule = {"role": "quasi_identifier", "hierarchy": {"intervals": [2, 4]}}
    columns = {"A": rule, "a": rule, "b": "insensitive", "B": "sensitive"}
    ks.anonymize(backend.url, {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 5}, "columns": columns})
    assert counted(backend.rows("u")) == counted(rows)
    assert ks.check(backend.url, "u", quasi_identifiers=["A"], k=2).to_dict()["classes"] == 4
    assert ks.check(backend.url, "u", quasi_identifiers=["a"], k=2).to_dict()["classes"] == 2


@pytest.mark.engines("postgresql", "mariadb")
@pytest.mark.parametrize(("one", "other"), [("people", "People"), ("People", "people"), ("cafe", "café")])
def test_tables_that_differ_by_case_or_accent_only(backend: Database, one: str, other: str) -> None:
    backend.create(one, {"a": "integer", "b": "text"}, ROWS)
    backend.create(other, {"x": "integer"}, [(7,)])
    ks.anonymize(backend.url, policy(one, f"{one}_anon", "a", "b"))
    backend.create(f"{other}_anon", {"x": "integer"}, [(8,)])
    assert counted(backend.rows(f"{one}_anon")) == counted(ROWS)
    given = policy(other, f"{other}_anon2", "x", "b")
    del given["columns"]["b"]
    with pytest.raises(ks.RequestError, match="fewer than k"):
        ks.anonymize(backend.url, given)
    assert ks.check(backend.url, f"{other}_anon", quasi_identifiers=["x"], k=2).to_dict()["rows"] == 1
    ks.anonymize(backend.url, policy(one, f"{one}_anon", "a", "b"), replace=True)
    assert backend.rows(f"{other}_anon") == [(8,)]


@pytest.mark.engines("duckdb", "sqlite")
def test_table_names_in_another_case_mean_the_same_table(backend: Database) -> None:
    backend.create("People", {"a": "integer", "b": "text"}, ROWS)
    with pytest.raises(ks.RequestError, match="is the source itself"):
        ks.anonymize(backend.url, {**policy("people", "PEOPLE", "a", "b"), "publish": {"into": "PEOPLE", "replace": True}})
    ks.anonymize(backend.url, policy("pEOPLE", "Anon", "a", "b"))
    assert backend.tables() == {"People", "Anon"}


@pytest.mark.engines("duckdb", "postgresql")
def test_another_schema(backend: Database) -> None:
    backend.execute('create schema "My Schema"')
    backend.execute('create schema "my.other"')
    backend.execute('create table "My Schema"."T" ("A" integer, b text)')
    backend.execute(f'insert into "My Schema"."T" values {", ".join(map(str, ROWS))}')
    backend.create("T", {"other": "integer"}, [(1,)])
    ks.anonymize(backend.url, policy('"My Schema".T', "u", "A", "b"))
    ks.anonymize(backend.url, policy("My Schema.T", '"my.other".u', "A", "b"))
    for place in ('"My Schema"', '"my.other"'):
        assert counted(backend.execute(f"select * from {place}.u")) == counted(ROWS)
        assert ks.check(backend.url, f"{place}.u", quasi_identifiers=["A"], k=4).holds
    with pytest.raises(ks.RequestError, match="exists"):
        ks.anonymize(backend.url, policy('"My Schema".T', "u", "A", "b"))
    ks.anonymize(backend.url, policy('"My Schema".T', "u", "A", "b"), replace=True)
    assert counted(backend.execute('select * from "My Schema".u')) == counted(ROWS)
    assert counted(backend.execute('select * from "My Schema"."T"')) == counted(ROWS)


@pytest.mark.engines("postgresql")
def test_the_search_path_decides_what_a_bare_name_means(backend: Database) -> None:
    assert isinstance(backend, PostgreSQL)
    backend.execute('create schema "First"')
    backend.execute('create table "First".t (a integer, b text)')
    backend.execute(f'insert into "First".t values {", ".join(map(str, ROWS))}')
    backend.create("t", {"other": "integer"}, [(1,)])
    backend.at_home(f'alter database {backend.database} set search_path to "First", public')
    ks.anonymize(backend.url, policy("t", "u", "a", "b"))
    assert counted(backend.execute('select * from "First".u')) == counted(ROWS)
    assert "u" not in backend.tables()


@pytest.mark.engines("sqlite")
def test_the_main_schema_by_name(backend: Database) -> None:
    backend.create("t", {"a": "integer", "b": "text"}, ROWS)
    ks.anonymize(backend.url, policy("main.t", "main.u", "a", "b"))
    ks.anonymize(backend.url, policy("t", "main.u", "a", "b"), replace=True)
    assert counted(backend.rows("u")) == counted(ROWS)
    assert ks.check(backend.url, "main.u", quasi_identifiers=["a"], k=4).holds


@pytest.fixture
def attached(tmp_path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Return a DuckDB connection with two more databases, one of which contains the source."""
    with duckdb.connect(str(tmp_path / "home.duckdb")) as connection:
        for name in ("Other DB", "third"):
            connection.execute(f"attach '{tmp_path / name}.duckdb' as \"{name}\"")
        connection.execute('create schema "Other DB"."My Schema"')
        for place in ('"Other DB".main', '"Other DB"."My Schema"'):
            connection.execute(f"create table {place}.t (a integer, b text)")
            connection.executemany(f"insert into {place}.t values (?, ?)", ROWS)
        connection.execute("create table t (nothing integer)")
        yield connection


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Other DB.main.t", "u"),
        ("Other DB.My Schema.t", "u"),
        ("Other DB.My Schema.t", "third.main.u"),
        ("Other DB.My Schema.t", "Other DB.main.u"),
        ("Other DB.main.t", "home.main.u"),
    ],
)
def test_an_attached_database(attached: duckdb.DuckDBPyConnection, source: str, target: str) -> None:
    ks.anonymize(attached, policy(source, target, "a", "b"))
    beside = "Other DB.main" if "main" in source else "Other DB.My Schema"
    place = target if "." in target else f"{beside}.u"
    quoted = ".".join(f'"{part}"' for part in place.split("."))
    assert counted(attached.execute(f"select * from {quoted}").fetchall()) == counted(ROWS)
    assert ks.check(attached, place, quasi_identifiers=["a"], k=4).holds
    assert len(attached.execute("select * from duckdb_tables() where not internal and not temporary").fetchall()) == 4


def test_a_name_without_a_database_means_the_current_one(attached: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(ks.RequestError, match="does not exist"):
        ks.anonymize(attached, policy("My Schema.t", "u", "a", "b"))


@pytest.fixture
def neighbour(backend: Database) -> Iterator[str]:
    """Create another database on the same server that contains the source."""
    assert isinstance(backend, MariaDB)
    name = f"{backend.database} My-DB"
    backend.at_home(f"create database `{name}` character set utf8mb4")
    backend.execute(f"create table `{name}`.`T` (a integer, b text)")
    backend.execute(f"insert into `{name}`.`T` values {', '.join(map(str, ROWS))}")
    yield name
    backend.at_home(f"drop database `{name}`")


@pytest.mark.engines("mariadb")
def test_another_database(backend: Database, neighbour: str) -> None:
    assert isinstance(backend, MariaDB)
    backend.create("T", {"other": "integer"}, [(1,)])
    ks.anonymize(backend.url, policy(f"{neighbour}.T", "u", "a", "b"))
    ks.anonymize(backend.url, policy(f"{neighbour}.T", f"{backend.database}.u", "a", "b"))
    for place in (neighbour, backend.database):
        assert counted(backend.execute(f"select * from `{place}`.u")) == counted(ROWS)
        assert ks.check(backend.url, written(place, "u"), quasi_identifiers=["a"], k=4).holds
    ks.anonymize(backend.url, policy(f"{neighbour}.T", "u", "a", "b"), replace=True)
    assert backend.tables() == {"T", "u"}


@pytest.mark.engines("duckdb", "postgresql")
@pytest.mark.parametrize(
    ("asked", "meant"), [("patients", "clinic.patients"), ("patient", "clinic.patients"), ("clinic.patient", "clinic.patients")]
)
def test_a_missing_table_is_suggested_with_its_schema(backend: Database, asked: str, meant: str) -> None:
    backend.execute("create schema clinic")
    backend.execute("create table clinic.patients (a integer)")
    with pytest.raises(ks.RequestError, match=rf"table {asked} does not exist \(did you mean '{meant}'\?\)"):
        ks.profile(backend.url, asked)


def test_a_table_of_the_current_schema_is_suggested_first(backend: Database) -> None:
    if backend.name in ("duckdb", "postgresql"):
        backend.execute("create schema clinic")
        backend.execute("create table clinic.patients (a integer)")
    backend.create("patients", {"a": "integer"})
    with pytest.raises(ks.RequestError, match=r"\(did you mean 'patients'\?\)"):
        ks.profile(backend.url, "patiens")
    with pytest.raises(ks.RequestError, match=r"\(did you mean 'patients'\?\)"):
        ks.profile(backend.url, "nowhere.patiens")


@pytest.mark.engines("mariadb")
def test_a_missing_table_is_suggested_with_its_database(backend: Database, neighbour: str) -> None:
    backend.execute(f"create table `{neighbour}`.patients (a integer)")
    with pytest.raises(ks.RequestError, match=f"did you mean '{neighbour}.patients'"):
        ks.profile(backend.url, "patiens")


@pytest.mark.engines("sqlite")
def test_a_missing_table_is_suggested_with_its_attached_database(backend: Database, tmp_path: Path) -> None:
    engine = create_engine(backend.url)
    with engine.connect() as connection:
        connection.exec_driver_sql("attach ? as clinic", (str(tmp_path / "clinic.db"),))
        connection.exec_driver_sql("create table clinic.patients (a integer)")
        connection.commit()
        with pytest.raises(ks.RequestError, match=r"did you mean 'clinic.patients'"):
            ks.profile(connection, "patiens")
    engine.dispose()


def test_a_missing_table_is_suggested_with_its_attached_file(attached: duckdb.DuckDBPyConnection) -> None:
    attached.execute('create table "Other DB"."My Schema".patients (a integer)')
    with pytest.raises(ks.RequestError, match=r"did you mean 'Other DB.My Schema.patients'"):
        ks.profile(attached, "patiens")
