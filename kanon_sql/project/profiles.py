"""Read connections from profiles.yml, including the profiles of dbt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kanon_sql.backends import ConfiguredUrl, read_settings
from kanon_sql.common.spelling import did_you_mean
from kanon_sql.common.yaml_file import read_yaml
from kanon_sql.errors import RequestError
from kanon_sql.project.profile_urls import SINGLE_WRITER, TYPES, read_output
from kanon_sql.project.rendering import Renderer

PROFILES_FILE = "profiles.yml"
_KANON_KEYS = ("allow_in_place", "threads", "settings")
_FOLDERS = ("temp_directory",)  # settings that name a folder


@dataclass(frozen=True)
class ConnectionProfile:
    """One target of a profile: the connection to its database, and what is permitted there."""

    file: Path
    profile: str
    target: str
    engine: str
    url: str = field(repr=False)
    password: str = field(repr=False)
    allow_in_place: bool
    threads: int | None
    ignored: tuple[str, ...]
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def database(self) -> ConfiguredUrl:
        """The database, with the settings for every connection to it."""
        return ConfiguredUrl(self.url, self.settings)

    @property
    def has_single_writer(self) -> bool:
        """Whether only one connection at a time can write to the database."""
        return self.engine in SINGLE_WRITER

    @property
    def secrets(self) -> list[str]:
        """The password, unless it is part of a name that is shown anyway."""
        shown_names = (self.engine, self.target, self.profile)
        return [self.password] if self.password and not any(self.password in word for word in shown_names) else []


def read_connection(
    *,
    project: Path,
    profiles_dir: Path | None,
    profile: str,
    target: str | None,
    environment: Mapping[str, str],
    variables: Mapping[str, Any],
) -> ConnectionProfile:
    """Return the selected target of the project's profile, or raise an error that says where it was expected."""
    file = _find(project, profiles_dir)
    profiles = read_yaml(file, "profiles file", "the names of profiles")
    known = [str(name) for name in profiles if name != "config"]
    if profile not in profiles:
        raise RequestError(
            f"{file}: profile {profile!r} does not exist{did_you_mean(profile, known)}. "
            f"Set 'profile' in kanon_project.yml to one of: {', '.join(known) or '(the file has no profiles)'}"
        )
    entry = profiles[profile]
    outputs = entry.get("outputs") if isinstance(entry, Mapping) else None
    if not isinstance(outputs, Mapping) or not outputs:
        raise RequestError(
            f"{file}: profile {profile!r} has no targets. Add the keys target and outputs, with at least one target under outputs"
        )
    renderer = Renderer(environment, variables, allows_secrets=True)
    chosen = target or renderer.render(entry.get("target"), f"{file}: {profile}: target") or "default"
    if chosen not in outputs:
        hint = did_you_mean(str(chosen), map(str, outputs))
        raise RequestError(f"{file}: profile {profile!r} has no target {chosen!r}{hint}. Use one of: {', '.join(map(str, outputs))}")
    where = f"{file}: {profile}.outputs.{chosen}"
    output = renderer.render(outputs[chosen], where)  # other targets may need variables that are not set here
    if not isinstance(output, Mapping):
        raise RequestError(f"{where}: the target has no keys. Add keys such as type and path")
    return _connection(file, profile, str(chosen), output, where=where, project=project)


def _find(project: Path, profiles_dir: Path | None) -> Path:
    folders = [profiles_dir] if profiles_dir else [project, Path.home() / ".kanon"]
    for folder in folders:
        if (folder / PROFILES_FILE).is_file():
            return folder / PROFILES_FILE
    raise RequestError(
        f"{PROFILES_FILE} was not found in {' or '.join(map(str, folders))}. "
        "Create it there, or set its folder with --profiles-dir (dbt's folder ~/.dbt works)"
    )


def _connection(file: Path, profile: str, target: str, output: Mapping[str, Any], *, where: str, project: Path) -> ConnectionProfile:
    kind = str(output.get("type", ""))
    if kind not in TYPES:
        problem = f"type {kind!r} is not supported{did_you_mean(kind, TYPES)}" if kind else "the key 'type' is missing"
        raise RequestError(f"{where}: {problem}. Set it to one of: {', '.join(TYPES)}")
    for key, expected in (("allow_in_place", bool), ("threads", int)):
        if key in output and type(output[key]) is not expected:
            raise RequestError(f"{where}.{key}: the value must be {'true or false' if expected is bool else 'a whole number'}")
    connection = read_output(
        kind, {key: value for key, value in output.items() if key not in (*_KANON_KEYS, "type")}, where=where, folder=project
    )
    return ConnectionProfile(
        file=file,
        profile=profile,
        target=target,
        engine=connection.engine,
        url=connection.url,
        password=connection.password,
        allow_in_place=output.get("allow_in_place", False),
        threads=output.get("threads"),
        ignored=connection.ignored,
        settings=_settings(connection.engine, output.get("settings") or {}, where=f"{where}.settings", project=project),
    )


def _settings(engine: str, settings: Any, *, where: str, project: Path) -> dict[str, str]:
    """Return the checked settings of the engine; folders are relative to the project."""
    if not isinstance(settings, Mapping):
        raise RequestError(f"{where}: the settings have no names. Write them as name: value, for example work_mem: 512MB")
    placed = {name: project / Path(str(value)).expanduser() if name in _FOLDERS else value for name, value in settings.items()}
    return read_settings(engine, placed, where)
