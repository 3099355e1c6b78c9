"""How results and progress look on a terminal: results as text, progress and warnings on stderr; one file per kind."""

from __future__ import annotations

from kanon_sql.terminal.columns import describe_fit, describe_hierarchy, describe_profile
from kanon_sql.terminal.demo import describe_demo
from kanon_sql.terminal.explain import describe_explain
from kanon_sql.terminal.measures import describe_measure, describe_risk
from kanon_sql.terminal.progress import note, progress, warn
from kanon_sql.terminal.project import describe_jobs, describe_outcome
from kanon_sql.terminal.runs import describe_anonymize, describe_check, describe_history, describe_solve

__all__ = [
    "describe_anonymize",
    "describe_check",
    "describe_demo",
    "describe_explain",
    "describe_fit",
    "describe_hierarchy",
    "describe_history",
    "describe_jobs",
    "describe_measure",
    "describe_outcome",
    "describe_profile",
    "describe_risk",
    "describe_solve",
    "note",
    "progress",
    "warn",
]
