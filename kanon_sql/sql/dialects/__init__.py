"""Dialects of SQL: one file and one entry in this list for each."""

from __future__ import annotations

from kanon_sql.sql.dialects.dialect import Dialect
from kanon_sql.sql.dialects.duckdb import DUCKDB
from kanon_sql.sql.dialects.mysql import MYSQL
from kanon_sql.sql.dialects.postgres import POSTGRES
from kanon_sql.sql.dialects.sqlite import SQLITE

__all__ = ["DIALECTS", "HOME", "Dialect"]

DIALECTS = {dialect.name: dialect for dialect in (DUCKDB, SQLITE, POSTGRES, MYSQL)}

HOME = DUCKDB  # in which templates are written
