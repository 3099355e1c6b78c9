"""The project file: the settings of a project and the defaults of its policies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator

from kanon_sql.common.checked import Checked
from kanon_sql.common.spelling import did_you_mean
from kanon_sql.common.yaml_file import read_yaml
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.project.rendering import Renderer

PROJECT_FILE = "kanon_project.yml"

# Keys without a project default; `replace` is short for publish: {replace: true}.
_WITHOUT_DEFAULT = {"table", "columns", "publish"}


class Paths(Checked):
    """The folders of a project, relative to the project folder."""

    policies: str = "policies"
    plans: str = "plans"
    target: str = "target"
    logs: str = "logs"


class Settings(Checked):
    """The content of the project file."""

    name: str
    profile: str = ""
    target: str | None = None
    threads: Annotated[int, Field(ge=1, strict=True)] | None = None
    fail_fast: bool = False
    auto_plan: bool = False
    dependent: Literal["warn", "error"] | None = None
    log_format: Literal["text", "json"] = "text"
    vars: dict[str, Any] = Field(default_factory=dict)
    paths: Paths = Paths()
    policies: dict[str, Any] = Field(default_factory=dict)

    @field_validator("name")
    @classmethod
    def _require_identifier(cls, name: str) -> str:
        if not re.fullmatch(r"[A-Za-z]\w*", name):
            raise ValueError("the name is not valid. Begin with a letter, and use only letters, digits and _")
        return name

    @field_validator("policies")
    @classmethod
    def _require_known_keys(cls, policies: dict[str, Any]) -> dict[str, Any]:
        _require_known(policies)
        return policies

    def defaults_for(self, steps: tuple[str, ...]) -> dict[str, Any]:
        """Return the defaults of the policy at this path; the most deeply nested wins, and tags are combined."""
        defaults: dict[str, Any] = {"dependent": self.dependent} if self.dependent else {}
        level: Any = self.policies
        for step in (None, *steps):
            level = level if step is None else level.get(step)
            if not isinstance(level, Mapping):
                break
            nested = {key[1:]: value for key, value in level.items() if key.startswith("+")}
            tags = [*defaults.get("tags", []), *_as_list(nested.pop("tags", []))]
            defaults |= nested | ({"tags": tags} if tags else {})
        return defaults


def find_project(folder: Path | None) -> Path:
    """Return the project folder: the argument, or the current folder or the nearest above it that has a project file."""
    if folder is not None:
        if not (folder / PROJECT_FILE).is_file():
            raise RequestError(
                f"{folder} is not a project: it has no {PROJECT_FILE}. Correct --project-dir, or create a project with: kanon init NAME"
            )
        return folder.resolve()
    here = Path.cwd()
    for candidate in (here, *here.parents):
        if (candidate / PROJECT_FILE).is_file():
            return candidate
    raise RequestError(
        f"no project found: neither {here} nor a folder above it has a {PROJECT_FILE}. "
        "Change to a project folder, set --project-dir, or create a project with: kanon init NAME"
    )


def read_settings(folder: Path, environment: Mapping[str, str], variables: Mapping[str, Any]) -> Settings:
    """Return the settings of a project, or raise one error that lists every problem in its file."""
    file = folder / PROJECT_FILE
    content = read_yaml(file, "project file", "name, profile and vars")
    defaults = content.get("vars") if isinstance(content.get("vars"), Mapping) else {}
    rendered = Renderer(environment, {**(defaults or {}), **variables}).render(content, str(file))
    try:
        settings = Settings.model_validate(rendered)
    except ValidationError as error:
        raise RequestError("\n".join(dict.fromkeys(f"{file}: {_describe(problem)}" for problem in error.errors()))) from None
    return settings.model_copy(update={"profile": settings.profile or settings.name, "vars": {**settings.vars, **variables}})


def _describe(problem: Mapping[str, Any]) -> str:
    *path, last = problem["loc"] or ("",)
    key = ".".join(map(str, problem["loc"]))
    match problem["type"]:
        case "extra_forbidden":
            allowed = list((Paths if path == ["paths"] else Settings).model_fields)
            return f"unknown key {key!r}{did_you_mean(str(last), allowed)}. Use one of: {', '.join(allowed)}"
        case "missing":
            return f"the key {key!r} is missing. Add it"
        case "value_error":
            return f"{key}: {problem['ctx']['error']}"
    return f"{key}: {problem['msg'].lower().replace('input should be', 'must be')}"


def _require_known(level: Mapping[str, Any]) -> None:
    allowed = [f"+{name}" for name in sorted({*Policy.model_fields, "replace"} - _WITHOUT_DEFAULT)]
    for key, value in level.items():
        if not isinstance(key, str):
            raise ValueError(f"YAML reads the key {key!r} as {type(key).__name__}. Put it in quotes")
        if key.startswith("+") and key not in allowed:
            raise ValueError(f"unknown key {key!r}{did_you_mean(key, allowed)}. Use one of: {', '.join(allowed)}")
        if not key.startswith("+"):
            if not isinstance(value, Mapping):
                raise ValueError(
                    f"{key!r} has no defaults. Under the name of a folder or policy, add keys that begin with +, such as +tags"
                )
            _require_known(value)


def _as_list(tags: Any) -> list[Any]:
    return list(tags) if isinstance(tags, list | tuple) else [tags]
