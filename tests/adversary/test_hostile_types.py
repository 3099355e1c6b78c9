"""Every column type of an engine in every role: a release that a plain recount confirms, or an error that names the column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import duckdb
import pytest
from adversary.recount import Cells, class_sizes, exact_rows
from support.databases import Database
from support.engine_types import GROUPABLE, ONLY_KEPT, OTHER, SETUP

import kanon_sql as ks

K = 2
LONG = "repeat('x', 70000)"

# Types and values beyond those of tests/engine_types.py, many in pairs that a careless comparison takes for one.
MORE: dict[str, dict[str, list[str]]] = {
    "duckdb": {
        "varchar": ["'é'", "'e\u0301'", "'a'", "'a '", "chr(0) || 'a'", "chr(0) || 'b'", LONG, f"{LONG} || 'y'"],
        "varchar collate nfc": ["'é'", "'e\u0301'"],
        "bignum": ["'1'", "'-1'", "'123456789012345678901234567890123456789012345678901234567890'"],
        "time_ns": ["'12:00:00.000000001'", "'12:00:00.000000002'"],
        "varchar[]": ["['a']", "['A']", "[null]", "[]"],
        "integer[][]": ["[[1], []]", "[[1]]"],
        "double[2]": ["[0.0, 1.0]", "[-0.0::double, 1.0]"],
        "struct(a struct(b varchar[]))": ["{'a': {'b': ['x']}}", "{'a': {'b': []}}"],
        "map(varchar, struct(x integer))": ["map {'k': {'x': 1}}", "map {}"],
        "date": ["'5877641-06-25 (BC)'", "'5881580-07-10'", "'2020-02-29'"],
        "timestamp": ["'290309-12-22 (BC) 00:00:00'", "'294247-01-10 04:00:54.775806'"],
        "interval": ["'24 hours'", "'1 day'", "'-1 month 30 days'"],
    },
    "sqlite": {
        "any": ["1", "'one'", "'1'", "1.0", "x'31'", "x'6f6e65'"],
        "text": ["'é'", "'e\u0301'", "'a'", "'a '", "'a' || char(0) || 'b'", "'a' || char(0) || 'c'", "hex(zeroblob(35000))"],
        "text collate rtrim": ["'a'", "'a '", "'a  '"],
        "integer": ["9007199254740993", "9007199254740992", "9007199254740992.0"],
        "date": ["'2020-02-30'", "'0000-00-00'", "2451545.5", "'infinity'"],
        "datetime": ["1582934399", "'now'"],
        "varchar(10)": ["x'ff00'", "'ff00'"],
        "geometry": ["x'0001'", "'POINT(1 2)'"],
    },
    "postgresql": {
        "text": ["'é'", "U&'e\\0301'", "'a'", "'a '", LONG, f"{LONG} || 'y'"],
        "mood[]": ["'{ß}'", "'{}'"],
        "pair[]": ["array[row(1.0, 'x')::pair]", "array[row(1.00, 'x')::pair]"],
        "grades": ["'{1,2}'", "'{2,1}'"],
        "int8range": ["'[1,5)'", "'empty'", "'(,)'"],
        "numrange": ["'[1.0,2)'", "'[1.00,2)'"],
        "daterange": ["'[2020-01-01,infinity)'", "'[2020-01-01,)'"],
        "tstzrange": ["'[2020-01-01 00:00+05,2020-01-02 00:00+05)'"],
        "int4multirange": ["'{[1,3),[5,7)}'", "'{}'"],
        "tsquery": ["'fat & cat'", "'cat & fat'"],
        "jsonpath": ["'$.a'", "'$.b'"],
        "pg_lsn": ["'0/1'", "'FFFFFFFF/FFFFFFFF'"],
        "macaddr8": ["'08:00:2b:01:02:03:04:05'", "'08:00:2b:01:02:03:04:06'"],
        "box": ["'(1,1),(0,0)'", "'(2,2),(0,0)'"],
        "circle": ["'<(0,0),1>'", "'<(0,0),2>'"],
        "line": ["'{1,2,3}'"],
        "lseg": ["'[(0,0),(1,1)]'"],
        "path": ["'[(0,0),(1,1)]'", "'((0,0),(1,1))'"],
        "polygon": ["'((0,0),(1,1),(1,0))'"],
        "regclass": ["'pg_class'", "'pg_type'"],
        "regtype": ["'integer'", "'text'"],
        "xid": ["'1'", "'2'"],
        "tid": ["'(0,1)'", "'(0,2)'"],
        "date": ["'4713-01-01 BC'", "'5874897-12-31'"],
        "timestamp": ["'4713-01-01 00:00:00 BC'", "'294276-12-31 23:59:59.999999'", "'-infinity'"],
        "timestamptz": ["'infinity'", "'2020-10-25 02:30 Europe/Berlin'", "'2020-10-25 01:30+00'"],
        "interval": ["'24 hours'", "'1 day'", "'-1 month 30 days'"],
        "numeric": ["'Infinity'", "'-Infinity'", "1e-100", "1e100"],
        "bit(64)": ["B'1'::bit(64)", "B'0'::bit(64)"],
    },
    "mariadb": {
        "varchar(30) character set utf8mb4": ["'é'", "'e\u0301'", "'a'", "'a '", "concat('a', char(0), 'b')", "concat('a', char(0), 'c')"],
        "longtext character set utf8mb4": [LONG, f"concat({LONG}, 'y')"],
        "varchar(20) collate utf8mb4_nopad_bin": ["'a'", "'a '"],
        "varchar(20) collate utf8mb4_general_ci": ["'A'", "'a'", "'a '"],
        "varchar(20) character set ucs2": ["'ß'", "'a'"],
        "varchar(20) character set binary": ["'ß'", "'a'"],
        "float": ["3.4028234e38", "1.1754944e-38", "-0.1"],
        "double unsigned": ["0", "0.1"],
        "tinyblob": ["x'00'", "x'0000'"],
        "bit(64)": ["b'1'", "0xffffffffffffffff"],
        "bit(1)": ["b'0'", "b'1'"],
        "linestring": ["st_geomfromtext('LINESTRING(0 0,1 1)')", "st_geomfromtext('LINESTRING(0 0,2 2)')"],
        "polygon": ["st_geomfromtext('POLYGON((0 0,1 0,1 1,0 0))')"],
        "geometry": ["point(1, 2)", "st_geomfromtext('LINESTRING(0 0,1 1)')"],
        "date": ["'0001-01-01'", "'2020-02-29'"],
        "time": ["'-00:00:01'", "'00:00:01'"],
        "enum('a','A ','á') collate utf8mb4_bin": ["'a'", "'A '", "'á'"],
    },
}  # fmt: skip

MORE_SETUP = {
    "postgresql": [
        "create domain grades as integer[] check (array_length(value, 1) > 0)",
    ],
}

# Types whose values cannot be grouped: kept, dropped and emptied like all others, refused by name in every other role.
UNGROUPABLE = {
    "duckdb": [
        "bignum", "time_ns", "varchar[]", "integer[][]", "double[2]", "struct(a struct(b varchar[]))", "map(varchar, struct(x integer))",
    ],
    "sqlite": ["geometry"],
    "postgresql": [
        "mood[]", "pair[]", "grades", "int8range", "numrange", "daterange", "tstzrange", "int4multirange", "tsquery", "jsonpath", "pg_lsn",
        "box", "circle", "line", "lseg", "path", "polygon", "regclass", "regtype", "xid", "tid",
    ],
    "mariadb": ["varchar(20) character set binary", "tinyblob", "bit(64)", "bit(1)", "linestring", "polygon", "geometry"],
}  # fmt: skip

QUASI = {"role": "quasi_identifier", "hierarchy": "suppress"}
SENSITIVE = {"role": "sensitive", "accept_unique": True}
HASHED = {"role": "identifier", "action": "hash", "key": "env:ADVERSARY_KEY"}
NUMBERED = {"role": "identifier", "action": "sequence"}


@dataclass(frozen=True)
class Zoo:
    """The table `zoo`: a group number and one column per type."""

    backend: Database
    types: dict[str, str]  # column -> declared type
    values: dict[str, list[str]]  # column -> literals

    def make(self, rows: list[list[str]]) -> Counter[Cells]:
        """Create the table and return its rows."""
        declared = ", ".join(f"{name} {kind}" for name, kind in self.types.items())
        self.backend.execute(f"create table zoo (g integer, {declared})")
        self.backend.execute(f"insert into zoo values {', '.join('(' + ', '.join(row) + ')' for row in rows)}")
        return self.rows("zoo")

    def rows(self, table: str, *columns: str) -> Counter[Cells]:
        """Return the rows of the table or of a release, with some or all columns."""
        return exact_rows(self.backend, table, columns or ("g", *self.types))

    def row(self, group: int, changed: Mapping[str, str]) -> list[str]:
        """Return a row with the first value of every column, except for the changes."""
        return [str(group), *(self._literal(name, changed.get(name, values[0])) for name, values in self.values.items())]

    def _literal(self, name: str, value: str) -> str:
        """Return a literal cast to the column's type, because all rows of a statement must have the same type."""
        cast = self.backend.name in ("duckdb", "postgresql")
        return f"cast({value} as {self.types[name].split(' collate ')[0]})" if cast else value


def zoo_of(backend: Database, *, groupable: bool) -> Zoo:
    """Return all types of an engine, or those that can be grouped."""
    for statement in [*SETUP[backend.name], *MORE_SETUP.get(backend.name, [])]:
        backend.execute(statement)
    values: dict[str, list[str]] = {}
    for listed in (GROUPABLE, MORE, ONLY_KEPT, OTHER):
        for kind, literals in listed[backend.name].items():
            values[kind] = list(dict.fromkeys([*values.get(kind, []), *literals, "null"]))
    if backend.name == "duckdb" and duckdb.__version__.startswith("1."):
        del values["union(num integer, word varchar)"]  # NULL becomes a union that holds NULL there
    if groupable:
        for kind in [*OTHER[backend.name], *UNGROUPABLE[backend.name]]:
            values.pop(kind, None)
    names = {f"c{place}": kind for place, kind in enumerate(values)}
    return Zoo(backend, names, {name: values[kind] for name, kind in names.items()})


def varied_rows(zoo: Zoo) -> list[list[str]]:
    """Return rows that differ from the first rows in one value only: each changed value is rare and close to a frequent one."""
    rows = [zoo.row(1, {})] * K
    for name, values in zoo.values.items():
        for place, value in enumerate(values[1:]):
            rows += [zoo.row(1, {name: value})] * (1 if place % 2 else K)
    return rows


def diverse_rows(zoo: Zoo) -> list[list[str]]:
    """Return a class with two values in every column, and for each column a class in which only that column has one value."""
    rows = [zoo.row(0, {name: values[place] for name, values in zoo.values.items()}) for place in range(2)]
    for group, alone in enumerate(zoo.values, 1):
        rows += [zoo.row(group, {name: values[place] for name, values in zoo.values.items() if name != alone}) for place in range(2)]
    return rows


def policy(rules: Mapping[str, Any], publish: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    return {"table": "zoo", "publish": publish, "privacy": {"k": K}, "columns": {"g": QUASI, **rules}, **changes}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADVERSARY_KEY", "a key of thirty-two characters!!")


ANY = {
    "kept": {"role": "insensitive", "accept_unique": True},
    "dropped": "identifier",
    "emptied": {"role": "identifier", "action": "null"},
}
WAYS: dict[str, dict[str, Any]] = {"new table": {"into": "released"}, "in place": {"in_place": True}}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("role", ANY)
def test_types_of_ungrouped_columns(backend: Database, role: str, way: str) -> None:
    zoo = zoo_of(backend, groupable=False)
    before = zoo.make(varied_rows(zoo))
    publish = {**WAYS[way], "allow_loss": checks_on_json(zoo)} if way == "in place" and role != "kept" else WAYS[way]
    report = ks.anonymize(backend.url, policy(dict.fromkeys(zoo.types, ANY[role]), publish), yes=True)
    assert (report.published_rows, report.suppressed_rows) == (before.total(), 0)
    table = WAYS[way].get("into", "zoo")
    if role == "kept":
        assert zoo.rows(table) == before
    elif role == "emptied":
        assert zoo.rows(table) == {(next(iter(before))[0], *[None] * len(zoo.types)): before.total()}
    else:
        assert zoo.rows(table, "g").total() == before.total()
        assert {len(row) for row in backend.execute(f"select * from {table}")} == {1}


def checks_on_json(zoo: Zoo) -> list[str]:
    """Return the checks that MariaDB adds to a column of JSON."""
    return [f"zoo_{name}_check" for name, kind in zoo.types.items() if zoo.backend.name == "mariadb" and kind == "json"]


COUNTED: dict[str, tuple[Any, dict[str, Any], int | None]] = {
    "level 0": (QUASI, {"suppression": 1.0}, 0),
    "root": (QUASI, {}, 1),
    "no hierarchy": ("quasi_identifier", {"algorithm": "datafly", "suppression": 0.5}, None),
    "regions": (QUASI, {"algorithm": "mondrian"}, None),
}


@pytest.mark.parametrize(("form", "way"), [*((form, "new table") for form in COUNTED), ("root", "in place")])
def test_types_of_quasi_identifiers(backend: Database, form: str, way: str) -> None:
    rule, changes, level = COUNTED[form]
    zoo = zoo_of(backend, groupable=True)
    before = zoo.make(varied_rows(zoo))
    rules: dict[str, Any] = dict.fromkeys(zoo.types, rule)
    if form == "no hierarchy":  # the one chosen for dates has no place for text, nor for years of more than four digits
        rules |= {name: QUASI for name, kind in zoo.types.items() if kind.startswith(("date", "timestamp"))}
    levels = None if level is None else {"g": 0} | dict.fromkeys(zoo.types, level)
    report = ks.anonymize(backend.url, policy(rules, WAYS[way], **changes), levels=levels, yes=True)
    released = zoo.rows(WAYS[way].get("into", "zoo"))
    assert min(released.values()) >= K, "a class is smaller than k"
    assert (released.total(), before.total()) == (report.published_rows, report.published_rows + report.suppressed_rows)
    if form == "level 0":
        frequent = Counter({row: count for row, count in before.items() if count >= K})
        missing = {zoo.types[name] for row in frequent - released for name in differing(zoo, before, row)}
        assert missing <= RESPELLED[backend.name], "values that k rows share were not published as they are"


# Types in which one value has several spellings, which are counted and published as one: 0 and -0, 1.0 and 1.00.
RESPELLED = {
    "duckdb": {"float", "double"},
    "sqlite": {"real", "any", "numeric", "integer"},
    "postgresql": {"real", "double precision", "numeric"},
    "mariadb": {"double"},
}


HASHED_ALIKE = {"text"}  # a hash is of a value's text, which a text and a blob of SQLite may share


def differing(zoo: Zoo, rows: Counter[Cells], row: Cells) -> list[str]:
    """Return the columns in which a row does not have the most frequent value."""
    usual = [class_sizes(rows, [place]).most_common(1)[0][0][0] for place in range(len(row))]
    return [name for name, one, other in zip(["g", *zoo.types], usual, row, strict=True) if one != other]


def test_types_of_sensitive_columns(backend: Database) -> None:
    zoo = zoo_of(backend, groupable=True)
    before = zoo.make(diverse_rows(zoo))
    diverse = {"k": K, "l_diversity": [{"column": name, "l": 2} for name in zoo.types]}
    given = policy(dict.fromkeys(zoo.types, SENSITIVE), {"into": "released"}, privacy=diverse, suppression=1.0)
    report = ks.anonymize(backend.url, given, levels={"g": 0})
    released = zoo.rows("released")
    assert (released.total(), released.total() + report.suppressed_rows) == (K, before.total())
    assert released <= before
    assert all(len({row[place] for row in released}) == 2 for place in range(1, len(zoo.types) + 1))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("action", ["hash", "sequence"])
def test_types_of_pseudonyms(backend: Database, action: str, way: str) -> None:
    zoo = zoo_of(backend, groupable=True)
    before = zoo.make(varied_rows(zoo))
    ks.anonymize(backend.url, policy(dict.fromkeys(zoo.types, HASHED if action == "hash" else NUMBERED), WAYS[way]), yes=True)
    table = WAYS[way].get("into", "zoo")
    released = backend.execute(f"select {', '.join(zoo.types)} from {table}")
    assert len(released) == before.total()
    for place, name in enumerate(zoo.types):
        found = Counter(row[place] for row in released)
        frequencies = sorted(class_sizes(before, [place + 1]).values())
        assert action == "hash" or sorted(int(value) for value in found if value is not None) == list(
            range(1, len(set(found) - {None}) + 1)
        )
        assert action != "hash" or all(len(value) == 64 and set(value) <= set("0123456789abcdef") for value in found if value is not None)
        respelled = zoo.types[name] in RESPELLED[backend.name] | (HASHED_ALIKE if action == "hash" else set())
        assert respelled or sorted(found.values()) == frequencies, f"pseudonyms of {zoo.types[name]} merge or divide values"


REFUSED: dict[str, tuple[Any, dict[str, Any]]] = {
    "quasi-identifier": (QUASI, {}),
    "sensitive": (SENSITIVE, {"l_diversity": [{"column": "x", "l": 2}]}),
    "hash": (HASHED, {}),
    "sequence": (NUMBERED, {}),
}


@pytest.mark.parametrize("role", REFUSED)
def test_types_that_cannot_be_counted_are_refused_by_name(backend: Database, role: str) -> None:
    rule, privacy = REFUSED[role]
    zoo = zoo_of(backend, groupable=False)
    before = zoo.make(varied_rows(zoo))
    for name, kind in zoo.types.items():
        if kind not in (*OTHER[backend.name], *UNGROUPABLE[backend.name]):
            continue
        named = {model: [{**entry, "column": name} for entry in entries] for model, entries in privacy.items()}
        with pytest.raises(ks.RequestError, match=f"column '{name}'"):
            ks.anonymize(backend.url, policy({name: rule}, {"into": "released"}, privacy={"k": K, **named}, others="drop"))
    assert (backend.tables(), zoo.rows("zoo")) == ({"zoo"}, before)
