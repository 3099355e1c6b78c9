"""A synthetic census similar to the Adult data: eight quasi-identifiers with skewed values, and its policy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import yaml

from benchmarks.engine_databases import Database

TABLE = "census"
ROWS = 30_162
POLICY = Path(__file__).parent / "census.yml"
# Number of values of each column, and how many of them share a label on each level between the value and the root.
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


def column_expressions(person: str) -> list[str]:
    """Return expressions for the columns of a numbered person: the same on every machine, lower values more frequent."""
    return [_column_expression(person, index, name, *shape) for index, (name, shape) in enumerate(COLUMNS.items())]


def _column_expression(person: str, index: int, name: str, size: int, widths: tuple[int, ...]) -> str:
    """Return an expression for a number, or for a text whose last characters are masked level by level."""
    skew = 1.3 if name == "age" else 9
    value = f"floor({size} * power((hash(({person}) * 16 + {index}) % 1000003) / 1000003.0, {skew}))::integer"
    if name == "age":
        return value
    characters = [f"chr(48 + ({value}) // {width})" for width in (*reversed(widths), 1)]
    return f"'{name.replace('_', ' ')} ' || {' || '.join(characters)}"


def load_census(database: Database, rows: int, copies: int = 1) -> None:
    """Create the table and insert each row `copies` times (a power of two)."""
    with duckdb.connect() as connection:
        people = connection.execute(f"select {', '.join(column_expressions('i'))} from range({rows}) as r(i)").fetchall()
    database.create(TABLE, TYPES)
    for start in range(0, len(people), _CHUNK):
        database.execute(f"insert into {TABLE} values {', '.join(map(str, people[start : start + _CHUNK]))}")
    for _ in range(copies.bit_length() - 1):
        database.execute(f"insert into {TABLE} select {', '.join(COLUMNS)} from {TABLE}")


def census_policy(*, k: int, suppression: float) -> dict[str, Any]:
    """Return the census policy with the quasi-identifiers only; its lattice has 6,480 nodes, as that of Adult."""
    policy: dict[str, Any] = yaml.safe_load(POLICY.read_text(encoding="utf-8"))
    columns = {name: policy["columns"][name] for name in COLUMNS}
    return {**policy, "table": TABLE, "privacy": {"k": k}, "suppression": suppression, "columns": columns}
