"""Render the templates in the values of a YAML file: `{{ env_var('NAME', 'default') }}` and `{{ var('name', default) }}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.errors import RequestError
from kanon_sql.project.scrubbing import is_secret
from kanon_sql.project.template_language import evaluate
from kanon_sql.project.template_values import TemplateRefused

_MISSING = object()


@dataclass(frozen=True)
class Renderer:
    """Render templates with environment variables and with the variables of the project and the command line."""

    environment: Mapping[str, str] = field(repr=False)
    variables: Mapping[str, Any] = field(repr=False)
    allows_secrets: bool = False

    def render(self, value: Any, where: str) -> Any:
        """Return the value with every template rendered, at any depth; a single expression keeps its type."""
        if isinstance(value, Mapping):
            return {key: self.render(item, f"{where}: {key}") for key, item in value.items()}
        if isinstance(value, list):
            return [self.render(item, where) for item in value]
        if isinstance(value, str) and ("{{" in value or "{%" in value):
            return self._evaluate(value, where)
        return value

    def _evaluate(self, text: str, where: str) -> Any:
        try:
            return evaluate(text, {"env_var": self._env_var, "var": self._var})
        except TemplateRefused as error:
            raise RequestError(f"{where}: {error}") from None

    def _env_var(self, name: Any, default: Any = _MISSING) -> Any:
        if not isinstance(name, str):
            raise TemplateRefused("env_var needs the name of an environment variable in quotes. Write env_var('NAME')")
        if is_secret(name) and not self.allows_secrets:
            raise TemplateRefused(
                f"the secret {name} cannot be used here: the value would be written to plans and artifacts. Use it only in profiles.yml"
            )
        if name in self.environment:
            return self.environment[name]
        if default is _MISSING:
            raise TemplateRefused(f"environment variable {name} is not set. Set it, or add a default: env_var('{name}', 'default')")
        return default

    def _var(self, name: Any, default: Any = _MISSING) -> Any:
        if not isinstance(name, str):
            raise TemplateRefused("var needs the name of a variable in quotes. Write var('name')")
        if name in self.variables:
            return self.variables[name]
        if default is _MISSING:
            hint = did_you_mean(name, self.variables)
            raise TemplateRefused(
                f"variable {name!r} is not set{hint}. Set it under vars in kanon_project.yml, or with --vars '{{{name}: ...}}'"
            )
        return default
