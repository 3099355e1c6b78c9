"""Every exception kanon_sql raises. Messages carry names and counts, never cell values or secrets."""

from __future__ import annotations

from typing import Any


class KanonError(Exception):
    """Anything kanon_sql refuses or fails at, with a message meant for the user."""


class RequestError(KanonError):
    """The request is wrong: a policy, a name, an argument."""


class HierarchyError(RequestError):
    """A hierarchy is not a tree, does not fit its column, or cannot be read."""


class BackendError(KanonError):
    """The database cannot be reached or cannot do what is asked."""


class QueryError(BackendError):
    """A statement failed; the driver's own text is left out because it may hold values."""

    def __init__(self, message: str, template: str = "", sql: str = "") -> None:
        super().__init__(message)
        self.template = template
        self.sql = sql


class NoSolutionError(KanonError):
    """No way to recode the source satisfies the policy; `verdict` is the best that was found."""

    def __init__(self, message: str, verdict: object = None) -> None:
        super().__init__(message)
        self.verdict = verdict


class AfterReleaseError(KanonError):
    """The release is published, and a later step failed: erasing the original rows, a grant, a hook; `report` describes it."""

    def __init__(self, message: str, report: Any = None) -> None:
        super().__init__(message)
        self.report = report


class LimitError(KanonError):
    """A release would cost or risk more than the policy allows; nothing was published."""


class VerificationError(KanonError):
    """The staged table breaks the policy; it was dropped and the target is as it was."""
