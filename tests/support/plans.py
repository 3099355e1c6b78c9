"""The plans of a run's statements, as executed: which nested loops compare many rows with many rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from kanon_sql.backends.mariadb import MariaDBBackend
from kanon_sql.backends.postgresql import PostgreSQLBackend
from kanon_sql.backends.sqlalchemy import SQLAlchemyBackend

# A loop over more rows than this, which scans more rows than this each time, grows with the square of the table.
LIMIT = 300
STAGES = ("count/", "labels/", "evaluate/", "judge/", "metrics/", "recode/", "measure/", "publish/", "verify/", "profile/dependencies/")
_TEMPLATE = re.compile(r"^/\* kanon_sql (\S+) \*/$", re.MULTILINE)


@dataclass(frozen=True)
class Loop:
    """A join in the plan of a statement: for each of so many rows, so many rows are scanned."""

    template: str
    times: float
    rows: float

    @property
    def is_quadratic(self) -> bool:
        return self.times > LIMIT and self.rows > LIMIT


class Plans:
    """The templates whose plans were read, and the nested loops in them."""

    def __init__(self) -> None:
        self.templates: set[str] = set()
        self.loops: list[Loop] = []

    def quadratic(self) -> list[Loop]:
        """Return the loops that compare many rows with many rows."""
        return [loop for loop in self.loops if loop.is_quadratic]

    def read(self, template: str, loops: Iterator[tuple[float, float]]) -> None:
        """Add the loops of a statement."""
        self.templates.add(template)
        self.loops += [Loop(template, times, rows) for times, rows in loops]


@contextmanager
def recorded(monkeypatch: pytest.MonkeyPatch, engine: str) -> Iterator[Plans]:
    """Read the plan of every statement right before it runs, while its temporary tables exist."""
    plans, (backend, explain) = Plans(), _ENGINES[engine]
    unchanged = backend._cursor

    def explained(self: Any, sql: str, parameters: Sequence[object]) -> Any:
        template = (_TEMPLATE.findall(sql) or [""])[-1]
        if template.startswith(STAGES) and not parameters:
            explain(lambda text: unchanged(self, text, ()), sql, template, plans)
        return unchanged(self, sql, parameters)

    with monkeypatch.context() as patch:
        patch.setattr(backend, "_cursor", explained)
        yield plans


def _explain_postgresql(execute: Callable[[str], Any], sql: str, template: str, plans: Plans) -> None:
    execute("savepoint before_explain")
    ((found,),) = execute(f"explain (analyze, timing off, format json) {sql}").fetchall()
    execute("rollback to savepoint before_explain")
    plans.read(template, _loops_of_postgresql(found[0]["Plan"]))


def _loops_of_postgresql(node: Mapping[str, Any]) -> Iterator[tuple[float, float]]:
    inner = node.get("Plans", [])
    if node["Node Type"] == "Nested Loop":
        yield inner[1]["Actual Loops"], _scanned(inner[1])
    for child in inner:
        yield from _loops_of_postgresql(child)


def _scanned(node: Mapping[str, Any]) -> float:
    """Return the rows that one execution of a node reads; an index or a cached result reads what it returns."""
    removed = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Join Filter", 0)
    below = [_scanned(child) for child in node.get("Plans", []) if child["Actual Loops"] >= node["Actual Loops"]]
    return float(max([node["Actual Rows"] + removed, *below]))


def _explain_mariadb(execute: Callable[[str], Any], sql: str, template: str, plans: Plans) -> None:
    is_definition = re.match(r"(/\*.*?\*/\s*)*(create|insert)\b", sql, re.IGNORECASE | re.DOTALL)
    query = sql[sql.rindex(f"/* kanon_sql {template} */") :] if is_definition else sql
    ((found,),) = execute(f"analyze format=json {query}").fetchall()
    plans.read(template, _loops_of_mariadb(json.loads(found)))


def _loops_of_mariadb(node: Any) -> Iterator[tuple[float, float]]:
    if isinstance(node, list):
        for item in node:
            yield from _loops_of_mariadb(item)
        return
    if not isinstance(node, dict):
        return
    if isinstance(node.get("nested_loop"), list):
        yield from _loops_of_tables(node["nested_loop"])
    for child in node.values():
        yield from _loops_of_mariadb(child)


def _loops_of_tables(joined: Sequence[Mapping[str, Any]]) -> Iterator[tuple[float, float]]:
    """Return, for each table of a join that is scanned, the rows it is compared with and its rows."""
    rows_before = 1.0
    for item in joined:
        is_buffered = "block-nl-join" in item
        table = (item.get("block-nl-join") or item).get("table")
        if table is None:
            continue
        rows = float(table.get("r_rows") or 0)
        if table.get("access_type") in ("ALL", "index"):
            yield (rows_before if is_buffered else float(table.get("r_loops") or 0)), rows
        kept = float(table.get("r_filtered") or 0) / 100
        if is_buffered:
            kept *= float(item["block-nl-join"].get("r_filtered") or 0) / 100
        rows_before *= max(rows * kept, 1.0)


_ENGINES: dict[str, tuple[type[SQLAlchemyBackend], Callable[[Callable[[str], Any], str, str, Plans], None]]] = {
    "postgresql": (PostgreSQLBackend, _explain_postgresql),
    "mariadb": (MariaDBBackend, _explain_mariadb),
}
