"""Solve: finds the solution of a policy and publishes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.backends import connect
from kanon_sql.commands.solution import find_solution
from kanon_sql.count import count_combinations
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.policy_file import load_policy
from kanon_sql.profile_source import describe_source, profile_source
from kanon_sql.solve_report import SolveReport, report_solution
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def solve(
    connection: Connectable, policy: Policy | Mapping[str, Any] | str | Path, *, listener: StageListener | None = None
) -> SolveReport:
    """The solution of a policy on today's table, with the plan to publish it later; only temporary tables are made."""
    policy = load_policy(policy)
    if policy.algorithm == "mondrian":
        raise RequestError(
            "solve finds levels, and mondrian cuts regions: kanon anonymize --dry-run (dry_run=True) shows what mondrian would publish"
        )
    with Workspace(connect(connection, read_only=True), "read", listener) as workspace:
        with workspace.stage("profile"):
            profile = profile_source(workspace, describe_source(workspace, policy.source), policy)
        with workspace.stage("count"):
            frequencies = count_combinations(workspace, profile, at_least=policy.privacy.k)
        with workspace.stage("search"):
            solution = find_solution(workspace, frequencies, policy)
    return report_solution(policy, profile, frequencies, solution, workspace)
