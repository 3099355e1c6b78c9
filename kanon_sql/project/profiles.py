"""Profiles: where each target's database is, from profiles.yml; those of dbt are read as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.common.yaml_file import read_yaml
from kanon_sql.errors import RequestError
from kanon_sql.project.profile_urls import ONE_AT_A_TIME, TYPES, read_output
from kanon_sql.project.rendering import Renderer

PROFILES_FILE = "profiles.yml"
_OURS = ("allow_in_place", "threads")


@dataclass(frozen=True)
class ConnectionProfile:
    """One target of a profile: how to reach its database, and what is agreed to there."""

    file: Path
    profile: str
    target: str
    engine: str
    url: str = field(repr=False)
    password: str = field(repr=False)
    allow_in_place: bool
    threads: int | None
    ignored: tuple[str, ...]

    @property
    def one_at_a_time(self) -> bool:
        """Whether only one connection at a time may write to the database."""
        return self.engine in ONE_AT_A_TIME

    @property
    def secrets(self) -> list[str]:
        """The password, to be hidden, unless it is a word that stands in names anyway."""
        public = (self.engine, self.target, self.profile)
        return [self.password] if self.password and not any(self.password in word for word in public) else []


def read_connection(
    *,
    project: Path,
    profiles_dir: Path | None,
    profile: str,
    target: str | None,
    environment: Mapping[str, str],
    variables: Mapping[str, Any],
) -> ConnectionProfile:
    """The chosen target of the project's profile, or an error that says where it was looked for."""
    file = _find(project, profiles_dir)
    profiles = read_yaml(file, "profiles file", "the names of profiles")
    known = [str(name) for name in profiles if name != "config"]
    if profile not in profiles:
        hint = did_you_mean(profile, known)
        raise RequestError(
            f"{file}: there is no profile {profile!r}{hint}; there are {', '.join(known) or 'none'} (kanon_project.yml names it)"
        )
    entry = profiles[profile]
    outputs = entry.get("outputs") if isinstance(entry, Mapping) else None
    if not isinstance(outputs, Mapping) or not outputs:
        raise RequestError(f"{file}: profile {profile!r} must hold target: and outputs: with at least one target")
    renderer = Renderer(environment, variables, allows_secrets=True)
    chosen = target or renderer.render(entry.get("target"), f"{file}: {profile}: target") or "default"
    if chosen not in outputs:
        hint = did_you_mean(str(chosen), map(str, outputs))
        raise RequestError(f"{file}: profile {profile!r} has no target {chosen!r}{hint}; it has {', '.join(map(str, outputs))}")
    where = f"{file}: {profile}.outputs.{chosen}"
    output = renderer.render(outputs[chosen], where)  # the others may need variables that are not set here
    if not isinstance(output, Mapping):
        raise RequestError(f"{where}: must hold keys, such as type and path")
    return _connection(file, profile, str(chosen), output, where=where, project=project)


def _find(project: Path, profiles_dir: Path | None) -> Path:
    places = [profiles_dir] if profiles_dir else [project, Path.home() / ".kanon"]
    for place in places:
        if (place / PROFILES_FILE).is_file():
            return place / PROFILES_FILE
    listed = " nor in ".join(map(str, places))
    raise RequestError(f"there is no {PROFILES_FILE} in {listed}; write one, or name its folder with --profiles-dir (a dbt folder works)")


def _connection(file: Path, profile: str, target: str, output: Mapping[str, Any], *, where: str, project: Path) -> ConnectionProfile:
    kind = str(output.get("type", ""))
    if kind not in TYPES:
        hint = did_you_mean(kind, TYPES)
        said = f"type {kind!r} is not supported" if kind else "type is missing"
        raise RequestError(f"{where}: {said}{hint}; supported are {', '.join(TYPES)}")
    for key, wanted in (("allow_in_place", bool), ("threads", int)):
        if key in output and type(output[key]) is not wanted:
            raise RequestError(f"{where}.{key}: must be {'true or false' if wanted is bool else 'a whole number'}")
    read = read_output(kind, {key: value for key, value in output.items() if key not in (*_OURS, "type")}, where=where, folder=project)
    return ConnectionProfile(
        file=file,
        profile=profile,
        target=target,
        engine=read.engine,
        url=read.url,
        password=read.password,
        allow_in_place=output.get("allow_in_place", False),
        threads=output.get("threads"),
        ignored=read.ignored,
    )
