"""Dialects of SQL: one file and one name in this list for each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from kanon_sql.sql.dialects.dialect import Dialect
from kanon_sql.sql.dialects.duckdb import DUCKDB

__all__ = ["DIALECTS", "HOME", "Dialect"]

HOME = DUCKDB  # in which templates are written


class _Dialects(Mapping[str, Dialect]):
    """Dialects by name; each is imported on first use, because all but DuckDB's need sqlglot, which is slow to import."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __getitem__(self, name: str) -> Dialect:
        if name not in self._names:
            raise KeyError(name)
        return _load(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@cache
def _load(name: str) -> Dialect:
    dialect: Dialect = getattr(import_module(f"{__name__}.{name}"), name.upper())
    return dialect


DIALECTS = _Dialects("duckdb", "sqlite", "postgres", "mysql")
