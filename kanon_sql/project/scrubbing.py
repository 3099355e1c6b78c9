"""Keeps the values of secret environment variables out of everything that is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

SECRET_PREFIXES = ("KANON_ENV_SECRET_", "DBT_ENV_SECRET_")
HIDDEN = "*****"


class Secrets:
    """Texts that must appear nowhere."""

    def __init__(self, values: Iterable[str]) -> None:
        self._values: list[str] = []
        self.add(*values)

    def add(self, *values: str) -> None:
        """Hides more from now on, however it is spelled."""
        spelled = {form for value in values if value.strip() for form in (value, value.strip(), quote(value, safe=""))}
        self._values = sorted(spelled.union(self._values), key=len, reverse=True)  # one may be the beginning of another

    def scrub(self, text: str) -> str:
        """The text with every secret hidden."""
        for value in self._values:
            text = text.replace(value, HIDDEN)
        return text

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


def is_secret(variable: str) -> bool:
    """Whether an environment variable's value must appear nowhere."""
    return variable.startswith(SECRET_PREFIXES)


def secrets_of(environment: Mapping[str, str]) -> Secrets:
    """The secrets of an environment."""
    return Secrets(value for name, value in environment.items() if is_secret(name))
