"""Anonymize: from the source to a verified release."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.backends import connect
from kanon_sql.commands.solution import find_solution, require_enough_rows
from kanon_sql.count import count_combinations
from kanon_sql.plan import Plan
from kanon_sql.policy import Policy
from kanon_sql.policy_file import load_policy
from kanon_sql.profile import describe_source, profile_source
from kanon_sql.publish import check_target, publish, swap
from kanon_sql.recode import recode
from kanon_sql.report import AnonymizeReport, measure, report
from kanon_sql.verify import require_verified, verify
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def anonymize(
    connection: Connectable,
    policy: Policy | Mapping[str, Any] | str | Path,
    *,
    replace: bool = False,
    dry_run: bool = False,
    levels: Mapping[str, int] | None = None,
    plan: Plan | None = None,
    listener: StageListener | None = None,
) -> AnonymizeReport:
    """Publishes the policy's table as a verified k-anonymous one and says what it cost; a dry run publishes nothing."""
    policy = load_policy(policy)
    with Workspace(connect(connection, read_only=dry_run), writes=not dry_run, listener=listener) as workspace:
        with workspace.stage("profile"):
            source = describe_source(workspace, policy.source)
            target = check_target(workspace, source.name, policy.target, replace=replace or policy.publish.replace or dry_run)
            profile = profile_source(workspace, source, policy)
            if plan is not None:
                plan.require_unchanged(policy, profile)
        with workspace.stage("count"):
            frequencies = count_combinations(workspace, profile)
            require_enough_rows(frequencies, policy)
        with workspace.stage("search"):
            solution = find_solution(workspace, frequencies, policy, levels, plan)
        with workspace.stage("recode"):
            recoding = recode(workspace, frequencies, solution, policy.models)
        with workspace.stage("measure"):
            utility = measure(workspace, recoding, policy)
        if not dry_run:
            with workspace.stage("publish"):
                staged = publish(workspace, profile, recoding, target)
            with workspace.stage("verify"):
                release = verify(workspace, staged.table, staged.quasi_identifiers, policy.models)
                require_verified(release, recoding)
            with workspace.stage("swap"):
                swap(workspace, staged, target)
    return report(policy, profile, solution, recoding, utility, target.name, workspace, dry_run=dry_run)
