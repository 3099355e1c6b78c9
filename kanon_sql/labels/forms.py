"""Read the labels that other tools write: ranges, sets, single values, calendar units."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from kanon_sql.labels.leaves import position_of, read_leaf
from kanon_sql.tables import ColumnKind

_HALF_A_MILLISECOND = 0.0005  # engines distinguish moments more finely than this, but not exactly
_BRACKETS = {"[": "])", "(": "])"}
_PERIODS = re.compile(r"(\d{4})(?:-(0[1-9]|1[0-2])|-Q([1-4])|-W(\d{2})|(s)|-(\d{4}))?")


@dataclass(frozen=True)
class Span:
    """All positions from low to high; an open end is not part of it."""

    low: float = -inf
    high: float = inf
    low_open: bool = False
    high_open: bool = False


@dataclass(frozen=True)
class Label:
    """The meaning of a label: spans of a numeric column, or members of a category."""

    spans: tuple[Span, ...] = ()
    members: tuple[object, ...] = ()


def read_label(text: str, kind: ColumnKind) -> Label | None:
    """Return the meaning of a label of a column of this kind, or None if it cannot be read."""
    text = text.strip()
    if kind in ("text", "boolean"):
        members = tuple(dict.fromkeys(read_leaf(item, kind) for item in _items(text)))
        return Label(members=members) if members and None not in members else None
    span = _span(text, kind)
    if span is not None:
        return Label(spans=(span,))
    values = [_at(item, kind) for item in _items(text)]
    known = [value for value in values if value is not None]
    return Label(spans=tuple(Span(at, at) for at in known)) if known and len(known) == len(values) else None


def settled(span: Span, kind: ColumnKind) -> Span:
    """Return the span with its ends moved, because rounded moments may lie just across them."""
    if kind != "timestamp":
        return span
    nudge = _HALF_A_MILLISECOND
    return Span(
        span.low + (nudge if span.low_open else -nudge), span.high + (-nudge if span.high_open else nudge), span.low_open, span.high_open
    )


def _items(text: str) -> list[str]:
    """Return the members of a set, written `{a, b}` or `a~b`; a single value is a set too."""
    if text.startswith("{") and text.endswith("}"):
        return [item.strip() for item in re.split("[,;]", text[1:-1])]
    return [item.strip() for item in text.split("~")]


def _span(text: str, kind: ColumnKind) -> Span | None:
    for sign, low, is_open in (("<=", False, False), (">=", True, False), ("<", False, True), (">", True, True)):
        if text.startswith(sign):
            at = _at(text[len(sign) :], kind)
            if at is None:
                return None
            return Span(low=at, low_open=is_open) if low else Span(high=at, high_open=is_open)
    if text[:1] in _BRACKETS and text[-1:] in _BRACKETS[text[0]]:
        ends = _ends(text[1:-1], kind)
        return Span(*ends, text[0] == "(", text[-1] == ")") if ends else None
    at = _at(text, kind)
    if at is not None:
        return Span(at, at)
    if kind in ("date", "timestamp"):
        period = _period(text)
        if period is not None:
            first, after = (position_of(day if kind == "date" else datetime.datetime.combine(day, datetime.time())) for day in period)
            return None if first is None or after is None else Span(first, after, high_open=True)
    ends = _ends(text, kind)
    return Span(*ends) if ends else None


def _ends(text: str, kind: ColumnKind) -> tuple[float, float] | None:
    """Return two values that a separator divides, or None."""
    for index in _separators(text):
        low, high = _at(text[:index], kind), _at(text[index + 1 :].lstrip("."), kind)
        if low is not None and high is not None and low <= high:
            return low, high
    return None


def _separators(text: str) -> Iterator[int]:
    for mark in (",", ";", "~", "..", "-"):
        yield from (match.start() for match in re.finditer(re.escape(mark), text) if match.start() > 0)


def _at(text: str, kind: ColumnKind) -> float | None:
    """Return the position of a value, or None if it cannot be read."""
    text = text.strip()
    if kind not in ("date", "timestamp"):
        if text.lower().lstrip("+-") in ("inf", "infinity", "∞"):
            return -inf if text.startswith("-") else inf
        if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
            return None
        return float(text)
    if len(text) < len("2020-01-01"):
        return None
    value = read_leaf(text, kind)
    return None if value is None else position_of(value)


def _period(text: str) -> tuple[datetime.date, datetime.date] | None:
    """Return the first day of a calendar unit and the first day after it, or None."""
    match = _PERIODS.fullmatch(text)
    if match is None:
        return None
    year, month, quarter, week, decade, last = match.groups()
    try:
        if week:
            first = datetime.date.fromisocalendar(int(year), int(week), 1)
            return first, first + datetime.timedelta(days=7)
        start = int(year) * 12 + (int(month) - 1 if month else 3 * int(quarter) - 3 if quarter else 0)
        months = 1 if month else 3 if quarter else 120 if decade else 12 * (int(last) - int(year) + 1) if last else 12
        first, after = (datetime.date(index // 12, index % 12 + 1, 1) for index in (start, start + months))
    except ValueError:
        return None
    return (first, after) if first < after else None
