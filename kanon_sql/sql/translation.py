"""Translates SELECT statements from the dialect that templates are written in, once per text and process."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from kanon_sql.errors import KanonError
from kanon_sql.sql.dialects import DIALECTS, HOME

if TYPE_CHECKING:
    from sqlglot import exp

# Runs differ in the prefix of their tables. A text is translated with this prefix instead, so no run translates what another one did.
_PREFIX = re.compile(r"(?=(__kanon_[0-9a-f]{8}_))")
_COMMON_PREFIX = "__kanon_00000000_"


class TemplateError(KanonError):
    """A template is missing, or does not render to one SELECT."""


def translate(text: str, dialect: str) -> str:
    """Return SQL of a template, proven to be one SELECT, in a dialect."""
    prefixes = set(_PREFIX.findall(text))
    if len(prefixes) != 1:  # with two, such as a column of a user that is called like a table of a run, the way back would be unclear
        return _translate(text, dialect)
    (prefix,) = prefixes
    return _translate(text.replace(prefix, _COMMON_PREFIX), dialect).replace(_COMMON_PREFIX, prefix)


# What differs between statements of one shape: parts of the class key, numbered names of ours, and integers.
_VARYING = re.compile(r"\bq\d+_\d+\b|\b(?:__kanon_[0-9a-f]+_)?[a-z]+_\d+\b|(?<![\w.])\d+(?![\w.])")
_MARKED = re.compile(r"\b(?:q0_|n0_|7{15})(\d+)\b")


def translate_shape(text: str, dialect: str) -> str:
    """Return the same as `translate`, at the cost of one translation for all texts that differ only in numbered names and integers."""
    if DIALECTS[dialect].respell is None or _MARKED.search(text):  # nothing to translate, or a user's name that equals a mark
        return translate(text, dialect)
    found: list[str] = []

    def mark(match: re.Match[str]) -> str:
        found.append(match[0])
        kind = "7" * 15 if match[0].isdigit() else "q0_" if re.match(r"q\d", match[0]) else "n0_"
        return f"{kind}{len(found)}"

    translated = translate(_VARYING.sub(mark, text), dialect)
    return _MARKED.sub(lambda match: found[int(match[1]) - 1], translated)


def parse(text: str) -> exp.Expr:
    """Return SQL of a template as a tree, for a query of a user to become part of it."""
    import sqlglot  # here, because no statement of DuckDB needs it and it is slow to import

    return sqlglot.parse_one(text, read=HOME.name)


def spell(tree: exp.Expr, dialect: str) -> str:
    """Return a tree as text in a dialect; names that a user wrote without quotes stay without."""
    respell = DIALECTS[dialect].respell
    return (tree.transform(respell) if respell else tree).sql(dialect, pretty=True)


@lru_cache(maxsize=4096)
def _translate(text: str, dialect: str) -> str:
    bare = _QUOTED.sub(" ", text)
    if not _READS.match(bare) or _DOES_MORE.search(bare):
        raise TemplateError("a template must render to exactly one SELECT")
    target = DIALECTS[dialect]
    if target.respell is None:
        return text
    tree = parse(text).transform(target.respell)
    if target.respell_templates is not None:
        tree = tree.transform(target.respell_templates)
    return tree.sql(dialect, pretty=True, identify=True)


# Parsing what DuckDB parses anyway took half as long as the statements of a small run; its words show that a text only reads.
_QUOTED = re.compile(r"""\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*'|/\*.*?\*/|--[^\n]*""", re.DOTALL)
_READS = re.compile(r"[\s(]*(?:select|with)\b", re.IGNORECASE)
_WRITING = ("insert", "update", "delete", "merge", "create", "drop", "alter", "truncate", "copy", "attach", "detach", "call", "pragma")
_DOES_MORE = re.compile(rf";|\b(?:{'|'.join(_WRITING)})\b", re.IGNORECASE)
