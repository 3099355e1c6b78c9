"""Values, operators, filters and limits of the template language.

Every value is plain: text, a number, true or false, a date, none, or a list or mapping of these. A template that exceeds a limit is
refused before it does the work.
"""

from __future__ import annotations

import datetime
import json
import operator
from collections.abc import Callable, Mapping
from typing import Any

MAX_CHARACTERS = 100_000  # of one template
MAX_WORK = 1_000_000  # characters and items that one template handles
MAX_INTEGER = 10**18

_SCALARS = (str, int, float, datetime.date, type(None))  # bool is a subclass of int, datetime of date


class TemplateRefused(Exception):
    """The reason why a template is not evaluated."""


class Work:
    """The characters and items that one template has handled so far."""

    def __init__(self) -> None:
        self._done = 0

    def add(self, amount: int) -> None:
        """Count work, or raise an error if it exceeds the limit."""
        self._done += amount
        if self._done > MAX_WORK:
            raise TemplateRefused(f"the template handles more than {MAX_WORK:,} characters or items. Shorten it")

    def plain(self, value: Any) -> Any:
        """Return the value if it is plain at every depth, and count its size."""
        if isinstance(value, str):
            self.add(len(value))
        elif isinstance(value, int) and abs(value) > MAX_INTEGER:
            raise TemplateRefused(f"the template contains a number that is larger than {MAX_INTEGER:.0e}. Use a smaller one")
        elif isinstance(value, Mapping):
            self.add(len(value))
            return {self.plain(key): self.plain(item) for key, item in value.items()}
        elif isinstance(value, list | tuple):
            self.add(len(value))
            return [self.plain(item) for item in value]
        elif not isinstance(value, _SCALARS):
            raise TemplateRefused("a template can only return text, numbers, true or false, dates, lists and mappings")
        return value

    def join(self, items: Any, separator: Any = "") -> str:
        """Return a list as one text."""
        if not isinstance(items, list):
            raise TemplateRefused("the filter join needs a list")
        texts, between = [as_text(item) for item in items], as_text(separator)
        self.add(sum(map(len, texts)) + len(between) * len(texts))
        return between.join(texts)

    def replace(self, value: Any, old: Any, new: Any) -> str:
        """Return the text with every `old` replaced by `new`."""
        text, old, new = as_text(value), as_text(old), as_text(new)
        self.add(len(text) + text.count(old) * len(new))
        return text.replace(old, new)


def as_text(value: Any) -> str:
    """Return a scalar as text."""
    if value is None or not isinstance(value, _SCALARS):
        raise TemplateRefused("none, a list or a mapping cannot be part of a text. Use the filter default or join")
    return str(value)


def require_number(value: Any) -> Any:
    """Return the value if it is a number."""
    if not _is_number(value):
        raise TemplateRefused("the template calculates with a value that is not a number. Use the filter as_number, or ~ to join text")
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _as_number(value: Any) -> int | float:
    try:
        return int(value)
    except ValueError:
        return float(value)


def _as_bool(value: Any) -> bool:
    return {"true": True, "false": False, "1": True, "0": False}[str(value).strip().lower()]


def _as_native(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


def _default(value: Any, default_value: Any = "", boolean: Any = False) -> Any:
    return default_value if value is None or (boolean and not value) else value


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "lteq": operator.le,
    "gt": operator.gt,
    "gteq": operator.ge,
    "in": lambda value, container: value in container,
    "notin": lambda value, container: value not in container,
}
TESTS: dict[str, Callable[[Any], bool]] = {
    "none": lambda value: value is None,
    "string": lambda value: isinstance(value, str),
    "number": _is_number,
    "boolean": lambda value: isinstance(value, bool),
}
FILTERS: dict[str, Callable[..., Any]] = {
    "as_bool": _as_bool,
    "as_native": _as_native,
    "as_number": _as_number,
    "as_text": as_text,
    "default": _default,
    "float": float,
    "int": int,
    "lower": lambda value: as_text(value).lower(),
    "string": as_text,
    "trim": lambda value: as_text(value).strip(),
    "upper": lambda value: as_text(value).upper(),
}
