"""Keeps the values of secret environment variables out of everything that is written."""

from __future__ import annotations

import html
import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

SECRET_PREFIXES = ("KANON_ENV_SECRET_", "DBT_ENV_SECRET_")
HIDDEN = "*****"


def _quoted(text: str, safe: str = "/") -> str:
    return quote(text, safe=safe, errors="surrogateescape")  # a variable may hold bytes that are not UTF-8


def _as_yaml(text: str, *, allow_unicode: bool) -> str:
    import yaml  # the command line starts without it

    return yaml.safe_dump(text, default_style='"', width=10**9, allow_unicode=allow_unicode)[1:-2]


# How programs spell a text inside another: Python, JSON, YAML, SQL, URLs, HTML and XML, shells, libpq.
_SPELLINGS: tuple[Callable[[str], str], ...] = (
    lambda text: repr(text)[1:-1],
    lambda text: repr(text + '"')[1:-2],  # in a longer text that holds the other quote, repr escapes this one
    lambda text: repr(text + "'\"")[1:-4],
    lambda text: ascii(text)[1:-1],
    lambda text: json.dumps(text)[1:-1],
    lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    lambda text: _as_yaml(text, allow_unicode=False),
    lambda text: _as_yaml(text, allow_unicode=True),
    lambda text: text.replace("'", "''"),
    lambda text: text.replace('"', '""'),
    lambda text: text.replace("\\", "\\\\"),
    lambda text: text.replace("\\", "\\\\").replace("'", "\\'"),
    lambda text: text.replace("\\", "\\\\").replace('"', '\\"'),
    lambda text: _quoted(text, ""),
    _quoted,
    lambda text: _quoted(text, " +"),  # as SQLAlchemy shows a URL
    lambda text: _quoted(text, " ").replace(" ", "+"),
    lambda text: html.escape(text, quote=False),
    lambda text: html.escape(text),
    lambda text: html.escape(text).replace("&#x27;", "&#39;").replace("&quot;", "&#34;"),
    lambda text: html.escape(text).replace("&#x27;", "'").replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#09;"),
    lambda text: html.escape(text).replace("&#x27;", "&apos;"),
    lambda text: shlex.quote(text).removeprefix("'").removesuffix("'"),
)
# Where YAML, or a printer of long lines, may break a text.
_BREAK = r"(?:\s|\\\n)+\\?"
_CONTINUED = "\\\n"
_PERCENT = re.compile(r"%[0-9A-F]{2}")


class Secrets:
    """Texts that must appear nowhere."""

    def __init__(self, values: Iterable[str]) -> None:
        self._values: set[str] = set()
        self.add(*values)

    def add(self, *values: str) -> None:
        """Hides more from now on, however it is spelled."""
        self._values |= {form for value in values if value.strip() for form in (value, value.strip())}

    def scrub(self, text: str) -> str:
        """The text with every secret hidden."""
        values = frozenset(self._values)
        if not values:
            return text
        if _CONTINUED in text:
            text = _continued_pattern(values).sub(HIDDEN, text)
        return _pattern(values).sub(HIDDEN, text)

    def scrub_all(self, value: Any) -> Any:
        """Plain values of any depth with every secret hidden; numbers that spell one too."""
        match value:
            case str():
                return self.scrub(value)
            case Mapping():
                return {self.scrub(str(key)): self.scrub_all(item) for key, item in value.items()}
            case list() | tuple():
                return [self.scrub_all(item) for item in value]
            case int() | float() if str(value) in self._values:
                return HIDDEN
        return value

    def has_any(self, text: str) -> bool:
        """Whether a secret stands in the text."""
        return self.scrub(text) != text


@cache
def _pattern(values: frozenset[str]) -> re.Pattern[str]:
    return _any_of({form for value in values for form in _spelled_twice(value)}, _flexible)


@cache
def _continued_pattern(values: frozenset[str]) -> re.Pattern[str]:
    return _any_of({form for value in values for form in _spelled(value)}, _breakable)


def _spelled(value: str) -> set[str]:
    """Return the value as programs spell it."""
    return {value, *(form for form in (spell(value) for spell in _SPELLINGS) if form.strip())}


def _spelled_twice(value: str) -> set[str]:
    """Return the spellings, and how programs spell those again: a message inside a JSON document."""
    return {form for once in _spelled(value) for form in _spelled(once)}


def _any_of(forms: set[str], pattern_of: Callable[[str], str]) -> re.Pattern[str]:
    longest_first = sorted(forms, key=len, reverse=True)  # one may be the beginning of another
    return re.compile("|".join(map(pattern_of, longest_first)))


def _flexible(form: str) -> str:
    """Return a pattern that also matches white space folded or indented, and URLs in lower case."""
    words = [_PERCENT.sub(lambda code: f"(?i:{code[0]})", re.escape(word)) for word in re.split(r"\s+", form)]
    return _BREAK.join(words)


def _breakable(form: str) -> str:
    """Return a pattern that also matches lines continued by a backslash anywhere, as YAML does in double quotes."""
    return r"(?:\\\n\s*\\?)?".join(map(re.escape, form))


def is_secret(variable: str) -> bool:
    """Whether an environment variable's value must appear nowhere."""
    return variable.upper().startswith(SECRET_PREFIXES)


def secrets_of(environment: Mapping[str, str]) -> Secrets:
    """The secrets of an environment."""
    return Secrets(value for name, value in environment.items() if is_secret(name))
