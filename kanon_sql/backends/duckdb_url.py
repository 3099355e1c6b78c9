"""URLs of DuckDB databases: a file or memory, and settings for the connection."""

from __future__ import annotations

from urllib.parse import parse_qsl

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import RequestError

SETTINGS = ("memory_limit", "threads", "max_temp_directory_size")
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
    settings = dict(parse_qsl(query, keep_blank_values=True))
    for name in settings:
        if name not in SETTINGS:
            meant = did_you_mean(name, SETTINGS)
            raise RequestError(f"{name!r}{meant} cannot be set in the URL of a DuckDB file; settings are {', '.join(SETTINGS)}")
    return path, settings
