"""The manifest: the policies of a project, and the checksum with which each was last published."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kanon_sql.errors import RequestError
from kanon_sql.project.jobs import Job, Project
from kanon_sql.project.target_folder import MANIFEST, RUN_RESULTS, TargetFolder, read_document

MANIFEST_VERSION = "kanon_sql/manifest/v1"
RESULTS_VERSION = "kanon_sql/run_results/v1"


def manifest_document(project: Project, metadata: Mapping[str, Any], published: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the manifest; `published` holds the last release of each job per target."""
    return {
        "metadata": {"kanon_schema_version": MANIFEST_VERSION, **metadata},
        "nodes": {job.unique_id: _node(job, published.get(job.unique_id)) for job in project.jobs},
        "vars": dict(project.settings.vars),
    }


def _node(job: Job, published: Mapping[str, Any] | None) -> dict[str, Any]:
    return {
        "unique_id": job.unique_id,
        "name": job.name,
        "resource_type": "policy",
        "package_name": job.project,
        "original_file_path": job.file.as_posix(),
        "plan_path": job.plan_file.relative_to(job.folder).as_posix(),
        "source_name": str(job.policy.source),
        "relation_name": str(job.target),
        "tags": list(job.policy.tags),
        "config": {"in_place": job.policy.publish.in_place, "replace": job.policy.publish.replace},
        "checksum": {"name": "sha256", "checksum": job.checksum},
        "plan_hash": job.plan_hash,
        "published": dict(published or {}),
        "policy": job.policy.to_dict(),
    }


def last_published(folder: TargetFolder) -> dict[str, Mapping[str, Any]]:
    """Return the last releases of each job per target, from the last manifest."""
    nodes = _nodes(folder.read_json(MANIFEST), folder.folder / MANIFEST)
    return {name: node["published"] for name, node in nodes.items() if isinstance(node.get("published"), Mapping)}


def published_checksums(folder: TargetFolder, target: str) -> dict[str, str | None]:
    """Return the checksums with which jobs were last published to a target; None for jobs that never were."""
    nodes = _nodes(folder.read_json(MANIFEST), folder.folder / MANIFEST)
    return {name: ((node.get("published") or {}).get(target) or {}).get("checksum") for name, node in nodes.items()}


def checksums_in(state: Path) -> dict[str, str | None]:
    """Return the checksums in the manifest of another folder."""
    document = read_document(state / MANIFEST)
    if document is None:
        raise RequestError(f"--state {state}: the folder has no {MANIFEST}. Name the target folder of a project that ran before")
    return {name: (node.get("checksum") or {}).get("checksum") for name, node in _nodes(document, state / MANIFEST).items()}


def past_statuses(folder: TargetFolder) -> dict[str, str]:
    """Return the status of each job in the last run or test."""
    document = folder.read_json(RUN_RESULTS)
    return {} if document is None else {result["unique_id"]: result["status"] for result in results_of(document, folder.folder)}


def results_of(document: Mapping[str, Any], folder: Path) -> list[Mapping[str, Any]]:
    """Return the results in a run_results.json, or raise an error if the file is something else."""
    results = document.get("results")
    if not isinstance(results, list) or not all(
        isinstance(result, Mapping) and {"unique_id", "status"} <= set(result) for result in results
    ):
        raise RequestError(f"{folder / RUN_RESULTS} is not a kanon_sql artifact. Remove it with kanon clean, and run again")
    return results


def _nodes(document: Mapping[str, Any] | None, file: Path) -> Mapping[str, Mapping[str, Any]]:
    nodes = {} if document is None else document.get("nodes")
    if not isinstance(nodes, Mapping) or not all(isinstance(node, Mapping) for node in nodes.values()):
        raise RequestError(f"{file} is not a kanon_sql artifact. Remove it with kanon clean, and run again")
    return nodes
