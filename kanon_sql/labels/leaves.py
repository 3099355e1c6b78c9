"""Read the leaves of a listed hierarchy in the type of their column."""

from __future__ import annotations

import datetime
import struct
from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from kanon_sql.errors import HierarchyError
from kanon_sql.hierarchy import Listing
from kanon_sql.tables import Column, ColumnKind

_EPOCH = datetime.datetime(1970, 1, 1)
_UNREADABLE = (ValueError, KeyError, InvalidOperation, OverflowError, struct.error)
_TRUTH = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}


def read_leaf(text: str, kind: ColumnKind) -> object | None:
    """Return a value in the type of its column, or None if the text is not one."""
    try:
        return _READERS[kind](text)
    except _UNREADABLE:
        return None


def typed_leaves(column: Column, rule: Listing) -> list[tuple[object, ...]]:
    """Return one row per leaf: value, position on the axis, position in the list, labels."""
    read = _READERS[column.kind]
    rows: list[tuple[object, ...]] = []
    seen: dict[object, int] = {}
    unreadable: list[int] = []
    for listed, (number, (leaf, *labels)) in enumerate(rule.lines, start=1):
        try:
            value = read(leaf)
        except _UNREADABLE:
            unreadable.append(number)
            continue
        if value in seen:
            raise HierarchyError(
                f"{rule.where}, {rule.unit} {number}: read as {column.kind}, the type of column {column.name!r}, "
                f"it is the same value as {rule.unit} {seen[value]}; keep one of the two"
            )
        seen[value] = number
        rows.append((value, position_of(value), listed, *labels))
    if unreadable:
        hint = f". {rule.header_advice}" if unreadable == [rule.lines[0].number] and rule.header_advice else ""
        raise HierarchyError(
            f"{rule.where}, {rule.unit} {unreadable[0]}: the leaf cannot be read as {column.kind}, the type of column {column.name!r} "
            f"({len(unreadable)} of {len(rule.lines)} leaves){hint}"
        )
    return rows


def _integer(text: str) -> int:
    number = Decimal(text)
    if number != number.to_integral_value():
        raise ValueError
    return int(number)


def _decimal(text: str) -> Decimal:
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError
    return number


_READERS: dict[ColumnKind, Callable[[str], object]] = {
    "integer": _integer,
    "decimal": _decimal,
    "single": lambda text: struct.unpack("f", struct.pack("f", float(text)))[0],
    "float": float,
    "boolean": lambda text: _TRUTH[text.strip().lower()],
    "date": datetime.date.fromisoformat,
    "timestamp": datetime.datetime.fromisoformat,
    "text": str,
}


def position_of(value: object) -> float | None:
    """Return the position of a leaf on its column's axis: numbers at their value, dates in days, timestamps in seconds."""
    match value:
        case bool() | str():
            return None
        case int() | float() | Decimal():
            return float(value)
        case datetime.datetime():
            if value.tzinfo:
                value = value.astimezone(datetime.UTC)
            return (value.replace(tzinfo=None) - _EPOCH).total_seconds()
        case datetime.date():
            return float((value - _EPOCH.date()).days)
    return None
