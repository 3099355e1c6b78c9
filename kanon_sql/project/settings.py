"""The project file: what holds for all policies of a project."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, field_validator

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.common.yaml_file import read_yaml
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.policy.checked import Checked
from kanon_sql.project.rendering import Renderer

PROJECT_FILE = "kanon_project.yml"

# What a policy must say itself; `replace` stands for publish: {replace: true}.
_NOT_COMMON = {"table", "columns", "publish"}


class Paths(Checked):
    """Where things lie, relative to the project."""

    policies: str = "policies"
    plans: str = "plans"
    target: str = "target"
    logs: str = "logs"


class Settings(Checked):
    """What the project file holds."""

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
    def _plain(cls, name: str) -> str:
        if not re.fullmatch(r"[A-Za-z]\w*", name):
            raise ValueError("must be a name of letters, digits and _")
        return name

    @field_validator("policies")
    @classmethod
    def _known(cls, given: dict[str, Any]) -> dict[str, Any]:
        _require_known(given)
        return given

    def defaults_for(self, steps: tuple[str, ...]) -> dict[str, Any]:
        """The common keys of a policy in these folders, the nearest winning; tags are added up."""
        found: dict[str, Any] = {"dependent": self.dependent} if self.dependent else {}
        level: Any = self.policies
        for step in (None, *steps):
            level = level if step is None else level.get(step)
            if not isinstance(level, Mapping):
                break
            common = {key[1:]: value for key, value in level.items() if key.startswith("+")}
            tags = [*found.get("tags", []), *_listed(common.pop("tags", []))]
            found |= common | ({"tags": tags} if tags else {})
        return found


def find_project(folder: Path | None) -> Path:
    """The folder of the project: the one given, or the nearest one upwards that holds a project file."""
    if folder is not None:
        if not (folder / PROJECT_FILE).is_file():
            raise RequestError(f"there is no {PROJECT_FILE} in {folder}; make a project with kanon init NAME")
        return folder.resolve()
    here = Path.cwd()
    for candidate in (here, *here.parents):
        if (candidate / PROJECT_FILE).is_file():
            return candidate
    raise RequestError(
        f"there is no {PROJECT_FILE} here or above; go into a project, name it with --project-dir, or make one: kanon init NAME"
    )


def read_settings(folder: Path, environment: Mapping[str, str], variables: Mapping[str, Any]) -> Settings:
    """The settings of a project, or an error that says what is wrong with its file."""
    file = folder / PROJECT_FILE
    content = read_yaml(file, "project file", "name, profile and vars")
    given = content.get("vars") if isinstance(content.get("vars"), Mapping) else {}
    rendered = Renderer(environment, {**(given or {}), **variables}).render(content, str(file))
    try:
        settings = Settings.model_validate(rendered)
    except ValidationError as error:
        raise RequestError("\n".join(dict.fromkeys(f"{file}: {_explain(problem)}" for problem in error.errors()))) from None
    return settings.model_copy(update={"profile": settings.profile or settings.name, "vars": {**settings.vars, **variables}})


def _explain(problem: Mapping[str, Any]) -> str:
    *path, last = problem["loc"] or ("",)
    key = ".".join(map(str, problem["loc"]))
    match problem["type"]:
        case "extra_forbidden":
            allowed = list((Paths if path == ["paths"] else Settings).model_fields)
            return f"unknown key {key!r}{did_you_mean(str(last), allowed)}; allowed are {', '.join(allowed)}"
        case "missing":
            return f"{key}: is missing"
        case "value_error":
            return f"{key}: {problem['ctx']['error']}"
    return f"{key}: {problem['msg'].lower().replace('input should be', 'must be')}"


def _require_known(level: Mapping[str, Any]) -> None:
    allowed = sorted({*Policy.model_fields, "replace"} - _NOT_COMMON)
    for key, value in level.items():
        if not isinstance(key, str):
            raise ValueError(f"{key!r} is read as {type(key).__name__}: put it in quotes")
        if key.startswith("+") and key[1:] not in allowed:
            raise ValueError(
                f"unknown key {key!r}{did_you_mean(key[1:], allowed)}; allowed are {', '.join('+' + name for name in allowed)}"
            )
        if not key.startswith("+"):
            if not isinstance(value, Mapping):
                raise ValueError(f"{key!r} must be a folder or a policy with keys that begin with +, such as +tags")
            _require_known(value)


def _listed(tags: Any) -> list[Any]:
    return list(tags) if isinstance(tags, list | tuple) else [tags]
