"""Fills `{{ env_var('NAME', 'default') }}` and `{{ var('name', default) }}` into the values of a YAML file, of any depth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import RequestError
from kanon_sql.project.scrubbing import is_secret
from kanon_sql.project.template_language import Refused, compute

_MISSING = object()


@dataclass(frozen=True)
class Renderer:
    """What templates may ask for: environment variables, and the variables of the project and the command line."""

    environment: Mapping[str, str] = field(repr=False)
    variables: Mapping[str, Any] = field(repr=False)
    allows_secrets: bool = False

    def render(self, value: Any, where: str) -> Any:
        """The value with every template in it filled; one that is a single expression keeps the expression's type."""
        if isinstance(value, Mapping):
            return {key: self.render(item, f"{where}: {key}") for key, item in value.items()}
        if isinstance(value, list):
            return [self.render(item, where) for item in value]
        if isinstance(value, str) and ("{{" in value or "{%" in value):
            return self._fill(value, where)
        return value

    def _fill(self, text: str, where: str) -> Any:
        try:
            return compute(text, {"env_var": self._env_var, "var": self._var})
        except Refused as error:
            raise RequestError(f"{where}: {error}") from None

    def _env_var(self, name: Any, default: Any = _MISSING) -> Any:
        if not isinstance(name, str):
            raise Refused("env_var needs the name of an environment variable, in quotes")
        if is_secret(name) and not self.allows_secrets:
            raise Refused(f"the secret {name} may stand in profiles.yml only: what stands elsewhere is written into plans and artifacts")
        if name in self.environment:
            return self.environment[name]
        if default is _MISSING:
            raise Refused(f"the environment variable {name} is not set; set it, or write env_var('{name}', 'default')")
        return default

    def _var(self, name: Any, default: Any = _MISSING) -> Any:
        if not isinstance(name, str):
            raise Refused("var needs the name of a variable, in quotes")
        if name in self.variables:
            return self.variables[name]
        if default is _MISSING:
            hint = did_you_mean(name, self.variables)
            raise Refused(
                f"the variable {name!r} is not given{hint}; write it under vars in kanon_project.yml, or --vars '{{{name}: ...}}'"
            )
        return default
