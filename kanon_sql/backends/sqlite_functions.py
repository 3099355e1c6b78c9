"""Functions that SQLite lacks, run in this process."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import Any


def keyed_hash(inner_pad: bytes, outer_pad: bytes, value: object, encoding: str | None) -> str | None:
    """Return the HMAC-SHA-256 of a value's text, in hexadecimal; text is passed as bytes in the database's encoding."""
    if value is None:
        return None
    text = value if isinstance(value, bytes) else str(value).encode()
    if encoding is not None and encoding != "UTF-8":
        text = text.decode(encoding, errors="replace").encode()
    return hashlib.sha256(outer_pad + hashlib.sha256(inner_pad + text).digest()).hexdigest()


class Checksum:
    """The sum of the hashes of rows: the same for the same rows in any order."""

    def __init__(self) -> None:
        self._total = 0

    def step(self, *values: object) -> None:
        """Add a row."""
        digest = hashlib.blake2b(repr(values).encode(), digest_size=16).digest()
        self._total = (self._total + int.from_bytes(digest)) % 2**128

    def finalize(self) -> str:
        """Return the sum, in hexadecimal."""
        return f"{self._total:032x}"


def logarithm(value: float) -> float | None:
    """Return the natural logarithm, or None of a number that is not positive, as SQLite's own function does."""
    return math.log(value) if value > 0 else None


FUNCTIONS: list[tuple[str, int, Callable[..., Any]]] = [("kanon_hmac", 4, keyed_hash)]
AGGREGATES: list[tuple[str, int, type[Any]]] = [("kanon_checksum", -1, Checksum)]
OURS = tuple(name for name, _, _ in (*FUNCTIONS, *AGGREGATES))
