"""List: the policies of a project, as the manifest describes them."""

from __future__ import annotations

import os
from typing import Any

from kanon_sql.project.manifest import last_published, manifest_document
from kanon_sql.project.scrubbing import secrets_of
from kanon_sql.project.session import Options, chosen_jobs, read_project
from kanon_sql.project.target_folder import TargetFolder


def list_jobs(options: Options) -> list[dict[str, Any]]:
    """The chosen jobs; what the manifest says of each."""
    project = read_project(options)
    folder = TargetFolder(project.target_folder, secrets_of(os.environ))
    nodes = manifest_document(project, {}, last_published(folder))["nodes"]
    return [folder.secrets.scrub_all(nodes[job.unique_id]) for job in chosen_jobs(project, options, folder)]
