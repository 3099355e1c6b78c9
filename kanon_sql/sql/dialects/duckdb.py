"""DuckDB, in which templates are written."""

from __future__ import annotations

from kanon_sql.sql.dialects.dialect import DOLLAR_TEXT, ESCAPED_TEXT, PLAIN_TEXT, Dialect, Lexicon
from kanon_sql.sql.dialects.duckdb_functions import READING, VARYING

DUCKDB = Dialect(
    "duckdb",
    Lexicon(rf"[eE]{ESCAPED_TEXT}|[xXbB]?{PLAIN_TEXT}|{DOLLAR_TEXT}", has_unicode_escapes=True),
    reading=frozenset(READING.split()),
    varying=frozenset(VARYING.split()),
    function_schemas=None,
)
