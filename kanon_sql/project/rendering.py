"""Fills `{{ env_var('NAME', 'default') }}` and `{{ var('name', default) }}` into the values of a YAML file, in a sandbox."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from kanon_sql.errors import RequestError
from kanon_sql.project.scrubbing import is_secret
from kanon_sql.spelling import did_you_mean

_MISSING = object()


@dataclass(frozen=True)
class Renderer:
    """What templates may ask for: environment variables, and the variables of the project and the command line."""

    environment: Mapping[str, str]
    variables: Mapping[str, Any]
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
        environment = self._sandbox()
        try:
            if _is_one_expression(environment, text):
                return environment.compile_expression(text.strip()[2:-2].strip(" -+"), undefined_to_none=False)()
            return environment.from_string(text).render()
        except _Refused as error:
            reason = str(error)
        except jinja2.TemplateSyntaxError as error:
            reason = f"the template cannot be read ({error.message})"
        except jinja2.UndefinedError as error:
            reason = f"{error.message}; a template knows env_var('NAME', 'default') and var('name', default)"
        except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
            reason = f"the template failed ({type(error).__name__})"
        raise RequestError(f"{where}: {reason}")

    def _sandbox(self) -> jinja2.Environment:
        environment = ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined, autoescape=False)  # YAML values, not HTML
        environment.globals = {"env_var": self._env_var, "var": self._var}
        environment.filters |= {"as_number": _as_number, "as_bool": _as_bool, "as_native": _as_native, "as_text": str}
        return environment

    def _env_var(self, name: str, default: Any = _MISSING) -> Any:
        if is_secret(name) and not self.allows_secrets:
            raise _Refused(f"the secret {name} may stand in profiles.yml only: what stands elsewhere is written into plans and artifacts")
        if name in self.environment:
            return self.environment[name]
        if default is _MISSING:
            raise _Refused(f"the environment variable {name} is not set; set it, or write env_var('{name}', 'default')")
        return default

    def _var(self, name: str, default: Any = _MISSING) -> Any:
        if name in self.variables:
            return self.variables[name]
        if default is _MISSING:
            hint = did_you_mean(name, self.variables)
            raise _Refused(
                f"the variable {name!r} is not given{hint}; write it under vars in kanon_project.yml, or --vars '{{{name}: ...}}'"
            )
        return default


class _Refused(Exception):
    """Something a template asked for and does not get."""


def _is_one_expression(environment: jinja2.Environment, text: str) -> bool:
    """Whether a text is `{{ … }}` and nothing else."""
    body = environment.parse(text.strip()).body
    parts = body[0].nodes if len(body) == 1 and isinstance(body[0], nodes.Output) else []
    return len(parts) == 1 and not isinstance(parts[0], nodes.TemplateData)


def _as_number(value: Any) -> int | float:
    try:
        return int(value)
    except ValueError:
        return float(value)


def _as_bool(value: Any) -> bool:
    return {"true": True, "false": False, "1": True, "0": False}[str(value).strip().lower()]


def _as_native(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
