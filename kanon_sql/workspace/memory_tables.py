"""Moves lookup tables of a run to memory, on engines that find a row there much faster."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kanon_sql.tables import TableName

if TYPE_CHECKING:
    from kanon_sql.workspace.workspace import Workspace

LONGEST = 255  # characters of a text; tables in memory give every text the space of the longest
_BYTES_OF_CHARACTER = 4
_BYTES_OF_OTHERS = 32  # at most, of a number, date or time
_TEXT = re.compile(r"(varchar|char)\(\d+\)|(tiny|medium|long)?text")
_FIXED = re.compile(r"(tiny|small|medium|big)?int|decimal|double|float|date|datetime|timestamp|time|year|bit")


@dataclass(frozen=True)
class SizedText:
    """A text column, with the type that holds its longest text."""

    name: str
    collation: str
    characters: int

    @property
    def type(self) -> str:
        """The type of the column in memory."""
        return f"varchar({self.characters}) character set {self.collation.split('_')[0]} collate {self.collation}"


def move_to_memory(workspace: Workspace, table: TableName) -> bool:
    """Move a temporary table to memory if the engine has such tables and it is small; return whether it is there."""
    limit = workspace.backend.lookup_bytes
    if not limit:
        return False
    described = workspace.fetch("workspace/catalog/temporary_columns", table=table)
    texts = [(name, collation) for name, kind, collation, *_ in described if _TEXT.fullmatch(kind)]
    if any(not _TEXT.fullmatch(kind) and not _FIXED.match(kind) for _, kind, *_ in described):
        return False
    rows, *lengths = workspace.fetch_one("workspace/ddl/text_lengths", table=table, columns=[name for name, _ in texts])
    sized = [SizedText(name, collation, max(1, length)) for (name, collation), length in zip(texts, lengths, strict=True)]
    if any(text.characters > LONGEST for text in sized) or rows * _row_bytes(sized, len(described)) > limit:
        return False
    workspace.define("workspace/ddl/move_to_memory", table=table, columns=sized)
    return True


def _row_bytes(texts: Sequence[SizedText], columns: int) -> int:
    """Return the bytes that a row needs in memory, at most."""
    return _BYTES_OF_CHARACTER * sum(text.characters for text in texts) + _BYTES_OF_OTHERS * (columns + 2)
