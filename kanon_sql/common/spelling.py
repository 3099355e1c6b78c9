"""Words in messages: suggestions for misspelled names, and numbers with nouns."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(misspelled: str, known: Iterable[str]) -> str:
    """Return a suggestion to append to a message, or an empty text."""
    by_folded = {name.casefold(): name for name in known}
    close = difflib.get_close_matches(misspelled.casefold(), by_folded, n=1)
    return f" (did you mean {by_folded[close[0]]!r}?)" if close else ""


def require_known(value: object, known: Iterable[str]) -> str:
    """Return a name that is among the known ones, or raise ValueError with a suggestion."""
    names = list(known)
    if isinstance(value, str) and value in names:
        return value
    raise ValueError(f"{value!r} is not allowed{did_you_mean(str(value), names)}; allowed are {', '.join(names)}")


def many(number: int, thing: str) -> str:
    """Return a number with its noun: 1 class, 2,000 classes."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}{'es' if thing.endswith('s') else 's'}"
