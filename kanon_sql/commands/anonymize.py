"""Anonymize: from the source to a verified release in a new table, in an existing table, or in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.artifacts.plan import Plan
from kanon_sql.backends import connect
from kanon_sql.commands.anonymize_new_table import publish_new_table
from kanon_sql.commands.dependent import Judged
from kanon_sql.commands.earlier_runs import finish_earlier_runs
from kanon_sql.commands.hooks import after_release, before_run, require_followed
from kanon_sql.commands.options import RunOptions
from kanon_sql.commands.pipeline import Run, Solved, try_solution
from kanon_sql.commands.problems import Problems
from kanon_sql.commands.source import ReadySource, open_source, prepare_source
from kanon_sql.policy import Policy
from kanon_sql.policy.file import load_policy
from kanon_sql.report.run import AnonymizeReport, RunResult, report_run
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.artifacts import Recoding
    from kanon_sql.backends import Connectable
    from kanon_sql.commands.anonymize_existing_table import ExistingTarget
    from kanon_sql.stages.publish.staging import Target
    from kanon_sql.stages.replace.recover import Recovered


def anonymize(
    connection: Connectable,
    policy: Policy | Mapping[str, Any] | str | Path,
    *,
    replace: bool = False,
    dry_run: bool = False,
    yes: bool = False,
    levels: Mapping[str, int] | None = None,
    plan: Plan | None = None,
    picture: bool = False,
    listener: StageListener | None = None,
) -> AnonymizeReport:
    """Publish the policy's table as a verified k-anonymous one and report what it cost; a dry run publishes nothing."""
    policy, options = load_policy(policy), RunOptions(levels, plan, picture)
    options.require_possible(policy)
    if policy.publish.in_place:
        from kanon_sql.commands.anonymize_in_place import anonymize_in_place  # here, because publishing into a new table does not need it

        return anonymize_in_place(connection, policy, options, yes=yes, dry_run=dry_run, listener=listener)
    if replace:
        policy = policy.model_copy(update={"publish": policy.publish.model_copy(update={"replace": True})})
    if dry_run:
        return _try(connection, policy, options, listener)
    return _publish(connection, policy, options, listener)


def _publish(connection: Connectable, policy: Policy, options: RunOptions, listener: StageListener | None) -> AnonymizeReport:
    """Publish into another table; if it exists and may be replaced, its rows are replaced."""
    with Workspace(connect(connection), None, listener) as workspace:
        run = Run(workspace, policy, options)
        earlier = finish_earlier_runs(workspace)
        before_run(workspace, policy, dry_run=False)
        ready, existing = _prepare(run, dry_run=False)
        failed = None
        if existing is None:
            solved, verified, warnings = publish_new_table(run, ready)
        else:
            from kanon_sql.commands.anonymize_existing_table import publish_existing_table
            from kanon_sql.commands.erasure import failure_of

            solved, verified, warnings, scrubbed = publish_existing_table(run, ready, existing)
            failed = failure_of(scrubbed, connection)
        failures = [failed, after_release(workspace, policy, ready.target.name)]
    result = _result(run, ready, solved, verified.judged, [*_unfinished(earlier), *warnings])
    return require_followed(report_run(result, workspace, dry_run=False), *failures)


def _try(connection: Connectable, policy: Policy, options: RunOptions, listener: StageListener | None) -> AnonymizeReport:
    """Do a dry run: report the release that would be published, or everything that would stop the run."""
    with Workspace(connect(connection, read_only=True), None, listener) as workspace:
        run = Run(workspace, policy, options)
        before_run(workspace, policy, dry_run=True)
        ready, existing = _prepare(run, dry_run=True)

        def accept(recoding: Recoding) -> None:
            if existing is not None:
                from kanon_sql.commands.anonymize_existing_table import accept_recoding

                accept_recoding(run, ready.profile, existing, recoding)

        with workspace.stage("count"):
            frequencies = run.count(ready.profile)
        with workspace.stage("search"):
            solution = run.search(frequencies)
        solved, judged = try_solution(run, ready.profile, frequencies, solution, Problems(), accept)
    return report_run(_result(run, ready, solved, judged, []), workspace, dry_run=True)


def _prepare(run: Run, *, dry_run: bool) -> tuple[ReadySource, ExistingTarget | None]:
    """Prepare the source, and describe the target if its rows are to be replaced."""
    with run.workspace.stage("profile"):
        opened = open_source(run.workspace, run.policy, dry_run=dry_run)
        replaces = opened.target.replaces and run.policy.publish.replace
        existing = _describe_existing(run, opened.target) if replaces else None
        return prepare_source(run, opened, dry_run=dry_run), existing


def _describe_existing(run: Run, target: Target) -> ExistingTarget:
    from kanon_sql.commands.anonymize_existing_table import describe_target

    return describe_target(run.workspace, target.name)


def _unfinished(earlier: Sequence[Recovered]) -> list[str]:
    """Return warnings about earlier runs that could not be completed."""
    if not earlier:
        return []
    from kanon_sql.commands.erasure import unfinished

    return unfinished(earlier)


def _result(run: Run, ready: ReadySource, solved: Solved, judged: Judged, warnings: list[str]) -> RunResult:
    return RunResult(
        run.policy, ready.profile, solved.solution, solved.recoding, solved.utility, ready.target.name,
        judged.dependencies, (*judged.warnings, *warnings), solved.picture,
    )  # fmt: skip
