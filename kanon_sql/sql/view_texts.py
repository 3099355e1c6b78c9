"""What the texts of views mention and call, from their tokens alone: the database has accepted them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kanon_sql.sql.dialects import DIALECTS
from kanon_sql.sql.functions import is_varying
from kanon_sql.sql.tokens import Token, UnclearText, calls, split

Mention = tuple[str | None, str]


def varying_of(text: str, dialect: str) -> str | None:
    """Return the function in the text of a view that gives another value every time, if there is one; a sample is `tablesample`."""
    tokens = _leniently(text, dialect)
    if draws_sample(words_of(tokens), dialect):
        return "tablesample"
    return next((call.name.lower() for call in calls(tokens) if is_varying(call.name, dialect)), None)


def mentions(text: str, dialect: str) -> Iterator[Mention]:
    """Return every name in the text of a view, in lower case, with the name before its dot if there is one."""
    solid = [token for token in _leniently(text, dialect) if token.kind != "gap"]
    for index, token in enumerate(solid):
        if token.is_name:
            qualified = index > 1 and solid[index - 1].text == "."
            yield solid[index - 2].name if qualified else None, token.name.casefold()


def _leniently(text: str, dialect: str) -> tuple[Token, ...]:
    """Return the tokens of a text that the database has accepted; if it cannot be split, its words and signs."""
    try:
        return split(text, dialect)
    except UnclearText:
        return tuple(Token("word" if piece[0].isalpha() or piece[0] == "_" else "sign", piece) for piece in re.findall(r"\w+|\S", text))


def words_of(tokens: Sequence[Token]) -> list[str]:
    """Return the words of a text in lower case, and a mark for every other token."""
    return [token.text.lower() if token.kind == "word" else "?" for token in tokens if token.kind != "gap"]


def follow(words: list[str], first: str, second: str) -> bool:
    """Return whether one word follows another."""
    return any(pair == (first, second) for pair in pairwise(words))


def draws_sample(words: list[str], dialect: str) -> bool:
    """Return whether a text reads a sample that the database does not draw again in the same way."""
    samples = words.count("tablesample") + int(follow(words, "using", "sample"))
    return samples > (words.count("repeatable") if DIALECTS[dialect].repeats_samples else 0)
