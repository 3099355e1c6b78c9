"""A small table of people with every kind of hierarchy, and the policy for it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from support.databases import Database, Row
from support.lattice_oracle import Lattice as Enumerated

import kanon_sql as ks

COLUMNS = {
    "name": "text",
    "age": "integer",
    "zip": "text",
    "born": "date",
    "seen": "timestamp",
    "height": "double",
    "income": "decimal",
    "smoker": "boolean",
    "education": "text",
    "ward": "text",
    "diagnosis": "text",
}

EDUCATION = [
    ["primary", "school", "*"],
    ["secondary", "school", "*"],
    ["bachelor", "university", "*"],
    ["master", "university", "*"],
    ["doctorate", "university", "*"],
]


def people(count: int = 200, seed: int = 7) -> list[tuple[Any, ...]]:
    """Return rows with NULLs, negative and fractional numbers, and dates on both sides of year ends."""
    draw = random.Random(seed)

    def maybe(value: Any) -> Any:
        return None if draw.random() < 0.04 else value

    rows = []
    for number in range(count):
        day = date(1950, 1, 1) + timedelta(days=draw.randrange(25_000))
        rows.append(
            (
                f"person {number}",
                maybe(draw.randrange(-3, 95)),
                maybe(f"{draw.randrange(100):02d}{draw.choice(['', '1', '123'])}"),
                maybe(day),
                maybe(datetime(day.year, day.month, day.day, draw.randrange(24), draw.randrange(60))),
                maybe(draw.choice([0.1, 0.29, 0.3, 0.7, 1.1, 1.85, -0.3, -0.0, 0.0, 2.5])),
                maybe(Decimal(draw.randrange(-500, 5000)) / 4),
                maybe(draw.random() < 0.3),
                maybe(draw.choice(EDUCATION)[0]),
                draw.choice(["north", "south"]),
                draw.choice(["flu", "cold", "asthma", None]),
            )
        )
    return rows


def policy(**changes: Any) -> dict[str, Any]:
    """Return a policy for the people with every kind of hierarchy."""
    quasi = "quasi_identifier"
    base: dict[str, Any] = {
        "table": "people",
        "publish": {"into": "people_anon"},
        "privacy": {"k": 3},
        "suppression": 0.1,
        "algorithm": "datafly",
        "columns": {
            "name": "identifier",
            "age": {"role": quasi, "hierarchy": {"intervals": [5, 10, 20], "origin": 17}},
            "zip": {"role": quasi, "hierarchy": {"mask": {"char": "#", "hide": [1, 2, 4]}}},
            "born": {"role": quasi, "hierarchy": {"dates": ["month", "quarter", "year", "decade", "century"]}},
            "seen": {"role": quasi, "hierarchy": {"dates": ["week"]}},
            "height": {"role": quasi, "hierarchy": {"intervals": [0.1, 0.5, 1]}},
            "income": {"role": quasi, "hierarchy": {"intervals": [12.5, 250]}},
            "smoker": {"role": quasi, "hierarchy": "suppress"},
            "education": {"role": quasi, "hierarchy": {"csv": "education.csv"}},
            "ward": "insensitive",
            "diagnosis": "sensitive",
        },
        "others": "error",
    }
    return {**base, **changes}


def write_education(folder: Path) -> Path:
    """Write the education hierarchy to a file."""
    (folder / "education.csv").write_text("\n".join(";".join(line) for line in EDUCATION) + "\n")
    return folder


def make_people(backend: Database, count: int = 200) -> list[tuple[Any, ...]]:
    """Create the people as a table in the database."""
    rows = people(count)
    backend.create("people", COLUMNS, rows)
    return rows


def policy_of_few(names: Sequence[str], **changes: Any) -> dict[str, Any]:
    """Return a policy in which only these columns are quasi-identifiers."""
    few = policy(algorithm="auto", **changes)
    few["columns"] = {n: r if n in names or isinstance(r, str) else "identifier" for n, r in few["columns"].items()}
    return few


def load(policy: dict[str, Any], folder: Path) -> ks.Policy:
    """Load a policy from a folder with the education hierarchy."""
    return ks.load_policy(policy, folder=write_education(folder))


def enumerated(rows: list[Row], policy: dict[str, Any]) -> Enumerated:
    """Return all nodes of the people's lattice."""
    return Enumerated(COLUMNS, rows, policy, files={"education.csv": EDUCATION})
