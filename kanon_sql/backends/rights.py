"""The permission that a user lacks; of a server's message only the kind of object is used, never a name or a value."""

from __future__ import annotations

import re

_READ = (
    "this user may not read or change a table or view that the statement uses; grant it SELECT on the source, "
    "which it must own to replace rows"
)
_POSTGRESQL = {
    "table": _READ,
    "view": _READ,
    "materialized view": _READ,
    "foreign table": _READ,
    "relation": _READ,
    "schema": (
        "this user may not use a schema that the statement names; grant it USAGE on the source's schema, and to publish USAGE and CREATE "
        "on the target's"
    ),
    "sequence": "this user may not use a sequence that the statement needs; grant it USAGE on it",
    "function": "this user may not call a function that the source uses; grant it EXECUTE on it",
}
_ANY = (
    "this user lacks a permission; it needs SELECT on the source, TEMPORARY on the database, to publish CREATE in the target's schema, and "
    "to replace rows it must own the table"
)
_COMMANDS = {
    "SELECT": "this user may not read a table that the statement uses; grant it SELECT on the source",
    "CREATE": "this user may not create a table there; grant it CREATE, INSERT, ALTER and DROP on the target's database",
    "SHOW VIEW": "this user may not see how a view is defined; grant it SHOW VIEW on it",
}
_ALL_COMMANDS = (
    "this user may not change a table there; grant it SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP and LOCK TABLES on the database"
)


def missing_in_postgresql(text: str) -> str:
    """Return the permission that PostgreSQL requires."""
    if "create temporary tables" in text:
        return "this user may not create temporary tables; grant it TEMPORARY on the database"
    if text.startswith("must be owner of"):
        return "only the owner of a table can replace its rows; run as its owner, or as a member of the role that owns it"
    denied = re.match(r"permission denied for ([a-z ]+?) \S+$", text)
    return _POSTGRESQL.get(denied[1], _ANY) if denied else _ANY


def missing_in_mariadb(code: int, text: str) -> str:
    """Return the permission that MariaDB requires."""
    if code == 1044:  # of a whole database: locks, temporary tables
        return "this user lacks a permission on the whole database; grant it CREATE TEMPORARY TABLES on it, and to replace rows LOCK TABLES"
    command = text.split(" command denied")[0].upper()
    return _COMMANDS.get(command.split(",")[0].strip(), _ALL_COMMANDS)
