"""Settings before and after a run: timeouts, grants, and the user's own statements."""

from __future__ import annotations

from kanon_sql.errors import AfterReleaseError, KanonError, QueryError
from kanon_sql.policy import Policy
from kanon_sql.report.run import AnonymizeReport
from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.grants import grant_by_name, require_grants
from kanon_sql.workspace.session import prepare, require_hooks, run_hook


def before_run(workspace: Workspace, policy: Policy, *, dry_run: bool) -> None:
    """Set timeouts, refuse settings that this database lacks, and run the pre_hook, unless this is a dry run."""
    require_hooks(policy)
    require_grants(workspace, policy.grants.select)
    prepare(workspace, policy)
    if policy.pre_hook and not dry_run:
        with workspace.stage("pre_hook"):
            try:
                run_hook(workspace, "pre_hook", policy.pre_hook)
            except QueryError as error:
                raise QueryError(f"{error}; nothing was published", error.template, error.sql) from None


def after_release(workspace: Workspace, policy: Policy, target: TableName) -> str | None:
    """Grant rights that go by name and run the post_hook; return what failed, because the release is published already."""
    if not policy.post_hook and not policy.grants.select:
        return None
    try:
        with workspace.stage("post_hook"):
            workspace.transaction.abandon()  # hooks must not run in the run's own transaction
            grant_by_name(workspace, target, policy.grants.select)
            run_hook(workspace, "post_hook", policy.post_hook)
    except KanonError as error:
        return f"the release is published, but a step after it failed: {error}"
    return None


def require_followed(report: AnonymizeReport, *failed: str | None) -> AnonymizeReport:
    """Return the report, or raise an error that carries it if a step after the release failed."""
    if failures := [failure for failure in failed if failure is not None]:
        raise AfterReleaseError("; ".join(failures), report)
    return report
