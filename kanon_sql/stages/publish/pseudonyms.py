"""Pseudonyms for the values of identifiers: keyed hashes or numbers, one per value, in a temporary table."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable

from kanon_sql.artifacts import Identifier
from kanon_sql.errors import RequestError
from kanon_sql.tables import Column, RowSource, TableName
from kanon_sql.workspace import Workspace


def make_pseudonyms(workspace: Workspace, source: RowSource, identifier: Identifier, number: int) -> TableName:
    """Return the table of an identifier's values and their pseudonyms."""
    values = workspace.tables.create(f"identifiers_{number}", "publish/pseudonyms/values", source=source, column=identifier.column)
    name = f"pseudonyms_{number}"
    if identifier.action == "sequence":
        table = workspace.tables.create(name, "publish/pseudonyms/sequence", identifiers=values)
    else:
        columns = [Column(pad, workspace.backend.bytes_type, "other") for pad in ("inner_pad", "outer_pad")]
        key = workspace.tables.load(f"key_{number}", columns, [_pads(identifier)])
        table = workspace.tables.create(name, "publish/pseudonyms/hash", identifiers=values, key=key)
        workspace.tables.drop(key)
    workspace.tables.drop(values)
    workspace.tables.index(table, "value", is_text=identifier.column.kind == "text")
    return table


def require_keys(identifiers: Iterable[Identifier]) -> None:
    """Raise an error if the key for a hash is not set."""
    for identifier in identifiers:
        if identifier.action == "hash":
            _key(identifier)


def _key(identifier: Identifier) -> bytes:
    variable = (identifier.key or "").removeprefix("env:")
    key = os.environ.get(variable, "").encode()
    if not key:
        raise RequestError(
            f"column {identifier.column.name!r}: the environment variable {variable}, the key for the hash, is not set; set it"
        )
    return key


def _pads(identifier: Identifier) -> tuple[bytes, bytes]:
    """Return the two keys that HMAC derives from the key in the environment (RFC 2104)."""
    key = _key(identifier)
    block = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    return bytes(byte ^ 0x36 for byte in block), bytes(byte ^ 0x5C for byte in block)
