"""URLs of DuckDB databases: a file or memory, and settings for the connection."""

from __future__ import annotations

from urllib.parse import parse_qsl

from kanon_sql.backends.settings import DUCKDB, check_settings
from kanon_sql.errors import RequestError

_BEGINNING = "duckdb:///"


def parse_url(url: str) -> tuple[str, dict[str, str]]:
    """Return the database that a URL names, and the settings after its question mark."""
    if not url.startswith(_BEGINNING):
        raise RequestError(
            "write a DuckDB database as duckdb:///relative/file.duckdb, duckdb:////absolute/file.duckdb or duckdb:///:memory:"
        )
    database = url.removeprefix(_BEGINNING)
    path, mark, query = database.rpartition("?")
    if not mark or "=" not in query:
        return database, {}
    return path, check_settings("DuckDB", DUCKDB, dict(parse_qsl(query, keep_blank_values=True)), "the URL of the DuckDB file")
