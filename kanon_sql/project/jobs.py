"""Jobs: the policies of a project with their plans, checked together before any of them runs."""

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
    """One policy of a project, and the file of its plan."""

    name: str
    project: str
    file: Path  # relative to the project
    folder: Path  # of the project
    policy: Policy
    plan_file: Path
    policy_hash: str

    @property
    def unique_id(self) -> str:
        """The name of the job in artifacts."""
        return f"policy.{self.project}.{self.name}"

    @property
    def policy_folder(self) -> Path:
        """The folder that paths in the policy are relative to."""
        return (self.folder / self.file).parent

    @property
    def target(self) -> TableName:
        """The table that the job publishes."""
        return self.policy.source.sibling(self.policy.target.table) if len(self.policy.target.parts) == 1 else self.policy.target

    @property
    def plan_hash(self) -> str | None:
        """The hash of the current plan file; None if there is none."""
        return hashlib.sha256(self.plan_file.read_bytes()).hexdigest() if self.plan_file.is_file() else None

    @property
    def checksum(self) -> str:
        """The hash of the policy, its hierarchies and its plan: jobs with equal checksums publish the same."""
        return hashlib.sha256(f"{self.policy_hash} {self.plan_hash}".encode()).hexdigest()


@dataclass(frozen=True)
class Project:
    """The settings and the jobs of a project folder."""

    folder: Path
    settings: Settings
    jobs: tuple[Job, ...]

    @property
    def target_folder(self) -> Path:
        """The folder of the artifacts."""
        return self.folder / self.settings.paths.target


def load_project(folder: Path, settings: Settings, environment: Mapping[str, str]) -> Project:
    """Return the project in a folder with all its policies, or raise one error that lists every problem in them."""
    policies = folder / settings.paths.policies
    files = sorted(file for file in policies.rglob("*") if file.suffix in ENDINGS and file.is_file()) if policies.is_dir() else []
    if not files:
        raise RequestError(f"no policies found in {policies}. Create one with: kanon profile URL TABLE -o {policies.name}/table.yml")
    _require_existing(settings, policies, files)
    renderer = Renderer(environment, settings.vars)
    jobs, problems = [], []
    for file in files:
        try:
            jobs.append(_load(folder, settings, file, renderer))
        except RequestError as error:
            problems.append(str(error))
    if problems:
        raise RequestError("\n".join(problems))
    _require_distinct(jobs)
    return Project(folder, settings, tuple(sorted(jobs, key=lambda job: job.name)))


def _load(folder: Path, settings: Settings, file: Path, renderer: Renderer) -> Job:
    relative = file.relative_to(folder)
    content = dict(renderer.render(read_yaml(file, "policy", KEYS), f"policy {relative}"))
    steps = file.relative_to(folder / settings.paths.policies).with_suffix("").parts
    policy = load_policy(_with_defaults(content, settings.defaults_for(steps)), folder=file.parent, origin=str(relative))
    hashed = json.dumps([policy.to_dict(), policy.hierarchy_lines], sort_keys=True, default=str).encode()
    plan_file = folder / settings.paths.plans / f"{file.stem}.yml"
    return Job(file.stem, settings.name, relative, folder, policy, plan_file, hashlib.sha256(hashed).hexdigest())


def _with_defaults(content: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
    """Return the policy with the project's defaults for keys that it does not set; tags are combined."""
    replace, tags = defaults.pop("replace", None), defaults.pop("tags", [])
    own = content.get("tags", [])
    if tags:
        content["tags"] = list(dict.fromkeys([*tags, *(own if isinstance(own, list) else [own])]))
    publish = content.get("publish")
    if replace is not None and isinstance(publish, Mapping) and publish.get("into") is not None:
        content["publish"] = {"replace": replace, **publish}
    return {**defaults, **content}


def _require_existing(settings: Settings, policies: Path, files: Sequence[Path]) -> None:
    """Raise an error if the project file sets defaults for a folder or policy that does not exist."""
    known = {file.relative_to(policies).with_suffix("").parts[:depth] for file in files for depth in range(1, len(file.parts))}

    def check(level: Mapping[str, Any], parents: tuple[str, ...]) -> None:
        for key, value in level.items():
            if not key.startswith("+"):
                if (*parents, key) not in known:
                    siblings = [steps[-1] for steps in known if steps[:-1] == parents]
                    folder = "/".join((policies.name, *parents))
                    raise RequestError(
                        f"{PROJECT_FILE}: policies: folder {folder} has no folder or policy {key!r}{did_you_mean(key, siblings)}. "
                        "Correct the name, or begin the key with + if it is a default"
                    )
                check(value, (*parents, key))

    check(settings.policies, ())


def _require_distinct(jobs: Sequence[Job]) -> None:
    """Raise an error if two jobs share a name or a target, or if a job publishes into the source of another."""
    for number, job in enumerate(jobs, start=1):
        for other in jobs[number:]:
            if job.name == other.name:
                raise RequestError(f"two policies have the name {job.name!r}: {job.file} and {other.file}. Rename one of the files")
            if _may_be_same(job.target, other.target):
                raise RequestError(
                    f"{job.file} and {other.file} publish into the same table, {job.target}. Set a different target in one of them"
                )
        for other in jobs:
            if other is not job and isinstance(other.policy.table, str) and _may_be_same(job.target, other.policy.source):
                raise RequestError(
                    f"{job.file} publishes into {job.target}, which is the source of {other.file}. "
                    "Publish into another table, or add the schema to both names if these are different tables"
                )


def _may_be_same(one: TableName, other: TableName) -> bool:
    """Return whether two names may refer to one table; conservatively true if a schema is missing."""
    shared = min(len(one.parts), len(other.parts))
    return [part.casefold() for part in one.parts[-shared:]] == [part.casefold() for part in other.parts[-shared:]]
