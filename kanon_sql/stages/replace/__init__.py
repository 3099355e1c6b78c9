"""Replace the rows of a table: preflight, journal, recover, and one protocol per engine."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from kanon_sql.stages.replace.change import Change
from kanon_sql.stages.replace.protocol import Protocol, Scrub
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

__all__ = ["Change", "Protocol", "Scrub", "protocol_for"]

# The module and the class of each engine's protocol, by dialect.
_PROTOCOLS = {
    "duckdb": ("duckdb", "DuckDBProtocol"),
    "sqlite": ("sqlite", "SQLiteProtocol"),
    "postgres": ("postgresql", "PostgreSQLProtocol"),
    "mysql": ("mariadb", "MariaDBProtocol"),
}


def protocol_for(workspace: Workspace, table: TableName) -> Protocol:
    """Return the engine's protocol to replace a table's rows."""
    module, name = _PROTOCOLS[workspace.backend.dialect]
    engine: Any = getattr(import_module(f"{__name__}.{module}"), name)
    protocol: Protocol = engine(workspace, table)
    return protocol
