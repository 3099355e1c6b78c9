"""What takes the place of an identifier's values: keyed hashes or numbers, one per value, in a table of the run."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable

from kanon_sql.artifacts import Identifier
from kanon_sql.errors import RequestError
from kanon_sql.tables import Column, RowSource, TableName
from kanon_sql.workspace import Workspace


def make_pseudonyms(workspace: Workspace, source: RowSource, identifier: Identifier, number: int) -> TableName:
    """The table of an identifier's values and their pseudonyms."""
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
    """Every key that will be hashed with is there, or an error."""
    for identifier in identifiers:
        if identifier.action == "hash":
            _key(identifier)


def _key(identifier: Identifier) -> bytes:
    variable = (identifier.key or "").removeprefix("env:")
    key = os.environ.get(variable, "").encode()
    if not key:
        raise RequestError(f"column {identifier.column.name!r}: the environment variable {variable} holds no key to hash with; set it")
    return key


def _pads(identifier: Identifier) -> tuple[bytes, bytes]:
    """The two keys that HMAC derives from the one in the environment (RFC 2104)."""
    key = _key(identifier)
    block = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    return bytes(byte ^ 0x36 for byte in block), bytes(byte ^ 0x5C for byte in block)
