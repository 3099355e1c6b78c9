"""Replace the rows of a table: preflight, journal, recover, and one protocol per engine."""

from __future__ import annotations

from kanon_sql.stages.replace.change import Change
from kanon_sql.stages.replace.duckdb import DuckDBProtocol
from kanon_sql.stages.replace.mariadb import MariaDBProtocol
from kanon_sql.stages.replace.postgresql import PostgreSQLProtocol
from kanon_sql.stages.replace.protocol import Protocol, Scrub
from kanon_sql.stages.replace.sqlite import SQLiteProtocol
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

__all__ = ["Change", "Protocol", "Scrub", "protocol_for"]

_PROTOCOLS: dict[str, type[Protocol]] = {
    "duckdb": DuckDBProtocol,
    "sqlite": SQLiteProtocol,
    "postgres": PostgreSQLProtocol,
    "mysql": MariaDBProtocol,
}


def protocol_for(workspace: Workspace, table: TableName) -> Protocol:
    """Return the engine's protocol to replace a table's rows."""
    return _PROTOCOLS[workspace.backend.dialect](workspace, table)
