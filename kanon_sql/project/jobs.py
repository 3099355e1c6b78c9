"""Jobs: the policies of a project, each with its plan; checked together before any of them is run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kanon_sql.common.spelling import did_you_mean
from kanon_sql.common.yaml_file import read_yaml
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.policy.file import KEYS, load_policy
from kanon_sql.project.rendering import Renderer
from kanon_sql.project.settings import PROJECT_FILE, Settings
from kanon_sql.tables import TableName

ENDINGS = (".yml", ".yaml")


@dataclass(frozen=True)
class Job:
    """One policy of a project, and where its plan is kept."""

    name: str
    project: str
    file: Path  # relative to the project
    folder: Path  # of the project
    policy: Policy
    plan_file: Path
    policy_hash: str

    @property
    def unique_id(self) -> str:
        """The name that artifacts know the job by."""
        return f"policy.{self.project}.{self.name}"

    @property
    def policy_folder(self) -> Path:
        """What the policy's files are relative to."""
        return (self.folder / self.file).parent

    @property
    def target(self) -> TableName:
        """The table that readers use."""
        return self.policy.source.sibling(self.policy.target.table) if len(self.policy.target.parts) == 1 else self.policy.target

    @property
    def plan_hash(self) -> str | None:
        """A hash of the plan's file as it is now."""
        return hashlib.sha256(self.plan_file.read_bytes()).hexdigest() if self.plan_file.is_file() else None

    @property
    def checksum(self) -> str:
        """A hash of all that decides what is published: two jobs with the same one do the same."""
        return hashlib.sha256(f"{self.policy_hash} {self.plan_hash}".encode()).hexdigest()


@dataclass(frozen=True)
class Project:
    """A folder of policies with its settings."""

    folder: Path
    settings: Settings
    jobs: tuple[Job, ...]

    @property
    def target_folder(self) -> Path:
        """Where artifacts are written."""
        return self.folder / self.settings.paths.target


def load_project(folder: Path, settings: Settings, environment: Mapping[str, str]) -> Project:
    """The project in a folder with all its policies, or an error that names everything wrong with them."""
    policies = folder / settings.paths.policies
    files = sorted(file for file in policies.rglob("*") if file.suffix in ENDINGS and file.is_file()) if policies.is_dir() else []
    if not files:
        raise RequestError(f"the project has no policy: put one into {policies} (kanon profile URL TABLE -o {policies.name}/table.yml)")
    _require_places(settings, policies, files)
    renderer = Renderer(environment, settings.vars)
    jobs, problems = [], []
    for file in files:
        try:
            jobs.append(_load(folder, settings, file, renderer))
        except RequestError as error:
            problems.append(str(error))
    if problems:
        raise RequestError("\n".join(problems))
    _require_apart(jobs)
    return Project(folder, settings, tuple(sorted(jobs, key=lambda job: job.name)))


def _load(folder: Path, settings: Settings, file: Path, renderer: Renderer) -> Job:
    shown = file.relative_to(folder)
    content = dict(renderer.render(read_yaml(file, "policy", KEYS), f"policy {shown}"))
    steps = file.relative_to(folder / settings.paths.policies).with_suffix("").parts
    policy = load_policy(_with_defaults(content, settings.defaults_for(steps)), folder=file.parent, origin=str(shown))
    hashed = json.dumps([policy.to_dict(), policy.hierarchy_lines], sort_keys=True, default=str).encode()
    plan_file = folder / settings.paths.plans / f"{file.stem}.yml"
    return Job(file.stem, settings.name, shown, folder, policy, plan_file, hashlib.sha256(hashed).hexdigest())


def _with_defaults(content: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """The policy with the project's common keys where it says nothing itself; tags of both."""
    replace, tags = defaults.pop("replace", None), defaults.pop("tags", [])
    own = content.get("tags", [])
    if tags:
        content["tags"] = list(dict.fromkeys([*tags, *(own if isinstance(own, list) else [own])]))
    publish = content.get("publish")
    if replace is not None and isinstance(publish, Mapping) and publish.get("into") is not None:
        content["publish"] = {"replace": replace, **publish}
    return {**defaults, **content}


def _require_places(settings: Settings, policies: Path, files: Sequence[Path]) -> None:
    """Every folder and policy that the project file speaks of is there."""
    known = {file.relative_to(policies).with_suffix("").parts[:depth] for file in files for depth in range(1, len(file.parts))}

    def look(level: Mapping[str, Any], above: tuple[str, ...]) -> None:
        for key, value in level.items():
            if not key.startswith("+"):
                if (*above, key) not in known:
                    beside = [steps[-1] for steps in known if steps[:-1] == above]
                    place = "/".join((policies.name, *above))
                    raise RequestError(f"{PROJECT_FILE}: policies: there is no {key!r} in {place}{did_you_mean(key, beside)}")
                look(value, (*above, key))

    look(settings.policies, ())


def _require_apart(jobs: Sequence[Job]) -> None:
    """No two jobs have one name or one target, and none publishes over what another reads."""
    for place, job in enumerate(jobs):
        for other in jobs[place + 1 :]:
            if job.name == other.name:
                raise RequestError(f"two policies have the name {job.name!r}: {job.file} and {other.file}; give one file another name")
            if _may_be_same(job.target, other.target):
                raise RequestError(f"{job.file} and {other.file} publish into the same table, {job.target}; give each a target of its own")
        for other in jobs:
            if other is not job and isinstance(other.policy.table, str) and _may_be_same(job.target, other.policy.source):
                raise RequestError(
                    f"{job.file} publishes into {job.target}, which {other.file} reads as its source; "
                    "publish into another table, or write both with their schema if they are not the same"
                )


def _may_be_same(one: TableName, other: TableName) -> bool:
    """Whether two names may mean one table: rather yes than no where a schema is not said."""
    shared = min(len(one.parts), len(other.parts))
    return [part.casefold() for part in one.parts[-shared:]] == [part.casefold() for part in other.parts[-shared:]]
