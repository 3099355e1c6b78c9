"""Debug: whether a project, its profile, its database and the rights there are as a run needs them."""

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
    """Everything that was looked at, in order."""

    findings: list[Finding] = field(default_factory=list)
    secrets: Secrets = field(default_factory=lambda: secrets_of(os.environ))

    @property
    def is_well(self) -> bool:
        """Whether nothing stands in a run's way."""
        return all(finding.works for finding in self.findings)

    def to_dict(self) -> dict[str, object]:
        """The findings as plain values."""
        told = [{"what": f.what, "works": f.works, "detail": self.secrets.scrub(f.detail)} for f in self.findings]
        return {"works": self.is_well, "findings": told}

    def __str__(self) -> str:
        lines = [f"{'OK   ' if f.works else 'ERROR'}  {f.what}: {f.detail}" for f in self.findings]
        return self.secrets.scrub("\n".join([*lines, "All checks passed." if self.is_well else "Something is wrong; see ERROR above."]))


def diagnose(options: Options) -> Diagnosis:
    """Looks at one thing after the other, and stops where the next one needs the last."""
    diagnosis = Diagnosis()
    found = [f"{name} {version_of(name)}" for name in _PACKAGES]
    system = f"kanon_sql {KANON_VERSION}, Python {platform.python_version()}, {platform.system()}; {', '.join(found)}"
    diagnosis.findings.append(Finding("versions", True, system))
    project = _look(diagnosis, "project", lambda: read_project(options))
    if project is None:
        return diagnosis
    diagnosis.findings.append(Finding("project", True, f"{project.folder / PROJECT_FILE}, {len(project.jobs)} policies"))
    connection = _look(diagnosis, "profile", lambda: connection_of(project, options))
    if connection is None:
        return diagnosis
    diagnosis.secrets.add(*connection.secrets)
    shown = f"{connection.file}: {connection.profile}, target {connection.target} ({connection.engine})"
    ignored = f"; not used here: {', '.join(connection.ignored)}" if connection.ignored else ""
    agreed = "; in place is agreed to" if connection.allow_in_place else ""
    diagnosis.findings.append(Finding("profile", True, shown + agreed + ignored))
    diagnosis.findings += debug(connection.url, beside=[job.target for job in project.jobs]).findings
    return diagnosis


def _look(diagnosis: Diagnosis, what: str, read: Callable[[], Read]) -> Read | None:
    try:
        return read()
    except KanonError as error:
        diagnosis.findings.append(Finding(what, False, str(error)))
        return None
