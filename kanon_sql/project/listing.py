"""`kanon list`: the policies of a project, as in the manifest."""

from __future__ import annotations

import os
from typing import Any

from kanon_sql.project.manifest import last_published, manifest_document
from kanon_sql.project.scrubbing import secrets_of
from kanon_sql.project.session import Options, read_project, selected_jobs
from kanon_sql.project.target_folder import TargetFolder


def list_jobs(options: Options) -> list[dict[str, Any]]:
    """Return the manifest entries of the selected jobs."""
    project = read_project(options)
    folder = TargetFolder(project.target_folder, secrets_of(os.environ))
    nodes = manifest_document(project, {}, last_published(folder))["nodes"]
    return [folder.secrets.scrub_all(nodes[job.unique_id]) for job in selected_jobs(project, options, folder)]
