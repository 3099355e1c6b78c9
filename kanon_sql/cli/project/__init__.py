"""The commands that work on a project; one file per command."""

from __future__ import annotations

from kanon_sql.cli.project import clean, debug, init, jobs, plan, retry, run, test

__all__ = ["clean", "debug", "init", "jobs", "plan", "retry", "run", "test"]
