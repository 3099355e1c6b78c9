"""A made-up census like the Adult data: eight quasi-identifiers with skewed values, and the policy for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import yaml

from benchmarks.tables.patients import Database

TABLE = "census"
ROWS = 30_162
POLICY = Path(__file__).parent / "census.yml"
# Values of each column, and how many of them share a label on each level between the value and the root.
COLUMNS: dict[str, tuple[int, tuple[int, ...]]] = {
    "sex": (2, ()),
    "age": (74, ()),
    "race": (5, ()),
    "marital_status": (7, (4,)),
    "education": (16, (4, 8)),
    "country": (41, (10,)),
    "workclass": (8, (3,)),
    "occupation": (14, (5,)),
}
TYPES = {name: "integer" if name == "age" else "text" for name in COLUMNS}
_CHUNK = 2_000


def drawn_columns(person: str) -> list[str]:
    """Expressions for the columns of a numbered person: the same on every machine, the first values most frequent."""
    return [_drawn(person, place, name, *shape) for place, (name, shape) in enumerate(COLUMNS.items())]


def _drawn(person: str, place: int, name: str, size: int, widths: tuple[int, ...]) -> str:
    """A number, or a text whose last characters tell apart the values that share a label when they are hidden."""
    skew = 1.3 if name == "age" else 9
    value = f"floor({size} * power((hash(({person}) * 16 + {place}) % 1000003) / 1000003.0, {skew}))::integer"
    if name == "age":
        return value
    characters = [f"chr(48 + ({value}) // {width})" for width in (*reversed(widths), 1)]
    return f"'{name.replace('_', ' ')} ' || {' || '.join(characters)}"


def load_census(database: Database, copies: int) -> None:
    """The table, each row as often as asked."""
    with duckdb.connect() as connection:
        rows = connection.execute(f"select {', '.join(drawn_columns('i'))} from range({ROWS}) as r(i)").fetchall()
    database.create(TABLE, TYPES)
    for start in range(0, len(rows), _CHUNK):
        database.execute(f"insert into {TABLE} values {', '.join(map(str, rows[start : start + _CHUNK]))}")
    for _ in range(copies.bit_length() - 1):
        database.execute(f"insert into {TABLE} select {', '.join(COLUMNS)} from {TABLE}")


def census_policy(*, k: int, suppression: float) -> dict[str, Any]:
    """The census's policy, whose lattice has 6,480 nodes as Adult's, on the quasi-identifiers alone."""
    policy: dict[str, Any] = yaml.safe_load(POLICY.read_text(encoding="utf-8"))
    columns = {name: policy["columns"][name] for name in COLUMNS}
    return {**policy, "table": TABLE, "privacy": {"k": k}, "suppression": suppression, "columns": columns}
