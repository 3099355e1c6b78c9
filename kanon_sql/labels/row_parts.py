"""How a row of the source finds its parts of a class key: by joins with hierarchy tables, or in maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kanon_sql.artifacts import CodedColumn
from kanon_sql.workspace import Workspace


@dataclass(frozen=True)
class RowPart:
    """A quasi-identifier's part of a class key at a level."""

    coded: CodedColumn
    level: int
    maps: str | None = None  # the session variable with the map from values to parts; None means a join


def row_keys(workspace: Workspace, columns: Sequence[tuple[CodedColumn, int]]) -> list[list[RowPart]]:
    """Return the parts that add up to each packed key; maps, which end with the connection, are created where they are faster."""
    parts = [RowPart(column, level) for column, level in columns]
    mapped = [part for part in parts if _is_mapped(workspace, part.coded)]
    if mapped:
        maps = workspace.name("maps")
        workspace.define("workspace/session/maps", name=maps, parts=mapped)
        parts = [replace(part, maps=maps) if part in mapped else part for part in parts]
    keys: dict[int, list[RowPart]] = {}
    for part in parts:
        keys.setdefault(part.coded.key, []).append(part)
    return list(keys.values())


def _is_mapped(workspace: Workspace, coded: CodedColumn) -> bool:
    """Return whether a column has few texts, which the engine finds faster in a map than by a join."""
    is_text = coded.column.kind == "text" and coded.column.type_name == workspace.backend.text_type
    return is_text and coded.labels[0] <= workspace.backend.mapped_values
