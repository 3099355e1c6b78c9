"""Every common type of each engine: kept unchanged, published at level 0, generalized, or refused by name."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Callable, Iterable
from decimal import ROUND_FLOOR, Decimal, localcontext
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import NullPool, create_engine
from support.databases import Database
from support.engine_types import GROUPABLE, ONLY_KEPT, OTHER, SETUP, SPELLED

import kanon_sql as ks

DECLARED = {
    "duckdb": "select column_name, data_type from duckdb_columns() where table_name = '{}'",
    "sqlite": "select name, type from pragma_table_xinfo('{}')",
    "postgresql": (
        "select attname, format_type(atttypid, atttypmod) || coalesce(' ' || collname, '') from pg_attribute "
        "left join pg_collation as c on c.oid = attcollation where attrelid = '{}'::regclass and attnum > 0"
    ),
    "mariadb": (
        "select column_name, concat(column_type, coalesce(concat(' ', collation_name), '')) from information_schema.columns "
        "where table_schema = database() and table_name = '{}'"
    ),
}

LABEL_TYPE = {"duckdb": "VARCHAR", "sqlite": "TEXT", "postgresql": "text default", "mariadb": "text utf8mb4_general_ci"}


@pytest.fixture(autouse=True)
def made_types(backend: Database) -> None:
    """Create the enums, domains and composites that the tests use."""
    for statement in SETUP[backend.name]:
        backend.execute(statement)


def for_each(backend: Database, cases: Iterable[str], test: Callable[[Database, str], None]) -> None:
    """Run a test for every case in one database and report all failed cases."""
    wrong = {}
    for case in cases:
        try:
            test(backend, case)
        except (AssertionError, ks.KanonError) as problem:
            wrong[case] = f"{type(problem).__name__}: {problem}"
        except pytest.fail.Exception as problem:
            wrong[case] = str(problem)
    assert not wrong, "\n\n".join(f"{case or 'untyped'}: {problem}" for case, problem in wrong.items())


def make(backend: Database, declared: str, values: list[str]) -> None:
    """Create the table `typed` with one column `x` of a type and one row per value, and drop its release."""
    for table in ("typed", "typed_anon"):
        backend.drop(table)
    backend.execute(f"create table typed (n integer, x {declared})")
    listed = ", ".join(f"({number}, {value})" for number, value in enumerate(values))
    backend.execute(f"insert into typed values {listed}")


def spelled(backend: Database, table: str) -> Counter[str | None]:
    """Return the number of rows per value of `x`."""
    return Counter(row[0] for row in backend.execute(f"select {SPELLED[backend.name].format('x')} from {table}"))


def declared_types(backend: Database, table: str) -> dict[str, str]:
    return dict(backend.execute(DECLARED[backend.name].format(table)))


def policy(rule: Any, k: int = 2, **changes: Any) -> dict[str, Any]:
    columns = {"n": {"role": "insensitive", "accept_unique": True}, "x": rule}
    return {"table": "typed", "publish": {"into": "typed_anon"}, "privacy": {"k": k}, "columns": columns, **changes}


def quasi(hierarchy: Any) -> dict[str, Any]:
    return {"role": "quasi_identifier", "hierarchy": hierarchy}


def test_kept_columns_keep_type_and_values(backend: Database) -> None:
    every = [*GROUPABLE[backend.name].items(), *OTHER[backend.name].items(), *ONLY_KEPT[backend.name].items()]
    types = {f"c{number}": declared for number, (declared, _) in enumerate(every)}
    backend.execute(f"create table typed (g integer, {', '.join(f'{name} {declared}' for name, declared in types.items())})")
    for place in range(max(len(values) for _, values in every)):
        row = [values[place] if place < len(values) else "null" for _, values in every]
        backend.execute(f"insert into typed values (1, {', '.join(row)})")
    rules: dict[str, Any] = {name: {"role": "insensitive", "accept_unique": True} for name in types}
    ks.anonymize(backend.url, policy("", columns={"g": quasi("suppress"), **rules}))
    assert declared_types(backend, "typed_anon") == declared_types(backend, "typed")
    expressions = ", ".join(SPELLED[backend.name].format(name) for name in types)
    assert Counter(backend.execute(f"select {expressions} from typed_anon")) == Counter(backend.execute(f"select {expressions} from typed"))


def test_level_zero_keeps_type_and_values(backend: Database) -> None:
    for_each(backend, GROUPABLE[backend.name], level_zero_keeps_type_and_values)


def level_zero_keeps_type_and_values(backend: Database, declared: str) -> None:
    values = [*GROUPABLE[backend.name][declared], "null"]
    make(backend, declared, values * 2)
    before = backend.execute(f"select n, {SPELLED[backend.name].format('x')} from typed order by n")
    report = ks.anonymize(backend.url, policy(quasi("suppress")))
    assert report.levels == {"x": 0}
    assert report.classes == len(values)
    assert declared_types(backend, "typed_anon") == declared_types(backend, "typed")
    assert backend.execute(f"select n, {SPELLED[backend.name].format('x')} from typed_anon order by n") == before
    assert ks.check(backend.url, "typed_anon", quasi_identifiers=["x"], k=2).release.classes == len(values)


def test_a_rare_value_sends_every_column_to_the_root(backend: Database) -> None:
    types = {f"c{number}": declared for number, declared in enumerate(GROUPABLE[backend.name])}
    backend.execute(f"create table typed ({', '.join(f'{name} {declared}' for name, declared in types.items())})")
    for place in (0, 0, 1):
        backend.execute(f"insert into typed values ({', '.join(values[place] for values in GROUPABLE[backend.name].values())})")
    report = ks.anonymize(backend.url, policy("", columns=dict.fromkeys(types, quasi("suppress"))))
    assert report.levels == dict.fromkeys(types, 1)
    assert set(declared_types(backend, "typed_anon").values()) == {LABEL_TYPE[backend.name]}
    assert backend.execute("select * from typed_anon") == [("*",) * len(types)] * 3


def test_types_that_cannot_be_grouped_are_refused_as_quasi_identifiers(backend: Database) -> None:
    for_each(backend, OTHER[backend.name], what_cannot_be_grouped_is_refused_as_a_quasi_identifier)


def what_cannot_be_grouped_is_refused_as_a_quasi_identifier(backend: Database, declared: str) -> None:
    make(backend, declared, OTHER[backend.name][declared] * 2)
    tables, before = backend.tables(), spelled(backend, "typed")
    word = declared.split("(")[0].split("[")[0]
    for rule in (quasi("suppress"), "quasi_identifier"):
        with pytest.raises(ks.HierarchyError, match=rf"(?i)column 'x' has type .*{spoken(backend, word)}.*cannot be a quasi_identifier"):
            ks.anonymize(backend.url, policy(rule))
    with pytest.raises(ks.RequestError, match=r"column 'x' has type .*cannot be grouped"):
        ks.check(backend.url, "typed", quasi_identifiers=["x"], k=2)
    assert (backend.tables(), spelled(backend, "typed")) == (tables, before)


def spoken(backend: Database, word: str) -> str:
    """Return the name of the type in the engine's catalog."""
    return "(json|longtext)" if (backend.name, word) == ("mariadb", "json") else word


IDENTITY = {
    "duckdb": "id integer default nextval('numbers')",
    "sqlite": "id integer primary key autoincrement",
    "postgresql": "id bigint generated always as identity primary key",
    "mariadb": "id bigint unsigned auto_increment primary key",
}
GENERATED = {
    "duckdb": "twice integer generated always as (n * 2)",
    "sqlite": "twice integer generated always as (n * 2) virtual, thrice integer generated always as (n * 3) stored",
    "postgresql": "twice integer generated always as (n * 2) stored",
    "mariadb": "twice integer generated always as (n * 2) virtual, thrice integer generated always as (n * 3) stored",
}


@pytest.mark.parametrize("role", ["insensitive", "quasi_identifier"])
def test_generated_and_identity_columns_become_plain_values(backend: Database, role: str) -> None:
    if backend.name == "duckdb":
        backend.execute("create sequence numbers")
    backend.execute(f"create table typed ({IDENTITY[backend.name]}, g integer, n integer default 7 not null, {GENERATED[backend.name]})")
    for number in (1, 1, 2, 2):
        backend.execute(f"insert into typed (g) values ({number})")
    generated = [name for name in declared_types(backend, "typed") if name not in ("id", "g", "n")]
    rule: Any = quasi("suppress") if role == "quasi_identifier" else role
    kept = {"id": {"role": "insensitive", "accept_unique": True}, "n": "insensitive"}
    columns = {**kept, "g": quasi("suppress"), **dict.fromkeys(generated, rule)}
    ks.anonymize(backend.url, policy("", columns=columns))
    assert declared_types(backend, "typed_anon") == declared_types(backend, "typed")
    everything = f"select id, g, n, {', '.join(generated)} from"
    assert sorted(backend.execute(f"{everything} typed_anon")) == backend.execute(f"{everything} typed order by id")
    backend.execute(f"insert into typed_anon (id, g, n, {generated[0]}) values (1, 1, 1, 77)")


NEGATIVE_ZERO = {"duckdb": "-0.0::double", "sqlite": "-0.0", "postgresql": "'-0'", "mariadb": "-0e0"}


def test_minus_zero_is_published_as_zero(backend: Database) -> None:
    make(backend, "double precision" if backend.name != "duckdb" else "double", [NEGATIVE_ZERO[backend.name], "0.0", "1.5", "1.5"])
    assert ks.anonymize(backend.url, policy(quasi("suppress"))).classes == 2
    zero = {"duckdb": "0.0", "sqlite": "real 0.0", "postgresql": "0", "mariadb": "30"}[backend.name]
    assert spelled(backend, "typed_anon")[zero] == 2


@pytest.mark.engines("postgresql")
def test_numbers_without_a_scale_are_published_in_one_spelling(backend: Database) -> None:
    make(backend, "numeric", ["1.0", "1.00", "2", "2"])
    report = ks.anonymize(backend.url, policy(quasi("suppress")))
    assert report.levels == {"x": 0}
    assert sorted(spelled(backend, "typed_anon").values()) == [2, 2]


@pytest.mark.engines("duckdb")
def test_every_nan_is_one_value(backend: Database) -> None:
    make(backend, "double", ["'nan'", "-'nan'::double", "1", "1"])
    assert ks.anonymize(backend.url, policy(quasi("suppress"))).levels == {"x": 0}
    assert ks.check(backend.url, "typed_anon", quasi_identifiers=["x"], k=2).release.classes == 2


@pytest.mark.engines("sqlite")
@pytest.mark.parametrize("values", [["1", "'1'"], ["x'61'", "'a'"]], ids=["number and text", "blob and text"])
@pytest.mark.parametrize("declared", ["", "text"], ids=["untyped", "text"])
def test_values_of_two_storage_classes_are_two_values(backend: Database, values: list[str], declared: str) -> None:
    make(backend, declared, values)
    classes = len(spelled(backend, "typed"))
    assert ks.check(backend.url, "typed", quasi_identifiers=["x"], k=2).release.classes == classes
    ks.anonymize(backend.url, policy(quasi("suppress")))
    assert min(spelled(backend, "typed_anon").values()) >= 2


def labels(backend: Database, declared: str, hierarchies: list[Any], values: list[str], trigger: tuple[str, str]) -> list[list[Any]]:
    """Return the labels of level 1 per hierarchy; two rare values with the same label force generalization."""
    for table in ("typed", "typed_anon"):
        backend.drop(table)
    names = [f"x{number}" for number in range(len(hierarchies))]
    backend.execute(f"create table typed (n integer, {', '.join(f'{name} {declared}' for name in names)})")
    every = [*values, *values, *trigger]
    listed = ", ".join(f"({number}, {', '.join([value] * len(names))})" for number, value in enumerate(every))
    backend.execute(f"insert into typed values {listed}")
    rules = {name: quasi(hierarchy) for name, hierarchy in zip(names, hierarchies, strict=True)}
    report = ks.anonymize(backend.url, policy("", columns={"n": {"role": "insensitive", "accept_unique": True}, **rules}))
    assert report.levels == dict.fromkeys(names, 1)
    rows = backend.execute(f"select {', '.join(names)} from typed_anon order by n")
    assert rows[: len(values)] == rows[len(values) : 2 * len(values)]
    return [[row[place] for row in rows[: len(values)]] for place in range(len(names))]


def interval(value: str, width: str, origin: str = "0") -> str:
    """Return the interval of a number, by exact arithmetic."""
    with localcontext(prec=80):
        number, step, start = Decimal(value), Decimal(width), Decimal(origin)
        low = start + ((number - start) / step).to_integral_value(ROUND_FLOOR) * step
        return f"[{shortest(low)},{shortest(low + step)})"


def shortest(number: Decimal) -> str:
    text = f"{number:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) if number else "0"


SIGNED = {8: ("-128", "127"), 16: ("-32768", "32767"), 32: ("-2147483648", "2147483647"), 64: (str(-(2**63)), str(2**63 - 1))}
INTEGERS: dict[str, dict[str, tuple[str, ...]]] = {
    "duckdb": {
        "tinyint": SIGNED[8], "smallint": SIGNED[16], "integer": SIGNED[32], "bigint": SIGNED[64],
        "hugeint": (str(-(2**100)), str(2**100)), "utinyint": ("0", "255"), "usmallint": ("0", "65535"),
        "uinteger": ("0", str(2**32 - 1)), "ubigint": ("0", str(2**64 - 1)),
    },
    "sqlite": {"integer": ("-9199999999999999990", "9199999999999999990"), "smallint": SIGNED[16]},
    "postgresql": {"smallint": SIGNED[16], "integer": SIGNED[32], "bigint": SIGNED[64]},
    "mariadb": {
        "tinyint": SIGNED[8], "tinyint unsigned": ("0", "255"), "smallint": SIGNED[16], "mediumint": ("-8388608", "8388607"),
        "int": SIGNED[32], "int unsigned": ("0", str(2**32 - 1)), "bigint": SIGNED[64], "bigint unsigned": ("0", str(2**64 - 1)),
        "year": ("1901", "2155"),
    },
}  # fmt: skip


def extremes(backend: Database, declared: str) -> list[str]:
    low, high = INTEGERS[backend.name][declared]
    return [low, high, *(["1999"] if declared == "year" else ["9", "10"]), *(["-1", "-10"] if low < "0" else [])]


def test_intervals_of_integers_up_to_their_limits(backend: Database) -> None:
    for_each(backend, INTEGERS[backend.name], intervals_of_integers_up_to_their_limits)


def intervals_of_integers_up_to_their_limits(backend: Database, declared: str) -> None:
    values = extremes(backend, declared)
    trigger = ("2001", "2002") if declared == "year" else ("1", "2")
    assert labels(backend, declared, [{"intervals": [10]}], values, trigger) == [[interval(value, "10") for value in values]]


def test_intervals_of_negative_numbers_with_an_origin(backend: Database) -> None:
    values = ["-23", "-8", "-3", "-1", "0", "6", "7", "16", "17"]
    rules = [{"intervals": [5, 10], "origin": 7}, {"intervals": [5, 10], "origin": -3}]
    found = labels(backend, "integer", rules, values, ("103", "104"))
    assert found == [[interval(value, "5", origin) for value in values] for origin in ("7", "-3")]


DOUBLE = {"duckdb": "double", "sqlite": "real", "postgresql": "double precision", "mariadb": "double"}


def test_intervals_of_floats(backend: Database) -> None:
    values = ["-0.3", "0.3", "0.7", "-0.05", "0.15", "2.5", "-2.5", "1.1", "-1234567.9", "123456789.7", "1e15", "-1e12"]
    widths = ["0.1", "0.05", "2.5", "10"]
    found = labels(backend, DOUBLE[backend.name], [{"intervals": [float(width)]} for width in widths], values, ("50.01", "50.02"))
    assert found == [[interval(value, width) for value in values] for width in widths]


SINGLE = {"duckdb": "float", "postgresql": "real", "mariadb": "float"}


@pytest.mark.engines(*SINGLE)
@pytest.mark.parametrize("width", ["0.5", "0.1"])
def test_bounds_are_in_the_precision_of_the_column(backend: Database, width: str) -> None:
    values = ["-0.5", "0.25", "1.75", "1048576", "-2.5", "0.1", "0.3", "0.7", "-0.3", "1.1"]
    found = labels(backend, SINGLE[backend.name], [{"intervals": [float(width)]}], values, ("50.01", "50.02"))
    assert found == [[interval(value, width) for value in values]]


def test_intervals_of_decimals(backend: Database) -> None:
    values = ["-0.0001", "0.0001", "0.01", "-0.01", "2.4999", "2.5", "-2.5", "-2.5001", "99999999999.9999"]
    widths = ["0.01", "2.5", "10"]
    rules = [{"intervals": [Decimal(width)]} for width in widths]
    found = labels(backend, "decimal(18,4)", rules, values, ("50.001", "50.002"))
    assert found == [[interval(value, width) for value in values] for width in widths]


@pytest.mark.engines("duckdb", "postgresql", "mariadb")
def test_intervals_of_decimals_beyond_64_bits(backend: Database) -> None:
    values = ["12345678901234567890.12", "-12345678901234567890.12", "1.05"]
    found = labels(backend, "decimal(30,2)", [{"intervals": [Decimal("0.1")]}, {"intervals": [10]}], values, ("50.01", "50.02"))
    assert found == [[interval(value, width) for value in values] for width in ("0.1", "10")]


INFINITE = {
    "duckdb": {"'nan'": "NaN", "'inf'": "Infinity", "'-inf'": "-Infinity"},
    "sqlite": {"9e999": "Infinity", "-9e999": "-Infinity"},
    "postgresql": {"'nan'": "NaN", "'infinity'": "Infinity", "'-infinity'": "-Infinity"},
}


@pytest.mark.engines(*INFINITE)
@pytest.mark.parametrize("precision", [DOUBLE, SINGLE], ids=["double", "single"])
def test_nonfinite_numbers_have_their_own_label(backend: Database, precision: dict[str, str]) -> None:
    expected = INFINITE[backend.name]
    found = labels(backend, precision.get(backend.name, "real"), [{"intervals": [0.1]}], [*expected, "0.25"], ("50.01", "50.02"))
    assert found == [[*expected.values(), "[0.2,0.3)"]]


NOT_IN_INTERVALS = {"duckdb": ["1e300"], "sqlite": ["1e300", "'text'"], "postgresql": ["1e300"], "mariadb": ["1e300"]}


def test_numbers_that_fit_no_interval_are_counted_and_refused(backend: Database) -> None:
    for_each(backend, NOT_IN_INTERVALS[backend.name], number_is_refused)


def number_is_refused(backend: Database, value: str) -> None:
    make(backend, DOUBLE[backend.name], [value, value, "1", "2"])
    with pytest.raises(ks.HierarchyError, match="'x': its hierarchy has no label for 1 distinct value in 2 rows"):
        ks.anonymize(backend.url, policy(quasi({"intervals": [0.1]})))
    assert "typed_anon" not in backend.tables()


@pytest.mark.engines("sqlite")
def test_integers_that_would_overflow_are_refused(backend: Database) -> None:
    make(backend, "integer", ["9223372036854775807", "9223372036854775807", "1", "2"])
    with pytest.raises(ks.HierarchyError, match="'x': its hierarchy has no label for 1 distinct value in 2 rows"):
        ks.anonymize(backend.url, policy(quasi({"intervals": [10]})))


@pytest.mark.engines("sqlite")
@pytest.mark.parametrize(("declared", "rule"), [("integer", {"intervals": [10]}), ("date", {"dates": ["year"]})])
def test_text_in_a_column_of_another_type_fits_no_hierarchy(backend: Database, declared: str, rule: Any) -> None:
    make(backend, declared, ["'unknown'", "'unknown'"])
    with pytest.raises(ks.HierarchyError, match="'x': its hierarchy has no label for 1 distinct value in 2 rows"):
        ks.anonymize(backend.url, policy(quasi(rule)))


DAYS = ["2018-12-31", "2020-12-31", "2021-01-01", "2021-01-03", "2021-01-04", "2024-12-30", "2026-12-31", "2027-01-03", "2016-01-01",
        "2000-02-29", "1969-12-31", "1000-01-01", "9999-12-31"]  # fmt: skip
UNITS = ["week", "month", "quarter", "year", "decade", "century"]


def unit_of(day: str, unit: str) -> str:
    date = datetime.date.fromisoformat(day)
    year, week, _ = date.isocalendar()
    return {
        "week": f"{year}-W{week:02d}",
        "month": day[:7],
        "quarter": f"{day[:4]}-Q{(date.month + 2) // 3}",
        "year": day[:4],
        "decade": f"{day[:3]}0s",
        "century": f"{day[:2]}00-{day[:2]}99",
    }[unit]


def test_units_of_dates(backend: Database) -> None:
    found = labels(backend, "date", [{"dates": [unit]} for unit in UNITS], [f"'{day}'" for day in DAYS], ("'1990-05-01'", "'1990-05-02'"))
    assert found == [[unit_of(day, unit) for day in DAYS] for unit in UNITS]


LOCAL = {"duckdb": "timestamp", "sqlite": "timestamp", "postgresql": "timestamp", "mariadb": "datetime(6)"}


@pytest.mark.parametrize("time", ["00:00:00", "23:59:59", "23:59:59.999", "23:59:59.999999"])
def test_units_of_timestamps(backend: Database, time: str) -> None:
    moments = [f"'{day} {time}'" for day in DAYS]
    trigger = ("'1990-05-01 00:00:00'", "'1990-05-01 00:00:01'")
    found = labels(backend, LOCAL[backend.name], [{"dates": [unit]} for unit in UNITS], moments, trigger)
    assert found == [[unit_of(day, unit) for day in DAYS] for unit in UNITS]


ZONED = {"duckdb": "timestamptz", "postgresql": "timestamptz", "mariadb": "timestamp(6) null"}
ZONED_DAYS = [day for day in DAYS if "1971" < day < "2037"]


def far_from_greenwich(backend: Database) -> Any:
    """Return a connection whose session time zone is half a day away."""
    if backend.name == "duckdb":
        connection = duckdb.connect(backend.url.removeprefix("duckdb:///"))
        connection.execute("set TimeZone = 'Pacific/Auckland'")
        return connection
    arguments = {"postgresql": {"options": "-c timezone=Pacific/Auckland"}, "mariadb": {"init_command": "set time_zone = '+12:00'"}}
    return create_engine(backend.url, poolclass=NullPool, connect_args=arguments[backend.name])


def close(connection: Any) -> None:
    connection.dispose() if hasattr(connection, "dispose") else connection.close()


def moment(backend: Database, day: str) -> str:
    """Return the last second of a day in UTC as a literal."""
    return f"convert_tz('{day} 23:59:59', '+00:00', @@session.time_zone)" if backend.name == "mariadb" else f"'{day} 23:59:59+00'"


@pytest.mark.engines(*ZONED)
def test_units_of_timestamps_do_not_depend_on_the_session_time_zone(backend: Database) -> None:
    values = [moment(backend, day) for day in ZONED_DAYS]
    make(backend, ZONED[backend.name], [*values, *values, moment(backend, "1990-05-01"), moment(backend, "1990-05-02")])
    connection = far_from_greenwich(backend)
    try:
        assert ks.anonymize(connection, policy(quasi({"dates": ["week"]}))).levels == {"x": 1}
    finally:
        close(connection)
    published = [row[0] for row in backend.execute("select x from typed_anon order by n")]
    assert published[: len(ZONED_DAYS)] == [unit_of(day, "week") for day in ZONED_DAYS]


@pytest.mark.engines(*ZONED)
def test_timestamps_keep_their_value_in_another_time_zone(backend: Database) -> None:
    values = [moment(backend, day) for day in ZONED_DAYS]
    make(backend, ZONED[backend.name], values * 2)
    connection = far_from_greenwich(backend)
    try:
        assert ks.anonymize(connection, policy(quasi("suppress"))).levels == {"x": 0}
    finally:
        close(connection)
    assert spelled(backend, "typed_anon") == spelled(backend, "typed")


BEYOND_CALENDAR = {"duckdb": ["'infinity'", "'0044-03-15 (BC)'"], "postgresql": ["'infinity'", "'0044-03-15 BC'"], "sqlite": ["'soon'"]}


@pytest.mark.engines(*BEYOND_CALENDAR)
@pytest.mark.parametrize("declared", ["date", "timestamp"])
def test_days_outside_the_calendar_are_counted_and_refused(backend: Database, declared: str) -> None:
    for day in BEYOND_CALENDAR[backend.name]:
        make(backend, declared, [day, day, "'1990-05-01'", "'1990-05-02'"])
        with pytest.raises(ks.HierarchyError, match="'x': its hierarchy has no label for 1 distinct value in 2 rows"):
            ks.anonymize(backend.url, policy(quasi({"dates": ["year"]})))


def test_mask_of_integers(backend: Database) -> None:
    values = ["-9223372036854775808", "9223372036854775807", "-5", "0", "42", "100"]
    (masked,) = labels(backend, "bigint", [{"mask": {"hide": [2]}}], values, ("777", "778"))
    assert masked == [value[:-2] + "*" * min(2, len(value)) for value in values]


WORDS = ["😀😁", "👩‍👩‍👧", "e\u0301", "é", "ß", "", "ab", "a", "日本語", "a b ", "🇩🇪", "it's", "back\\slash", "100%", "\u200b", "Ａｂ"]


@pytest.mark.parametrize("chars", ["*#'\\%{", "éß", "█日", "😀"], ids=["ascii", "latin", "unicode", "emoji"])
def test_mask_counts_code_points(backend: Database, chars: str) -> None:
    names = [f"x{number}" for number in range(len(chars))]
    words = [*WORDS, *WORDS, "xyz1", "xyz2"]
    rows = [(number, *[word] * len(names)) for number, word in enumerate(words)]
    backend.create("typed", {"n": "integer", **dict.fromkeys(names, "varchar(20)")}, rows)
    rules = {name: quasi({"mask": {"char": char, "hide": [1, 3]}}) for name, char in zip(names, chars, strict=True)}
    report = ks.anonymize(backend.url, policy("", columns={"n": {"role": "insensitive", "accept_unique": True}, **rules}))
    assert report.levels == dict.fromkeys(names, 1)
    published = backend.execute(f"select {', '.join(names)} from typed_anon order by n")
    assert published == [tuple(word[:-1] + char if word else "" for char in chars) for word in words]


UUIDS = ("'123e4567-e89b-12d3-a456-426614174000'", "'123e4567-e89b-12d3-a456-426614174001'")
LETTERS = ("'ab'", "'ac'")
TEXT_LIKE = {
    "duckdb": {"uuid": UUIDS, "time": ("'12:00:01'", "'12:00:02'"), "mood": ("'it''s'", "'100%'")},
    "sqlite": {"varchar(3)": ("'long'", "'lone'"), "char(5)": LETTERS},
    "postgresql": {"uuid": UUIDS, "inet": ("'10.0.0.1'", "'10.0.0.1/31'"), "char(5)": LETTERS, "mood": ("'it''s'", "'100%'")},
    "mariadb": {"uuid": UUIDS, "char(5)": LETTERS, "enum('ab','ac')": LETTERS, "set('ab','ac')": LETTERS},
}


def test_mask_of_types_that_read_as_text(backend: Database) -> None:
    for_each(backend, TEXT_LIKE[backend.name], mask_of_types_that_read_as_text)


def mask_of_types_that_read_as_text(backend: Database, declared: str) -> None:
    make(backend, declared, list(TEXT_LIKE[backend.name][declared]))
    written = [row[0] for row in backend.execute("select cast(x as char(100)) from typed")]
    shortest_word = min(len(word.rstrip()) for word in written)
    ks.anonymize(backend.url, policy(quasi({"mask": {"hide": [shortest_word]}})))
    for (published,) in backend.execute("select x from typed_anon"):
        assert set(published[-shortest_word:]) == {"*"}


@pytest.mark.engines("sqlite")
def test_fractions_in_a_column_of_integers_are_refused(backend: Database) -> None:
    make(backend, "integer", ["3.7", "3.7", "1", "2"])
    with pytest.raises(ks.HierarchyError, match="'x': its hierarchy has no label for 1 distinct value in 2 rows"):
        ks.anonymize(backend.url, policy(quasi({"intervals": [5]})))


@pytest.mark.engines("sqlite")
@pytest.mark.parametrize("value", ["'now'", "'12:00'", "2459000", "'2020-02-31'", "'2020-3-1'"])
def test_text_that_only_sqlite_reads_as_a_date_is_refused(backend: Database, value: str) -> None:
    make(backend, "date", [value, value, "'2020-01-01'", "'2020-01-02'"])
    with pytest.raises(ks.HierarchyError, match="'x': its hierarchy has no label for 1 distinct value in 2 rows"):
        ks.anonymize(backend.url, policy(quasi({"dates": ["year"]})))


@pytest.mark.engines("mariadb")
def test_a_null_timestamp_stays_null(backend: Database) -> None:
    backend.execute("create table t (a integer, seen timestamp null)")
    backend.execute("insert into t values (1, null), (1, null), (1, null)")
    backend.execute("set global explicit_defaults_for_timestamp = 0")
    try:
        given = {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 2}, "columns": {"a": quasi("suppress"), "seen": "insensitive"}}
        ks.anonymize(backend.url, given)
    finally:
        backend.execute("set global explicit_defaults_for_timestamp = 1")
    assert backend.rows("u") == [(1, None)] * 3


def test_a_single_leaf_is_a_root(backend: Database, tmp_path: Path) -> None:
    backend.create("t", {"yes": "boolean", "word": "text"}, [(True, "a")] * 3)
    (tmp_path / "yes.csv").write_text("true\n")
    (tmp_path / "word.csv").write_text("a\n")
    columns = {name: quasi({"csv": f"{name}.csv"}) for name in ("yes", "word")}
    given = {"table": "t", "publish": {"into": "u"}, "privacy": {"k": 2}, "columns": columns}
    report = ks.anonymize(backend.url, ks.load_policy(given, folder=tmp_path))
    assert report.heights == {"yes": 0, "word": 0}
    assert backend.rows("u") == [(1, "a")] * 3
