"""Names that break careless quoting, in every command: new table, replace, in place, check, measure, profile, recover."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.databases import Database
from support.odd_names import LONGEST, NAMES, OWN, RESERVED, written

import kanon_sql as ks
from kanon_sql.cli import run

K = 4
QUASI = {"role": "quasi_identifier", "hierarchy": {"intervals": [2, 4]}}
KEPT = {"role": "insensitive", "accept_unique": True}
MORE_NAMES = {
    "trailing blank": "trailed ",
    "blanks alone": "  ",
    "carriage return": "a\rb",
    "statement tag": "{% for x in y %}{# z #}",
    "environment": "{{ env_var('HOME') }}",
    "YAML": "- a: [b, &c *d !!e | > #",
    "null": "null",
    "number": "1e5",
    "option": "--yes",
    "dollar quote": "$$ $a$ ${HOME}",
    "formatting": "{0} {name!r} %%(x)s",
    "right to left": "\u202eabc",
    "no width": "a\u200bb",
    "precomposed": "é",
    "sharp s": "STRASSE ß ſ",
    "dotless": "ıİ",
    "function": "count",
    "call": "current_user",
    "file": "../../etc/passwd",
    "row number": "rowid",
    "position": "ctid",
    "star": "*",
}
ALLOWED: dict[str, Callable[[str], bool]] = {
    "duckdb": lambda name: name != "rowid",
    "sqlite": lambda name: True,
    "postgresql": lambda name: name != "ctid",
    "mariadb": lambda name: name == name.rstrip() and not name.startswith("../"),
}


TABLES = [
    *(NAMES[what] for what in ("dot", "double quote", "backtick", "single quote", "percent s", "named percent", "colon", "newline")),
    *(NAMES[what] for what in ("question mark", "backslash quote", "comments", "injection", "braces", "unicode", "combining")),
    *(MORE_NAMES[what] for what in ("trailing blank", "environment", "option", "formatting", "file", "right to left", "star")),
    "q1_0",
]


def hostile(backend: Database) -> list[str]:
    """Return the names that an engine allows, no two equal except for case."""
    apart: dict[str, str] = {}
    for name in [*NAMES.values(), *MORE_NAMES.values(), *RESERVED[:3], *OWN[:3], LONGEST[backend.name]]:
        if ALLOWED[backend.name](name):
            apart.setdefault(name.casefold().strip(), name)
    return list(apart.values())


def policy(table: str, publish: dict[str, Any], columns: dict[str, Any]) -> dict[str, Any]:
    return {"table": table, "publish": publish, "privacy": {"k": K}, "algorithm": "datafly", "columns": columns}


ROLES: list[Any] = [QUASI, KEPT, {"role": "identifier", "action": "null"}]


@pytest.mark.parametrize("turn", range(len(ROLES)))
def test_columns_of_every_name_in_every_role(backend: Database, turn: int) -> None:
    names = hostile(backend)
    rules = {name: ROLES[(place + turn) % len(ROLES)] for place, name in enumerate(names)}
    rows = [(number % 4,) * len(names) for number in range(8)]
    backend.create("t", dict.fromkeys(names, "integer"), rows)
    label = {0: "[0,2)", 1: "[0,2)", 2: "[2,4)", 3: "[2,4)"}
    shown = [{"quasi_identifier": label[row[0]], "insensitive": row[0], "identifier": None} for row in rows]
    expected = Counter(tuple(of_role[rules[name]["role"]] for name in names) for of_role in shown)
    beside, place = policy("t", {"into": "u", "replace": True}, rules), policy("t", {"in_place": True}, rules)
    match turn:
        case 0:
            backend.create("u", {"gone": "integer"})
            ks.anonymize(backend.url, beside)
            assert Counter(backend.rows("u", names)) == expected
        case 1:
            assert [ks.anonymize(backend.url, place, yes=True).status for _ in range(2)] == ["published", "unchanged"]
            assert Counter(backend.rows("t", names)) == expected
        case _:
            ks.anonymize(backend.url, beside)
            quasi = [name for name, rule in rules.items() if rule is QUASI]
            assert Counter(backend.rows("u", names)) == expected
            assert ks.check(backend.url, "u", quasi_identifiers=quasi, k=K).holds
            assert ks.measure(backend.url, beside).to_dict()


def test_a_profile_of_every_name_is_a_policy_that_runs(backend: Database, tmp_path: Path) -> None:
    names = [*NAMES.values(), *MORE_NAMES.values()]
    names = [name for name in hostile(backend) if name in names]
    backend.create("t", dict.fromkeys(names, "integer"), [(number % 2,) * len(names) for number in range(12)])
    file = tmp_path / "out" / "policy.yml"
    file.parent.mkdir()
    assert run(["profile", backend.url, "t", "-o", str(file), "--k", "3", "--quiet"]) == 0
    assert run(["anonymize", backend.url, "--policy", str(file), "--quiet"]) == 0
    assert backend.tables() == {"t", "t_anon"}
    policy = ks.load_policy(file)
    assert set(policy.columns) == set(names)


def test_tables_of_every_name(backend: Database) -> None:
    wrong: dict[str, str] = {}
    for name in [*TABLES, LONGEST[backend.name]]:
        if ALLOWED[backend.name](name):
            try:
                publish_and_replace(backend, name)
            except (AssertionError, ks.KanonError) as problem:
                wrong[name] = f"{type(problem).__name__}: {problem}"
            for left in sorted(backend.tables(), key=lambda left: left[:2] != "vi"):
                backend.execute(f"drop {'view' if left[:2] == 'vi' else 'table'} {backend.quote(left)}")
    assert wrong == {}


def publish_and_replace(backend: Database, name: str) -> None:
    """Publish in place a table with an index and a view of its name."""
    rows = [(number % 4, f"w{number % 2}") for number in range(8)]
    backend.create(name, {"number": "integer", "kept": "text"}, rows)
    index, view = (f"{what}{name[2 * (len(name) > 20) :]}" for what in ("ix", "vi"))
    text = "kept(20)" if backend.name == "mariadb" else "kept"
    backend.execute(f"create index {backend.quote(index)} on {backend.quote(name)} ({text})")
    backend.execute(f"create view {backend.quote(view)} as select kept from {backend.quote(name)}")
    report = ks.anonymize(backend.url, policy(written(name), {"in_place": True}, {"number": QUASI, "kept": "sensitive"}), yes=True)
    assert report.in_place is not None
    assert (report.levels, report.in_place.scrubbed, report.in_place.lost) == ({"number": 1}, True, ())
    assert Counter(backend.rows(name)) == Counter((f"[{n // 2 * 2},{n // 2 * 2 + 2})", word) for n, word in rows)
    assert len(backend.rows(view)) == len(rows)
    assert ks.recover(backend.url) == []
    assert [entry.status for entry in ks.history(backend.url)] == ["published"]


@pytest.mark.engines("duckdb", "postgresql")
@pytest.mark.parametrize("name", [NAMES["double quote"], NAMES["injection"], NAMES["braces"], NAMES["percent s"], "a.b.c", "Ünï"])
def test_schemas_of_any_name(backend: Database, name: str) -> None:
    rows = [(number % 4, f"w{number % 2}") for number in range(8)]
    place = f"{backend.quote(name)}.{backend.quote(name)}"
    backend.execute(f"create schema {backend.quote(name)}")
    backend.execute(f"create table {place} (a integer, b text)")
    backend.execute(f"insert into {place} values {', '.join(map(str, rows))}")
    rules = {"a": QUASI, "b": "sensitive"}
    ks.anonymize(backend.url, policy(written(name, name), {"into": written(name, "u")}, rules))
    ks.anonymize(backend.url, policy(written(name, name), {"into": "u", "replace": True}, rules))
    ks.anonymize(backend.url, policy(written(name, name), {"in_place": True}, rules), yes=True)
    for table in (place, f"{backend.quote(name)}.u"):
        assert Counter(row[0] for row in backend.execute(f"select a from {table}")) == {"[0,2)": 4, "[2,4)": 4}
    assert ks.check(backend.url, written(name, "u"), quasi_identifiers=["a"], k=K).holds
