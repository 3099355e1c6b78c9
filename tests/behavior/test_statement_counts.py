"""The number of statements of each command and stage, and the scans of the source: a regression fails without a clock."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.databases import Database
from support.people import load, make_people, policy
from support.statements import by_stage, recorded

import kanon_sql as ks
from kanon_sql.commands.demo import demo
from kanon_sql.workspace.record import Statement

ENGINES = ("duckdb", "sqlite", "postgresql", "mariadb")

# The most statements of each stage, for 8 quasi-identifiers: one number for all engines, or one for each.
Most = int | tuple[int, int, int, int]
COUNT: Most = (50, 67, 79, 92)
SEARCH = 25
STAGES: dict[str, dict[str, Most]] = {
    "solve": {"profile": (5, 5, 7, 5), "count": COUNT, "search": SEARCH, "measure": (5, 31, 6, 6)},
    "new": {
        "recover": 1, "profile": (10, 10, 14, 12), "count": COUNT, "search": SEARCH, "recode": (5, 7, 7, 10), "measure": (9, 9, 10, 9),
        "publish": (5, 4, 2, 4), "verify": 1, "swap": (2, 28, 5, 5),
    },
    "replace": {
        "recover": 1, "profile": (18, 17, 22, 20), "count": COUNT, "search": SEARCH, "recode": (5, 7, 7, 10), "measure": (9, 9, 10, 9),
        "publish": (15, 14, 11, 14), "verify": 1, "write": (18, 13, 26, 19), "swap": (30, 30, 7, 8),
    },
    "in place": {
        "recover": (3, 3, 5, 5), "profile": (16, 15, 19, 17), "count": COUNT, "search": (25, 52, 26, 27), "lock": (13, 9, 12, 12),
        "recount": (0, 67, 79, 92), "recode": (5, 7, 7, 10), "measure": (9, 9, 10, 9), "publish": (11, 10, 9, 10), "verify": 1,
        "write": (5, 4, 12, 8), "swap": (32, 32, 7, 7), "scrub": (6, 5, 4, 8),
    },
    "explain": {"profile": (5, 5, 7, 5), "count": COUNT, "search": SEARCH, "explain": 2, "compare": (219, 245, 219, 220)},
    "check": {"profile": 3, "verify": 1},
    "measure": {"connect": 1, "profile": (7, 7, 9, 7), "count": (53, 70, 84, 95), "measure": (119, 119, 101, 69)},
    "risk": {"profile": 3, "risk": (10, 12, 12, 11)},
    "profile": {"survey": (7, 7, 8, 7), "pairs": 2, "risk": (8, 8, 9, 8)},
}  # fmt: skip

# The stages that read rows of the source, in order. In place, the table is counted again under its lock, and what was written is verified.
SCANS: dict[str, tuple[str, ...]] = {
    "solve": ("profile", "count", "measure"),
    "new": ("profile", "count", "measure", "publish"),
    "replace": ("profile", "count", "measure", "publish"),
    "in place": ("profile", "count", "recount", "measure", "publish", "write", "swap"),
    "explain": ("profile", "count"),
    "check": (),
    "measure": ("profile", "count"),
    "risk": ("risk",),
    "profile": ("survey", "risk"),
}


def commands(url: Any, given: ks.Policy, in_place: ks.Policy) -> dict[str, Callable[[], object]]:
    """Return the commands, in an order in which each finds the tables that it needs."""
    return {
        "solve": lambda: ks.solve(url, given),
        "new": lambda: ks.anonymize(url, given),
        "replace": lambda: ks.anonymize(url, given, replace=True),
        "explain": lambda: ks.explain(url, given),
        "check": lambda: ks.check(url, "people_anon", policy=given),
        "measure": lambda: ks.measure(url, given),
        "risk": lambda: ks.risk(url, "people", quasi_identifiers=["age", "zip", "smoker", "education"], sensitive=["diagnosis"]),
        "profile": lambda: ks.profile(url, "people"),
        "in place": lambda: ks.anonymize(url, in_place, yes=True),
    }


def most(number: Most, engine: str) -> int:
    return number if isinstance(number, int) else number[ENGINES.index(engine)]


def scans(statements: list[Statement], source: str, release: str) -> tuple[str, ...]:
    """Return the stages of the statements that read rows of the source; others only name it, to lock, describe or rename it."""
    named = [s for s in statements if source in s.sql.replace(release, "") and s.template != "profile/source_queries/lock"]
    return tuple(s.stage for s in named if s.template == "replace/fingerprint" or not s.template.startswith(("workspace/", "replace/")))


def test_statements_and_scans_of_every_command(backend: Database, tmp_path: Path) -> None:
    make_people(backend)
    given, in_place = load(policy(), tmp_path), load({**policy(), "publish": {"in_place": True}}, tmp_path)
    source, release = backend.quote("people"), backend.quote("people_anon")
    for name, run in commands(backend.url, given, in_place).items():
        with recorded() as statements:
            run()
        allowed = {stage: most(number, backend.name) for stage, number in STAGES[name].items()}
        found = by_stage(statements)
        assert {stage: number for stage, number in found.items() if number > allowed.get(stage, 0)} == {}, name
        expected = tuple(stage for stage in SCANS[name] if stage in found)  # DuckDB counts once, under the lock
        assert scans(statements, source, release) == expected, name


@pytest.mark.engines("duckdb")
def test_statements_of_the_hospital(backend: Database, tmp_path: Path) -> None:
    demo(tmp_path / "demo", rows=2000, seed=1)
    given = ks.load_policy(tmp_path / "demo" / "patients.yml").to_dict() | {"publish": {"into": "other"}}
    report = ks.anonymize(f"duckdb:///{tmp_path / 'demo' / 'hospital.duckdb'}", ks.load_policy(given, folder=tmp_path / "demo"))
    found = by_stage(report.statements)
    allowed = {"profile": 10, "count": 42, "search": 30, "recode": 5, "measure": 9, "publish": 5, "verify": 1, "swap": 2}
    assert {stage: number for stage, number in found.items() if number > allowed.get(stage, 1)} == {}


@pytest.mark.engines("duckdb")
def test_statements_grow_by_a_few_for_each_quasi_identifier(backend: Database, tmp_path: Path) -> None:
    """Each listed hierarchy takes six statements: leaves, list, labels of the leaves, codes, label table, and one that drops a table."""
    rows = [tuple(f"v{n * (column + 1) % 7}" for column in range(8)) for n in range(300)]
    backend.create("t", {f"c{column}": "text" for column in range(8)}, rows)
    (tmp_path / "listed.csv").write_text("\n".join(f"v{n};g{n // 2};*" for n in range(7)))
    rule = {"role": "quasi_identifier", "hierarchy": {"csv": str(tmp_path / "listed.csv")}}
    counts = []
    for columns in (4, 8):
        chosen = {f"c{column}": rule for column in range(columns)}
        given = {"table": "t", "publish": {"into": "t_anon"}, "privacy": {"k": 3}, "suppression": 0.5, "others": "drop", "columns": chosen}
        counts.append(by_stage(ks.solve(backend.url, given).statements)["count"])
    assert counts[1] - counts[0] == 4 * 6
    assert counts[1] <= 57
