"""Values that must not appear in any output, and every form in which a file, a log, a statistic or a message could show them."""

from __future__ import annotations

import json
import struct
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, quote_plus

import yaml

SHORTEST = 8  # bytes of a text that an engine keeps even where it cuts values


def forms_of_text(secret: str) -> dict[str, bytes]:
    """Return a text unchanged, cut, escaped, quoted and encoded."""
    raw = secret.encode()
    spelled = {
        "cut": secret[:SHORTEST],
        "JSON": json.dumps(secret)[1:-1],
        "JSON in UTF-8": json.dumps(secret, ensure_ascii=False)[1:-1],
        "Python": repr(secret)[1:-1],
        "SQL": secret.replace("'", "''"),
        "YAML": yaml.safe_dump(secret, width=1000).strip()[1:-1],
        "URL": quote(secret, safe=""),
        "form": quote_plus(secret),
        "hexadecimal": raw.hex(),
        "HEXADECIMAL": raw.hex().upper(),
        **{f"base64 at {offset}": _base64(raw, offset) for offset in range(3)},
    }
    encoded = {f"UTF-16-{order}": secret.encode(f"utf-16-{order}") for order in ("le", "be")}
    return {"plain": raw, **encoded, **{form: text.encode() for form, text in spelled.items()}}


def forms_of_number(secret: int) -> dict[str, bytes]:
    """Return a number as text and as eight bytes in either order, with and without the flipped sign of an index key."""
    flipped = secret + 2**63
    return {
        "text": str(secret).encode(),
        "bytes": struct.pack("<q", secret),
        "bytes, largest first": struct.pack(">q", secret),
        "key": struct.pack(">Q", flipped),
        "cut key": struct.pack(">Q", flipped)[2:],
    }


def _base64(raw: bytes, offset: int) -> str:
    """Return the base64 of a text at any offset into the encoded bytes."""
    return b64encode(b"\0" * offset + raw).decode()[4 if offset else 0 : -4]


def forms(secrets: Mapping[str, str | int]) -> dict[str, bytes]:
    """Return every form of named secrets."""
    spelled = {name: forms_of_text(secret) if isinstance(secret, str) else forms_of_number(secret) for name, secret in secrets.items()}
    return {f"{name} ({form})": found for name, every in spelled.items() for form, found in every.items()}


def seen(shown: bytes | str, wanted: Mapping[str, bytes]) -> list[str]:
    """Return the forms that appear in some data."""
    data = shown.encode() if isinstance(shown, str) else shown
    return [name for name, form in wanted.items() if form in data]


def files_under(*folders: Path) -> Iterator[Path]:
    """Return all files of folders."""
    for folder in folders:
        yield from (path for path in sorted(folder.rglob("*")) if path.is_file())


def files_showing(paths: Iterable[Path], wanted: Mapping[str, bytes]) -> dict[str, list[str]]:
    """Return the files that contain a form, with the form."""
    found = {}
    for path in paths:
        with suppress(FileNotFoundError):  # a server may remove its temporary files at any time
            found[str(path)] = seen(path.read_bytes(), wanted)
    return {path: shown for path, shown in found.items() if shown}
