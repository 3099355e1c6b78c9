"""One run on one connection: statements, the tables of the run, catalog, session settings and grants."""

from __future__ import annotations

from kanon_sql.workspace.record import ReleaseProgress, Stage, StageListener, Statement
from kanon_sql.workspace.workspace import Workspace

__all__ = ["ReleaseProgress", "Stage", "StageListener", "Statement", "Workspace"]
