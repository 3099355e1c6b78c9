"""The lines of a listed hierarchy, from a file, a nested mapping or a table, and the check that they are a tree."""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from kanon_sql.errors import HierarchyError

DELIMITERS = {";": "a semicolon", "\t": "a tab", ",": "a comma"}


class Line(NamedTuple):
    """A leaf and its labels from level 1 up, with its line number in the source."""

    number: int
    cells: tuple[str, ...]


def read_csv(path: Path, *, header: bool = False) -> tuple[Line, ...]:
    """Return the lines of a hierarchy file without blank lines and without the header."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise HierarchyError(f"hierarchy file {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise HierarchyError(f"hierarchy file {path} is not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    delimiter = _delimiter_of(text)
    reader = csv.reader(io.StringIO(text, newline=None), delimiter=delimiter, strict=True)
    try:
        lines = tuple(Line(reader.line_num, tuple(cells)) for cells in reader if any(cells))
    except csv.Error:
        hint = f"with {DELIMITERS[delimiter]} between columns; check for a quote that is not closed"
        raise HierarchyError(f"hierarchy file {path}, line {reader.line_num} cannot be read as CSV {hint}") from None
    if lines and all(len(line.cells) == 1 and "|" in line.cells[0] for line in lines):
        raise HierarchyError(f"hierarchy file {path} has | between columns; use a semicolon, a comma or a tab instead")
    lines = lines[1:] if header else lines
    if not lines:
        raise HierarchyError(f"hierarchy file {path} is empty; write one line per value, such as leaf;level1;level2")
    return lines


def _delimiter_of(text: str) -> str:
    """Return the delimiter that gives every line the same number of columns, above one; otherwise the first one in the first line."""
    for delimiter in DELIMITERS:
        try:
            widths = {len(cells) for cells in csv.reader(io.StringIO(text, newline=None), delimiter=delimiter, strict=True) if any(cells)}
        except csv.Error:
            continue
        if len(widths) == 1 and max(widths) > 1:
            return delimiter
    first = text.split("\n", 1)[0]
    return next((delimiter for delimiter in DELIMITERS if delimiter in first), ",")


def plain_tree(node: object) -> Any:
    """Return a nested mapping with every leaf and label as text, as in a file."""
    if isinstance(node, Mapping):
        if not node:
            raise ValueError("a branch is empty; add values under every label")
        return {_plain_cell(label): plain_tree(below if isinstance(below, Mapping | list) else [below]) for label, below in node.items()}
    if isinstance(node, list):
        if not node:
            raise ValueError("a branch is empty; add values under every label")
        return [plain_tree(item) if isinstance(item, Mapping) else _plain_cell(item) for item in node]
    raise ValueError("must map each label to a list of values or to further labels, such as {Europe: [France, Italy]}")


def tree_lines(tree: Mapping[str, Any]) -> tuple[Line, ...]:
    """Return the leaves of a nested mapping in its order; the top label of a shorter branch repeats."""
    paths = list(_paths(tree, ()))
    depth = max(len(above) for _, above in paths)
    return tuple(
        Line(number, (leaf, *reversed(above), *(above[:1] * (depth - len(above))))) for number, (leaf, above) in enumerate(paths, start=1)
    )


def require_tree(where: str, lines: Sequence[Line], unit: str) -> None:
    """Raise unless all lines have the same number of columns, no empty label, one path per leaf and one parent per label."""
    width = len(lines[0].cells)
    problems = [line.number for line in lines if len(line.cells) != width]
    if problems:
        wrong = next(line for line in lines if len(line.cells) != width)
        _refuse(where, unit, problems, f"{len(wrong.cells)} columns where {unit} {lines[0].number} has {width}")
    for level in range(1, width):
        empty = [line.number for line in lines if not line.cells[level]]
        if empty:
            _refuse(where, unit, empty, f"level {level} is empty; write a label on every level")
    twice = _repeated(lines)
    if twice:
        again, first = twice[0]
        _refuse(where, unit, [number for number, _ in twice], f"the same leaf is in {unit} {first}; a leaf has one path", at=again)
    for level in range(1, width - 1):
        _require_one_parent(where, lines, unit, level)


def _paths(node: Any, above: tuple[str, ...]) -> Iterable[tuple[str, tuple[str, ...]]]:
    for item in node:
        if isinstance(node, Mapping):
            yield from _paths(node[item], (*above, item))
        elif isinstance(item, Mapping):
            yield from _paths(item, above)
        else:
            yield item, above


def _plain_cell(cell: object) -> str:
    match cell:
        case None:
            raise ValueError("a label or value is empty; remove it: NULL needs no entry, it stays NULL up to the root")
        case bool():
            raise ValueError("a label or value is read as true or false; put it in quotes")
        case datetime.datetime():
            return cell.isoformat(sep=" ")
        case datetime.date():
            return cell.isoformat()
        case str() | int() | float():
            return str(cell)
    raise ValueError("a label or value must be text, a number or a date")


def _repeated(lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Return the line numbers of repeated leaves, each with the line of its first occurrence."""
    first: dict[str, int] = {}
    return [(line.number, first[line.cells[0]]) for line in lines if first.setdefault(line.cells[0], line.number) != line.number]


def _require_one_parent(where: str, lines: Sequence[Line], unit: str, level: int) -> None:
    parents: dict[str, Line] = {}
    torn: dict[str, Line] = {}
    for line in lines:
        known = parents.setdefault(line.cells[level], line)
        if known.cells[level + 1] != line.cells[level + 1]:
            torn.setdefault(line.cells[level], line)
    if torn:
        label, wrong = next(iter(torn.items()))
        count = f"labels with more than one parent at level {level}: {len(torn)} of {len(parents)}"
        raise HierarchyError(
            f"{where}, {unit} {wrong.number}: the label at level {level} has a different parent than in {unit} {parents[label].number}; "
            f"{count}. Give each label one parent at level {level + 1}"
        )


def _refuse(where: str, unit: str, numbers: Sequence[int], what: str, at: int | None = None) -> None:
    count = f" ({len(numbers)} such {unit}s)" if len(numbers) > 1 else ""
    raise HierarchyError(f"{where}, {unit} {at or numbers[0]}: {what}{count}")
