"""Anonymize in place: replace the rows of the source itself by the release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kanon_sql.algorithms import ALGORITHMS
from kanon_sql.artifacts import Earlier, FrequencyTable, Solution
from kanon_sql.artifacts.structure import listed
from kanon_sql.backends import connect
from kanon_sql.commands.claim import Progress, claimed
from kanon_sql.commands.dependent import Judged
from kanon_sql.commands.earlier_runs import finish_earlier_runs
from kanon_sql.commands.erasure import failure_of, out_of_reach, scrub_of, unfinished
from kanon_sql.commands.hooks import after_release, before_run, require_followed
from kanon_sql.commands.options import RunOptions
from kanon_sql.commands.pipeline import Run, Solved, Verified, recode_and_measure, try_solution, verify_release
from kanon_sql.commands.preparation import (
    Preparation,
    accept_before_search,
    accept_change,
    describe_table,
    intent,
    prepare_replacement,
    required_disk_space,
)
from kanon_sql.commands.problems import Problems
from kanon_sql.commands.solution import find_solution, still_holds
from kanon_sql.commands.table_run import TableRun
from kanon_sql.commands.write import Claimed, Committed, Locked, commit, lock, prepare_write, scrub, write
from kanon_sql.errors import BackendError, KanonError, RequestError
from kanon_sql.policy import Policy
from kanon_sql.report.run import AnonymizeReport, InPlaceReport, RunResult, report_run, unchanged
from kanon_sql.stages.publish.pseudonyms import require_keys
from kanon_sql.stages.publish.staging import publish
from kanon_sql.stages.replace import Scrub, protocol_for
from kanon_sql.stages.replace.disk_space import DiskSpace
from kanon_sql.stages.replace.earlier import is_unchanged, last_run
from kanon_sql.stages.replace.journal import Entry
from kanon_sql.stages.replace.preflight import describe_lost
from kanon_sql.stages.replace.recover import Recovered
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


@dataclass(frozen=True)
class _Published:
    """A release in place: its source, its solution, and where original rows remain."""

    ready: Preparation
    solved: Solved
    verified: Verified
    committed: Committed
    scrubbed: Scrub


def anonymize_in_place(
    connection: Connectable, policy: Policy, options: RunOptions, *, yes: bool, dry_run: bool, listener: StageListener | None = None
) -> AnonymizeReport:
    """Replace the table's rows by verified k-anonymous ones; do nothing if the table is unchanged since the last run."""
    with Workspace(connect(connection, read_only=dry_run), None, listener) as workspace:
        run = Run(workspace, policy, options)
        recovered = [] if dry_run else finish_earlier_runs(workspace, policy.source)
        before_run(workspace, policy, dry_run=dry_run or not yes)
        with workspace.stage("profile"):
            described = describe_table(workspace, policy)
            earlier = last_run(workspace, described.source.name)
            if earlier is not None and is_unchanged(workspace, described.source, earlier, policy):
                return _unchanged(run, earlier, recovered, connection)
            ready = prepare_replacement(run, described, earlier)
            if not dry_run:
                _require_acceptable(run, ready, yes=yes)
            space = required_disk_space(run, ready)
            if not dry_run:
                space.require(written=False)
            workspace.transaction.start_over()
        if dry_run:
            return _try(run, ready, space)
        published = _publish(run, ready, space)
        failed = after_release(workspace, policy, ready.source.name)
    return require_followed(_report(run, published, unfinished(recovered)), failure_of(published.scrubbed, connection), failed)


def _require_acceptable(run: Run, ready: Preparation, *, yes: bool) -> None:
    """Raise an error if the change drops objects without permission, is not confirmed, or lacks a key."""
    accept_before_search(ready, run.policy)
    if not yes:
        raise RequestError(intent(ready, run.policy))
    require_keys(ready.profile.identifiers)


def _unchanged(run: Run, earlier: Entry, recovered: Sequence[Recovered], connection: Connectable) -> AnonymizeReport:
    """Return the report of the earlier run; it is as incomplete as that run if original rows remain."""
    workspace, policy = run.workspace, run.policy
    scrubbed = scrub_of(earlier, recovered)
    in_place = InPlaceReport(
        run_id=earlier.run_id, backup=earlier.backup or None, lost=(), scrubbed=scrubbed.done, remaining=scrubbed.remaining,
        not_ours=protocol_for(workspace, policy.source).not_ours,
    )  # fmt: skip
    warnings = unfinished([r for r in recovered if r.run_id != earlier.run_id]) + out_of_reach(scrubbed)
    report = unchanged(policy, policy.source, Earlier.from_json(earlier.solution), workspace, in_place, warnings)
    return require_followed(report, failure_of(scrubbed, connection))


def _publish(run: Run, ready: Preparation, space: DiskSpace) -> _Published:
    """Search without a lock, then replace the rows under one; search again if the table was altered and the policy says so."""
    claim = Claimed(TableRun(run.workspace, run.policy, ready.protocol.table))
    with claimed(claim.run, claim) as progress:
        found = _search_unlocked(run, ready)
        locked, changes = _lock(progress, claim, ready)
        if changes and run.policy.publish.on_change == "search":
            ready = _start_again(run, progress, claim, ready)
            found = _search_unlocked(run, ready)
            locked, changes = _lock(progress, claim, ready)
        _require_same_structure(ready, changes, run.policy)
        return _replace(run, progress, locked, ready, found, space)


def _lock(progress: Progress, claim: Claimed, ready: Preparation) -> tuple[Locked, list[str]]:
    """Keep writers out; return the lock, and how the table was altered since it was described."""
    with claim.workspace.stage("lock"):
        locked = progress.reach(lock(claim, ready.protocol))
        if _run_id(last_run(claim.workspace, ready.source.name)) != _run_id(ready.earlier):
            raise BackendError(f"another run has published {ready.source.name} since this run began. Nothing was changed. Run again")
        return locked, ready.differences()


def _start_again(run: Run, progress: Progress, claim: Claimed, ready: Preparation) -> Preparation:
    """Release the lock, and describe and check the altered table."""
    with run.workspace.stage("profile"):
        run.workspace.transaction.abandon()
        progress.reach(claim)
        again = prepare_replacement(run, describe_table(run.workspace, run.policy), ready.earlier)
        _require_acceptable(run, again, yes=True)
        run.workspace.transaction.start_over()
    return again


def _require_same_structure(ready: Preparation, changes: Sequence[str], policy: Policy) -> None:
    """Raise an error if the table was altered during the search."""
    if changes:
        again = policy.publish.on_change == "search"
        advice = "Run again" if again else "Run again, or let the run start again by itself (publish: {on_change: search})"
        raise KanonError(
            f"the structure of table {ready.source.name} changed while the solution was searched{' again' if again else ''}: "
            f"{listed(changes)}. Nothing was changed. {advice}"
        )


def _replace(run: Run, progress: Progress, locked: Locked, ready: Preparation, found: Solution | None, space: DiskSpace) -> _Published:
    """Count and recode under the lock, stage, verify, write, verify the table itself, commit, erase the original rows."""
    workspace = run.workspace
    with workspace.stage("count" if found is None else "recount"):
        frequencies = run.count(ready.profile)
    with workspace.stage("search"):
        solution = run.search(frequencies) if found is None else _held(run, frequencies, found)
    solved = recode_and_measure(run, ready.profile, frequencies, solution)
    with workspace.stage("publish"):
        query = publish(workspace, ready.profile, solved.recoding, ready.protocol.label_column)
        present = ready.protocol.dependents()  # PostgreSQL's lock lets others create views
        change = accept_change(ready, run.policy, solved.recoding.recoded_columns, present, query.released)
        staged = query.staged_in(ready.protocol.stage(change, query.columns, query.select))
    verified = verify_release(run, staged, solved)
    with workspace.stage("write"):
        writing = progress.reach(prepare_write(locked, change))
        written = progress.reach(write(writing, staged, solved.recoding))
    with workspace.stage("swap"):
        committed = progress.reach(commit(written, solved, space))
    with workspace.stage("scrub"):
        scrubbed = scrub(committed)
    return _Published(ready, solved, verified, committed, scrubbed)


def _report(run: Run, published: _Published, warnings: Sequence[str]) -> AnonymizeReport:
    """Return the report of a release in place."""
    committed, scrubbed, judged = published.committed, published.scrubbed, published.verified.judged
    in_place = InPlaceReport(
        run_id=run.workspace.run_id,
        backup=committed.entry.backup or None,
        lost=tuple(describe_lost(lost) for lost in committed.change.lost),
        scrubbed=scrubbed.done,
        remaining=scrubbed.remaining,
        not_ours=committed.protocol.not_ours,
    )
    warnings = (*judged.warnings, *warnings, *committed.warnings, *out_of_reach(scrubbed))
    result = _result(run, published.ready, published.solved, replace(judged, warnings=warnings))
    return report_run(result, run.workspace, dry_run=False, in_place=in_place)


def _result(run: Run, ready: Preparation, solved: Solved, judged: Judged) -> RunResult:
    return RunResult(
        run.policy, ready.profile, solved.solution, solved.recoding, solved.utility, ready.source.name,
        judged.dependencies, judged.warnings, solved.picture,
    )  # fmt: skip


def _run_id(entry: Entry | None) -> str | None:
    return entry.run_id if entry else None


def _search_unlocked(run: Run, ready: Preparation) -> Solution | None:
    """Return a solution found without a lock, or None where the search must be done under it."""
    # Opening the database may have been the lock; a table of combinations holds for the rows it was made from.
    if run.workspace.backend.is_alone or not ALGORITHMS[run.policy.algorithm].chooses_levels:
        return None
    with run.workspace.stage("count"):
        run.workspace.transaction.begin("search")
        frequencies = run.count(ready.profile)
    with run.workspace.stage("search"):
        solution = run.search(frequencies)
        run.workspace.transaction.start_over()
    return solution


def _held(run: Run, frequencies: FrequencyTable, found: Solution) -> Solution:
    """Return the solution for the rows under the lock; if it no longer holds, search again or raise an error."""
    held = still_holds(run.workspace, frequencies, found, run.policy)
    if held is not None:
        return held
    if run.policy.publish.on_change == "search":
        return find_solution(run.workspace, frequencies, run.policy, RunOptions(compares=False))
    raise KanonError(
        f"table {run.policy.table} changed while the solution was searched, and the solution no longer satisfies the policy. "
        "Nothing was changed. Run again, or let the search be repeated under the lock (publish: {on_change: search})"
    )


def _try(run: Run, ready: Preparation, space: DiskSpace) -> AnonymizeReport:
    """Do a dry run with temporary tables only."""
    workspace, policy = run.workspace, run.policy
    workspace.transaction.begin("read")
    problems = Problems()
    with problems.collected(BackendError):
        space.require(written=False)
    frequencies = solution = None
    with workspace.stage("count"), problems.collected():
        frequencies = run.count(ready.profile)
    if frequencies is not None:
        with workspace.stage("search"), problems.collected():
            solution = run.search(frequencies)
    if frequencies is None or solution is None:
        with problems.collected():
            accept_before_search(ready, policy)
        raise problems.as_error()
    solved, judged = try_solution(
        run, ready.profile, frequencies, solution, problems,
        lambda recoding: accept_change(ready, policy, recoding.recoded_columns, ready.table.dependents),
    )  # fmt: skip
    return report_run(_result(run, ready, solved, judged), workspace, dry_run=True)
