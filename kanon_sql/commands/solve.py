"""Solve: find the solution of a policy without publishing it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.artifacts import CutSearch
from kanon_sql.backends import connect
from kanon_sql.commands.dependent import judge_solution
from kanon_sql.commands.hooks import before_run
from kanon_sql.commands.options import RunOptions
from kanon_sql.commands.solution import find_solution
from kanon_sql.commands.source import profile_for_release
from kanon_sql.policy import Policy
from kanon_sql.policy.file import load_policy
from kanon_sql.report.solve import SolveReport, report_solution
from kanon_sql.stages.count.frequencies import count_combinations
from kanon_sql.stages.evaluate import recorded_cuts
from kanon_sql.stages.profile.source import read_source
from kanon_sql.stages.publish.staging import release_types
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def solve(
    connection: Connectable, policy: Policy | Mapping[str, Any] | str | Path, *, listener: StageListener | None = None
) -> SolveReport:
    """Return the solution of a policy for the current rows, with the plan to publish it later; only temporary tables are created."""
    policy = load_policy(policy)
    with Workspace(connect(connection, read_only=True), None, listener) as workspace:
        before_run(workspace, policy, dry_run=True)
        workspace.transaction.begin("read")
        with workspace.stage("profile"):
            profile = profile_for_release(workspace, read_source(workspace, policy), policy)
        with workspace.stage("count"):
            frequencies = count_combinations(workspace, profile, at_least=policy.privacy.least_k)
        with workspace.stage("search"):
            solution = find_solution(workspace, frequencies, policy, RunOptions(keeps_cuts=policy.mondrian.mode == "strict"))
            names = [q.column.name for q in profile.quasi_identifiers]
            types = release_types(workspace, profile, solution.assignment.known_levels(names))
            cuts = None
            if isinstance(solution.search, CutSearch) and solution.search.unplannable is None:
                cuts = recorded_cuts(workspace, frequencies, solution.search.kept)
        with workspace.stage("measure"):
            judged = judge_solution(workspace, policy, profile, frequencies, solution)
    return report_solution(policy, profile, frequencies, solution, workspace, types, cuts, judged.dependencies, judged.warnings)
