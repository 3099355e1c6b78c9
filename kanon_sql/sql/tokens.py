"""Splits SQL that a user wrote into tokens by the strict rules of its dialect, and finds the functions it calls.

A parser that reads a text in another way than the database proves nothing, so a text is split here first. Ambiguous text is
refused, comments are removed, and the database gets the text that was parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from kanon_sql.sql.dialects import DIALECTS

Kind = Literal["gap", "quoted", "string", "word", "number", "sign"]

# A name after one of these has a list of columns, never arguments.
_BEFORE_ALIAS = frozenset({"as", "with", "recursive", "ordinality"})
_BEGINS_QUERY = frozenset({"select", "with", "from", "("})


class UnclearText(Exception):
    """A text that cannot be split without doubt; says what to change."""


@dataclass(frozen=True)
class Token:
    """A piece of SQL and what it is."""

    kind: Kind
    text: str

    @property
    def is_name(self) -> bool:
        """Return whether it may name a function or a table."""
        return self.kind in ("word", "quoted")

    @property
    def name(self) -> str:
        """Return the name without its quotes."""
        if self.kind != "quoted":
            return self.text
        mark = self.text[-1]
        return self.text[1:-1].replace(mark * 2, mark)


@dataclass(frozen=True)
class Call:
    """A function called by name, and the name before the dot if there is one."""

    name: str
    qualifier: str | None


def split(text: str, dialect: str) -> tuple[Token, ...]:
    """Return the tokens of a text; every comment or run of white space is one gap."""
    tokens: list[Token] = []
    position, pattern = 0, _pattern(dialect)
    while position < len(text):
        match = pattern.match(text, position)
        if match is None:
            raise UnclearText(_doubt(text, position))
        if match.lastgroup == "gap":
            tokens.append(Token("gap", "\n" if "\n" in match[0] else " "))
        else:
            tokens.append(Token(_KINDS[str(match.lastgroup)], match[0]))
        position = match.end()
    return tuple(tokens)


def joined(tokens: Sequence[Token]) -> str:
    """Return the text of tokens, without comments."""
    return "".join(token.text for token in tokens).strip()


def quoted_spans(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Return where literals and quoted names begin and end in the joined text of tokens that begin with no gap."""
    spans, position = [], 0
    for token in tokens:
        if token.kind in ("quoted", "string"):
            spans.append((position, position + len(token.text)))
        position += len(token.text)
    return spans


def calls(tokens: Sequence[Token]) -> Iterator[Call]:
    """Return every name that a parenthesis follows, unless its position shows that it is an alias."""
    solid = [token for token in tokens if token.kind != "gap"]
    for index, token in enumerate(solid[1:], start=1):
        called = solid[index - 1]
        if token.text != "(" or called.kind not in ("word", "quoted", "number"):
            continue
        before = solid[index - 2].text.lower() if index > 1 else ""
        if before == ".":
            yield Call(called.name, ".".join(_qualifiers(solid, index - 2)))
        elif before not in _BEFORE_ALIAS and not (before == ")" and called.is_name) and not _is_common_table(solid, index):
            yield Call(called.name, None)


def _qualifiers(solid: Sequence[Token], dot: int) -> list[str]:
    """Return the names before a dot, outermost first."""
    names: list[str] = []
    while dot > 0 and solid[dot].text == ".":
        names.insert(0, solid[dot - 1].name)
        dot -= 2
    return names


def _is_common_table(solid: Sequence[Token], opening: int) -> bool:
    """Return whether a parenthesis opens the column list of a common table expression: (a, b) as (select …."""
    index = opening + 1
    while index < len(solid) and (solid[index].is_name or solid[index].text == ","):
        index += 1
    after = [token.text.lower() for token in solid[index : index + 6] if token.text.lower() not in ("not", "materialized")]
    return after[:3] == [")", "as", "("] and len(after) > 3 and after[3] in _BEGINS_QUERY


_KINDS: dict[str, Kind] = {"literal": "string", "quoted": "quoted", "word": "word", "number": "number", "sign": "sign"}


@cache
def _pattern(dialect: str) -> re.Pattern[str]:
    lexicon = DIALECTS[dialect].lexicon
    comments, literals, quoted = lexicon.comments, lexicon.literals, lexicon.quoted_names
    unicode = r"(?![uU]&['\"])" if lexicon.has_unicode_escapes else ""
    brackets = "" if lexicon.quotes_by_brackets else r"\["
    return re.compile(
        rf"(?P<gap>(?:\s|{comments})+)|(?P<literal>{literals})|(?P<quoted>{quoted})|"
        rf"(?P<word>{unicode}[^\W\d]\w*(?![\w$]))|(?P<number>\d[\w.]*(?![\w.$]))|"
        rf"(?P<sign>(?!--|/\*|{{[#%{{])[!%&()*+,\-./:;<=>?@^|~{{}}\]#{brackets}])",
        re.DOTALL,
    )


def _doubt(text: str, position: int) -> str:
    """Return what cannot be read at a position, without repeating it."""
    rest = text[position:]
    if rest.startswith(("/*!", "/*M!")):
        return "holds a comment that begins with ! and that some databases run; leave it out"
    if rest.startswith("/*"):
        return "holds a comment that does not end or holds another; leave it out"
    if rest[:2].upper() == "U&":
        return "holds a name or text with Unicode escapes (U&…); write the characters themselves"
    if rest[0] in "'\"`":
        return "cannot be read as SQL of this database: a quote is not closed"
    line = text.count("\n", 0, position) + 1
    return f"cannot be read as SQL of this database (line {line} of it); write a name with special characters in quotes"
