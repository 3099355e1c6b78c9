"""The decimals and the range that a numeric column type holds."""

from __future__ import annotations

import re

from kanon_sql.tables import Column

_BITS = {"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32, "integer": 32, "bigint": 64}
_UNLIMITED_DIGITS = 30


def decimals_held(column: Column) -> int | None:
    """Return how many decimals a value of the column can have; None means no limit."""
    if column.kind == "integer":
        return 0
    match = re.search(r"\(\s*\d+\s*,\s*(\d+)\s*\)", column.type)
    return int(match[1]) if column.kind == "decimal" and match else None


def range_held(column: Column) -> tuple[int | None, int | None]:
    """Return the smallest and largest whole number of the column's type; None means no limit that bounds could exceed."""
    name = column.type.lower()
    unsigned = "unsigned" in name or re.match(r"u(tiny|small|big|huge)?int", name) is not None
    smallest, largest = None, None
    if column.kind == "decimal":
        match = re.search(r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)", name)
        digits = int(match[1]) - int(match[2] or 0) if match else _UNLIMITED_DIGITS
        if digits < _UNLIMITED_DIGITS:
            smallest, largest = 1 - 10**digits, 10**digits - 1
    elif column.kind == "integer":
        word = re.match(r"[a-z]+", name.removeprefix("u") if unsigned else name)
        bits = _BITS.get(word[0] if word else "")
        if name.startswith("year"):
            return 1901, 2155
        if bits is not None:
            smallest, largest = -(2 ** (bits - 1)), 2 ** (bits if unsigned else bits - 1) - 1
    return (0 if unsigned else smallest), largest
