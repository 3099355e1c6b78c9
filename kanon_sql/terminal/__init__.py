"""How results and progress look on a terminal: results as text, progress and warnings on stderr; one file per kind."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kanon_sql.terminal.progress import note, progress, warn

if TYPE_CHECKING:
    from kanon_sql.terminal.columns import describe_fit, describe_hierarchy, describe_profile
    from kanon_sql.terminal.demo import describe_demo
    from kanon_sql.terminal.explain import describe_explain
    from kanon_sql.terminal.measures import describe_measure, describe_risk
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

_MODULES = {
    "describe_anonymize": "runs",
    "describe_check": "runs",
    "describe_demo": "demo",
    "describe_explain": "explain",
    "describe_fit": "columns",
    "describe_hierarchy": "columns",
    "describe_history": "runs",
    "describe_jobs": "project",
    "describe_measure": "measures",
    "describe_outcome": "project",
    "describe_profile": "columns",
    "describe_risk": "measures",
    "describe_solve": "runs",
}


def __getattr__(name: str) -> Any:
    """Import a function on first use, because a command needs only a few of these modules."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
