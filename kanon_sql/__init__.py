"""kanon_sql makes a table k-anonymous inside the database that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "AnonymizeReport",
    "BackendError",
    "CheckReport",
    "HierarchyError",
    "KanonError",
    "NoSolutionError",
    "Policy",
    "ProfileReport",
    "QueryError",
    "RequestError",
    "VerificationError",
    "__version__",
    "anonymize",
    "check",
    "load_policy",
    "profile",
    "profile_schema",
]

if TYPE_CHECKING:
    from kanon_sql.commands.profile import profile_schema
    from kanon_sql.errors import (
        BackendError,
        HierarchyError,
        KanonError,
        NoSolutionError,
        QueryError,
        RequestError,
        VerificationError,
    )
    from kanon_sql.frames import anonymize, check, profile
    from kanon_sql.policy import Policy
    from kanon_sql.policy_file import load_policy
    from kanon_sql.profile_report import ProfileReport
    from kanon_sql.report import AnonymizeReport, CheckReport

_HOMES = {
    "anonymize": "kanon_sql.frames",
    "check": "kanon_sql.frames",
    "profile": "kanon_sql.frames",
    "profile_schema": "kanon_sql.commands.profile",
    "ProfileReport": "kanon_sql.profile_report",
    "Policy": "kanon_sql.policy",
    "load_policy": "kanon_sql.policy_file",
    "AnonymizeReport": "kanon_sql.report",
    "CheckReport": "kanon_sql.report",
}


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first used, so that importing kanon_sql costs nothing."""
    import importlib

    if name not in __all__:
        raise AttributeError(f"module 'kanon_sql' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES.get(name, "kanon_sql.errors")), name)
