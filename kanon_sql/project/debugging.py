"""`kanon debug`: check the project, its profile, its database and the permissions there."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from kanon_sql.commands.debug import Finding, debug
from kanon_sql.errors import KanonError
from kanon_sql.project.scrubbing import Secrets, secrets_of
from kanon_sql.project.session import Options, connection_of, read_project
from kanon_sql.project.settings import PROJECT_FILE
from kanon_sql.project.versions import KANON_VERSION, version_of

Read = TypeVar("Read")

_PACKAGES = ("duckdb", "sqlalchemy", "psycopg", "pymysql", "sqlglot")


@dataclass
class Diagnosis:
    """The results of all checks, in order."""

    findings: list[Finding] = field(default_factory=list)
    secrets: Secrets = field(default_factory=lambda: secrets_of(os.environ))

    @property
    def passed(self) -> bool:
        """Whether every check succeeded."""
        return all(finding.works for finding in self.findings)

    def to_dict(self) -> dict[str, object]:
        """Return the findings as plain values."""
        findings = [{"what": f.what, "works": f.works, "detail": self.secrets.scrub(f.detail)} for f in self.findings]
        return {"works": self.passed, "findings": findings}

    def __str__(self) -> str:
        lines = [f"{'OK   ' if f.works else 'ERROR'}  {f.what}: {f.detail}" for f in self.findings]
        return self.secrets.scrub("\n".join([*lines, "All checks passed." if self.passed else "Some checks failed: see ERROR above."]))


def diagnose(options: Options) -> Diagnosis:
    """Run the checks in order, and stop at a failure that the next check depends on."""
    diagnosis = Diagnosis()
    packages = [f"{name} {version_of(name)}" for name in _PACKAGES]
    system = f"kanon_sql {KANON_VERSION}, Python {platform.python_version()}, {platform.system()}; {', '.join(packages)}"
    diagnosis.findings.append(Finding("versions", True, system))
    project = _attempt(diagnosis, "project", lambda: read_project(options))
    if project is None:
        return diagnosis
    policies = "1 policy" if len(project.jobs) == 1 else f"{len(project.jobs)} policies"
    diagnosis.findings.append(Finding("project", True, f"{project.folder / PROJECT_FILE}, {policies}"))
    connection = _attempt(diagnosis, "profile", lambda: connection_of(project, options))
    if connection is None:
        return diagnosis
    diagnosis.secrets.add(*connection.secrets)
    detail = f"{connection.file}: {connection.profile}, target {connection.target} ({connection.engine})"
    permission = "; in-place policies are permitted" if connection.allow_in_place else ""
    ignored = f"; ignored keys: {', '.join(connection.ignored)}" if connection.ignored else ""
    diagnosis.findings.append(Finding("profile", True, detail + permission + ignored))
    diagnosis.findings += debug(connection.database, tables=[job.target for job in project.jobs]).findings
    return diagnosis


def _attempt(diagnosis: Diagnosis, what: str, read: Callable[[], Read]) -> Read | None:
    try:
        return read()
    except KanonError as error:
        diagnosis.findings.append(Finding(what, False, str(error)))
        return None
