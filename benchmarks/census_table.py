"""A made-up census like the Adult data: eight quasi-identifiers with skewed values, and the policy for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import yaml

from benchmarks.engine_tables import Database

TABLE = "census"
ROWS = 30_162
POLICY = Path(__file__).parent / "census.yml"
# Values of each column; the levels between the value and the root are in the policy.
COLUMNS = {
    "sex": 2,
    "age": 74,
    "race": 5,
    "marital_status": 7,
    "education": 16,
    "country": 41,
    "workclass": 8,
    "occupation": 14,
}
_CHUNK = 2_000


def drawn_columns(person: str) -> list[str]:
    """Expressions for the columns of a numbered person: the same on every machine, the first values most frequent."""
    return [
        f"floor({size} * power((hash(({person}) * 16 + {place}) % 1000003) / 1000003.0, {1.3 if name == 'age' else 9}))::integer"
        for place, (name, size) in enumerate(COLUMNS.items())
    ]


def load_census(database: Database, copies: int) -> None:
    """The table, each row as often as asked."""
    with duckdb.connect() as connection:
        rows = connection.execute(f"select {', '.join(drawn_columns('i'))} from range({ROWS}) as r(i)").fetchall()
    database.create(TABLE, dict.fromkeys(COLUMNS, "integer"))
    for start in range(0, len(rows), _CHUNK):
        database.execute(f"insert into {TABLE} values {', '.join(map(str, rows[start : start + _CHUNK]))}")
    for _ in range(copies.bit_length() - 1):
        database.execute(f"insert into {TABLE} select {', '.join(COLUMNS)} from {TABLE}")


def census_policy(*, k: int, suppression: float) -> dict[str, Any]:
    """The census's policy, whose lattice has 6,480 nodes as Adult's, on the quasi-identifiers alone."""
    policy: dict[str, Any] = yaml.safe_load(POLICY.read_text(encoding="utf-8"))
    columns = {name: policy["columns"][name] for name in COLUMNS}
    return {**policy, "table": TABLE, "privacy": {"k": k}, "suppression": suppression, "columns": columns}
