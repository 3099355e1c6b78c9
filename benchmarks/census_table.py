"""A made-up census like the Adult data: eight quasi-identifiers with skewed values, and the policy for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from benchmarks.engine_tables import Database
from benchmarks.source_tables import FOLDER

TABLE = "census"
ROWS = 30_162
_CHUNK = 2_000
# Values of each column, and how many of them share a label on each level between the value and the root.
COLUMNS: dict[str, tuple[int, tuple[int, ...]]] = {
    "sex": (2, ()),
    "age": (74, (5, 10, 20)),
    "race": (5, ()),
    "marital_status": (7, (4,)),
    "education": (16, (4, 8)),
    "country": (41, (10,)),
    "workclass": (8, (3,)),
    "occupation": (14, (5,)),
}


def census_rows() -> list[tuple[int, ...]]:
    """The rows: every value drawn from a skewed distribution, some of them by another column's value."""
    # A hash of row and column is the same on every machine; its power makes the first values frequent.
    drawn = ", ".join(
        f"floor({size} * power((hash(i * 16 + {place}) % 1000003) / 1000003.0, {1.3 if name == 'age' else 2.5}))::integer"
        for place, (name, (size, _)) in enumerate(COLUMNS.items())
    )
    with duckdb.connect() as connection:
        return [tuple(row) for row in connection.execute(f"select {drawn} from range({ROWS}) as r(i)").fetchall()]


def load_census(database: Database, copies: int) -> None:
    """The table, each row as often as asked."""
    database.create(TABLE, dict.fromkeys(COLUMNS, "integer"))
    names, rows = ", ".join(COLUMNS), census_rows()
    for start in range(0, len(rows), _CHUNK):
        database.execute(f"insert into {TABLE} values {', '.join(map(str, rows[start : start + _CHUNK]))}")
    for _ in range(copies.bit_length() - 1):
        database.execute(f"insert into {TABLE} select {names} from {TABLE}")


def census_policy(*, k: int, suppression: float) -> dict[str, Any]:
    """A policy whose lattice has 6,480 nodes, as Adult's."""
    FOLDER.mkdir(exist_ok=True)
    columns = {name: {"role": "quasi_identifier", "hierarchy": {"csv": str(_hierarchy(name, *shape))}} for name, shape in COLUMNS.items()}
    return {
        "table": TABLE,
        "publish": {"into": f"{TABLE}_anon"},
        "privacy": {"k": k},
        "suppression": suppression,
        "columns": columns,
    }


def _hierarchy(name: str, size: int, widths: tuple[int, ...]) -> Path:
    file = FOLDER / f"{TABLE}_{name}.csv"
    lines = [";".join([str(value), *(f"{width}:{value // width}" for width in widths), "*"]) for value in range(size)]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file
