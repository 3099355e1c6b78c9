"""kanon_sql makes a table k-anonymous inside the database that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "AfterReleaseError",
    "AnonymizeReport",
    "BackendError",
    "CheckReport",
    "ExplainReport",
    "HierarchyError",
    "KanonError",
    "LimitError",
    "MeasureReport",
    "NoSolutionError",
    "Plan",
    "Policy",
    "ProfileReport",
    "QueryError",
    "RequestError",
    "RiskReport",
    "SolveReport",
    "VerificationError",
    "__version__",
    "anonymize",
    "check",
    "explain",
    "history",
    "load_policy",
    "measure",
    "profile",
    "profile_schema",
    "read_plan",
    "recover",
    "risk",
    "solve",
]

if TYPE_CHECKING:
    from kanon_sql.api import anonymize, check, explain, measure, profile, risk, solve
    from kanon_sql.artifacts.plan import Plan, read_plan
    from kanon_sql.commands.history import history
    from kanon_sql.commands.profile import profile_schema
    from kanon_sql.commands.recover import recover
    from kanon_sql.errors import (
        AfterReleaseError,
        BackendError,
        HierarchyError,
        KanonError,
        LimitError,
        NoSolutionError,
        QueryError,
        RequestError,
        VerificationError,
    )
    from kanon_sql.policy import Policy
    from kanon_sql.policy.file import load_policy
    from kanon_sql.report.check import CheckReport
    from kanon_sql.report.explain import ExplainReport
    from kanon_sql.report.measure import MeasureReport
    from kanon_sql.report.profile import ProfileReport
    from kanon_sql.report.risk import RiskReport
    from kanon_sql.report.run import AnonymizeReport
    from kanon_sql.report.solve import SolveReport

_HOMES = {
    "anonymize": "kanon_sql.api",
    "check": "kanon_sql.api",
    "explain": "kanon_sql.api",
    "ExplainReport": "kanon_sql.report.explain",
    "history": "kanon_sql.commands.history",
    "recover": "kanon_sql.commands.recover",
    "profile": "kanon_sql.api",
    "profile_schema": "kanon_sql.commands.profile",
    "ProfileReport": "kanon_sql.report.profile",
    "solve": "kanon_sql.api",
    "Plan": "kanon_sql.artifacts.plan",
    "read_plan": "kanon_sql.artifacts.plan",
    "SolveReport": "kanon_sql.report.solve",
    "Policy": "kanon_sql.policy",
    "load_policy": "kanon_sql.policy.file",
    "AnonymizeReport": "kanon_sql.report.run",
    "CheckReport": "kanon_sql.report.check",
    "measure": "kanon_sql.api",
    "MeasureReport": "kanon_sql.report.measure",
    "risk": "kanon_sql.api",
    "RiskReport": "kanon_sql.report.risk",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use, which keeps importing kanon_sql fast."""
    import importlib

    if name not in __all__:
        raise AttributeError(f"module 'kanon_sql' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES.get(name, "kanon_sql.errors")), name)
