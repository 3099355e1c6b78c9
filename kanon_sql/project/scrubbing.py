"""Remove the values of secret environment variables from everything that is printed or written."""

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
    return quote(text, safe=safe, errors="surrogateescape")  # a variable may contain bytes that are not UTF-8


def _as_yaml(text: str, *, allow_unicode: bool) -> str:
    import yaml  # imported here, because most commands do not need it

    return yaml.safe_dump(text, default_style='"', width=10**9, allow_unicode=allow_unicode)[1:-2]


# How a text is escaped inside another text: Python, JSON, YAML, SQL, URLs, HTML and XML, shells, libpq.
_ESCAPES: tuple[Callable[[str], str], ...] = (
    lambda text: repr(text)[1:-1],
    lambda text: repr(text + '"')[1:-2],  # repr escapes this quote if the text contains the other one
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
    lambda text: _quoted(text, " +"),  # as SQLAlchemy prints a URL
    lambda text: _quoted(text, " ").replace(" ", "+"),
    lambda text: html.escape(text, quote=False),
    lambda text: html.escape(text),
    lambda text: html.escape(text).replace("&#x27;", "&#39;").replace("&quot;", "&#34;"),
    lambda text: html.escape(text).replace("&#x27;", "'").replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#09;"),
    lambda text: html.escape(text).replace("&#x27;", "&apos;"),
    lambda text: shlex.quote(text).removeprefix("'").removesuffix("'"),
)
# Where YAML, or a program that wraps lines, may break a text.
_BREAK = r"(?:\s|\\\n)+\\?"
_CONTINUED = "\\\n"
_PERCENT = re.compile(r"%[0-9A-F]{2}")


class Secrets:
    """Values that must not appear in any output."""

    def __init__(self, values: Iterable[str]) -> None:
        self._values: set[str] = set()
        self.add(*values)

    def add(self, *values: str) -> None:
        """Hide these values too, in every escaped form."""
        self._values |= {form for value in values if value.strip() for form in (value, value.strip())}

    def scrub(self, text: str) -> str:
        """Return the text with every secret replaced."""
        values = frozenset(self._values)
        if not values:
            return text
        if _CONTINUED in text:
            text = _continued_pattern(values).sub(HIDDEN, text)
        return _pattern(values).sub(HIDDEN, text)

    def scrub_all(self, value: Any) -> Any:
        """Return plain values with every secret replaced, at any depth and also in numbers."""
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
        """Return whether the text contains a secret."""
        return self.scrub(text) != text


@cache
def _pattern(values: frozenset[str]) -> re.Pattern[str]:
    return _any_of({form for value in values for form in _escaped_twice(value)}, _flexible)


@cache
def _continued_pattern(values: frozenset[str]) -> re.Pattern[str]:
    return _any_of({form for value in values for form in _escaped(value)}, _breakable)


def _escaped(value: str) -> set[str]:
    """Return the value and its escaped forms."""
    return {value, *(form for form in (escape(value) for escape in _ESCAPES) if form.strip())}


def _escaped_twice(value: str) -> set[str]:
    """Return the escaped forms, escaped once more, as in a message inside a JSON document."""
    return {form for once in _escaped(value) for form in _escaped(once)}


def _any_of(forms: set[str], pattern_of: Callable[[str], str]) -> re.Pattern[str]:
    longest_first = sorted(forms, key=len, reverse=True)  # one form may be the beginning of another
    return re.compile("|".join(map(pattern_of, longest_first)))


def _flexible(form: str) -> str:
    """Return a pattern that also matches folded or indented white space, and lower-case percent escapes."""
    words = [_PERCENT.sub(lambda code: f"(?i:{code[0]})", re.escape(word)) for word in re.split(r"\s+", form)]
    return _BREAK.join(words)


def _breakable(form: str) -> str:
    """Return a pattern that also matches lines continued with a backslash anywhere, as in double-quoted YAML."""
    return r"(?:\\\n\s*\\?)?".join(map(re.escape, form))


def is_secret(variable: str) -> bool:
    """Return whether an environment variable holds a secret."""
    return variable.upper().startswith(SECRET_PREFIXES)


def secrets_of(environment: Mapping[str, str]) -> Secrets:
    """Return the secrets of an environment."""
    return Secrets(value for name, value in environment.items() if is_secret(name))
