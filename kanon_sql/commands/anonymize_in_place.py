"""Anonymize in place: the table of the same name holds the anonymized rows when the run is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kanon_sql.artifacts import Earlier, FrequencyTable, Profile, Recoding, Solution, StagedTable
from kanon_sql.artifacts.structure import listed
from kanon_sql.backends import connect
from kanon_sql.commands.around import after_release, before_run, require_followed
from kanon_sql.commands.dependent import Judged, find_dependent, judge_dry_run, judge_staged
from kanon_sql.commands.erasure import failure_of, out_of_reach, scrub_of, unfinished
from kanon_sql.commands.limits import require_risk_of_dry_run, require_utility
from kanon_sql.commands.preparation import Preparation, accept_before_search, accept_change, describe_table, intent, prepare_replacement
from kanon_sql.commands.problems import Problems
from kanon_sql.commands.solution import Given, find_solution, still_holds
from kanon_sql.commands.write import Writer, require_idle
from kanon_sql.errors import BackendError, KanonError, RequestError
from kanon_sql.policy import Policy
from kanon_sql.report.run import AnonymizeReport, InPlaceReport, report, unchanged
from kanon_sql.stages.count.frequencies import count_combinations
from kanon_sql.stages.measure.run import measure
from kanon_sql.stages.publish.pseudonyms import require_keys
from kanon_sql.stages.publish.staging import drop_person, publish, without_person
from kanon_sql.stages.recode.recoding import recode
from kanon_sql.stages.replace import Change, Scrub, protocol_for
from kanon_sql.stages.replace.earlier import is_unchanged, last_run
from kanon_sql.stages.replace.journal import Entry
from kanon_sql.stages.replace.preflight import describe_lost
from kanon_sql.stages.replace.recover import Recovered, recover
from kanon_sql.stages.replace.room import Room, measure_room
from kanon_sql.stages.verify import verify_staged
from kanon_sql.tables import Column, TableName
from kanon_sql.workspace import StageListener, Workspace
from kanon_sql.workspace.catalog import resolve

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


def anonymize_in_place(
    connection: Connectable, policy: Policy, given: Given, *, yes: bool, dry_run: bool, listener: StageListener | None = None
) -> AnonymizeReport:
    """Replaces the table's rows by verified k-anonymous ones; unchanged since the last run, there is nothing to do."""
    with Workspace(connect(connection, read_only=dry_run), None, listener) as workspace:
        recovered: list[Recovered] = []
        if not dry_run:
            with workspace.stage("recover"):
                if (table := resolve(workspace, policy.source)) is not None:
                    require_idle(protocol_for(workspace, table.name))
                recovered = recover(workspace, protocol_for)
        before_run(workspace, policy, dry_run=dry_run or not yes)
        with workspace.stage("profile"):
            described = describe_table(workspace, policy)
            earlier = last_run(workspace, described.source.name)
            if earlier is not None and is_unchanged(workspace, described.source, earlier, policy):
                return _unchanged(workspace, policy, earlier, recovered, connection)
            ready = prepare_replacement(workspace, described, policy, earlier, given)
            if not dry_run:
                accept_before_search(ready, policy)
            if not (yes or dry_run):
                raise RequestError(intent(ready, policy))
            if not dry_run:
                require_keys(ready.profile.identifiers)
            room = _room(workspace, ready, policy)
            if not dry_run:
                room.require(written=False)
            workspace.transaction.start_over()
        if dry_run:
            return _dry_run(workspace, ready, policy, given, room)
        writer = Writer(workspace, ready.protocol, policy, in_place=True, room=room, warnings=unfinished(recovered))
        with writer.claimed():
            found = _search_unlocked(workspace, ready, policy, given)
            changes = _lock(workspace, ready, writer)
            if changes and policy.publish.on_change == "search":
                ready = _start_again(workspace, ready, policy, writer, given)
                found = _search_unlocked(workspace, ready, policy, given)
                changes = _lock(workspace, ready, writer)
            _require_same_structure(ready, changes, policy)
            told = _replace(workspace, ready, found, policy, writer, given)
        failed = after_release(workspace, policy, ready.source.name)
    warnings = (*told.warnings, *out_of_reach(writer.scrubbed))
    told = replace(told, warnings=warnings, stages=tuple(workspace.record.stages), statements=tuple(workspace.record.statements))
    return require_followed(told, failure_of(writer.scrubbed, connection), failed)


def _unchanged(
    workspace: Workspace, policy: Policy, earlier: Entry, recovered: Sequence[Recovered], connection: Connectable
) -> AnonymizeReport:
    """Return the report of the earlier run; it is as incomplete as that run if original rows remain."""
    scrub = scrub_of(earlier, recovered)
    told = InPlaceReport(
        run_id=earlier.run_id, backup=earlier.backup or None, lost=(), scrubbed=scrub.done, remaining=scrub.remaining,
        not_ours=protocol_for(workspace, policy.source).not_ours,
    )  # fmt: skip
    warnings = unfinished([r for r in recovered if r.run_id != earlier.run_id]) + out_of_reach(scrub)
    found = unchanged(policy, policy.source, Earlier.from_json(earlier.solution), workspace, told, warnings)
    return require_followed(found, failure_of(scrub, connection))


def _lock(workspace: Workspace, ready: Preparation, writer: Writer) -> list[str]:
    """Keeps writers out; returns how the table was altered since it was described."""
    with workspace.stage("lock"):
        writer.lock()
        if _run_id(last_run(workspace, ready.source.name)) != _run_id(ready.earlier):
            raise BackendError(f"another run has published {ready.source.name} meanwhile; nothing was changed: run again")
        return ready.differences()


def _start_again(workspace: Workspace, ready: Preparation, policy: Policy, writer: Writer, given: Given) -> Preparation:
    """Gives the lock back and describes the altered table: the policy and the losses are checked anew."""
    with workspace.stage("profile"):
        workspace.transaction.abandon()
        again = prepare_replacement(workspace, describe_table(workspace, policy), policy, ready.earlier, given)
        accept_before_search(again, policy)
        require_keys(again.profile.identifiers)
        writer.protocol = again.protocol
        workspace.transaction.start_over()
    return again


def _require_same_structure(ready: Preparation, changes: Sequence[str], policy: Policy) -> None:
    """Raise an error if the table was altered while the solution was searched."""
    if changes:
        again = policy.publish.on_change == "search"
        advice = "Run again" if again else "Run again, or let the run start again by itself (publish: {on_change: search})"
        raise KanonError(
            f"the structure of table {ready.source.name} changed while the solution was searched{' again' if again else ''}: "
            f"{listed(changes)}. Nothing was changed. {advice}"
        )


def _replace(
    workspace: Workspace, ready: Preparation, found: Solution | None, policy: Policy, writer: Writer, given: Given
) -> AnonymizeReport:
    """Under the lock: recount, recode, stage, verify, write, verify the table itself, commit, scrub."""
    with workspace.stage("count" if found is None else "recount"):
        frequencies = _count(workspace, ready.profile, policy, given)
    with workspace.stage("search"):
        solution = find_solution(workspace, frequencies, policy, given) if found is None else _held(workspace, frequencies, found, policy)
    with workspace.stage("recode"):
        recoding = recode(workspace, frequencies, solution, policy.models)
    with workspace.stage("measure"):
        utility = measure(workspace, recoding, policy)
        require_utility(policy, utility)
        drawn = given.drawn(workspace, recoding, policy)
        dependent = find_dependent(workspace, policy, ready.profile, frequencies, solution)
    with workspace.stage("publish"):
        staged, change = _stage(workspace, ready, recoding, policy)
    with workspace.stage("verify"):
        verify_staged(workspace, staged, recoding, policy.models)
        judged = judge_staged(workspace, policy, staged, recoding, dependent)
        drop_person(workspace, staged)
    with workspace.stage("write"):
        writer.write(staged, change)
        writer.verify(staged, change, recoding)
    with workspace.stage("swap"):
        writer.commit(solution, recoding, utility)
    with workspace.stage("scrub"):
        scrub = writer.scrub()
    told = _outcome(ready, writer, change, scrub)
    return report(
        policy, ready.profile, solution, recoding, utility, ready.source.name, workspace,
        dry_run=False, dependencies=judged.dependencies, warnings=[*judged.warnings, *writer.warnings], in_place=told, picture=drawn,
    )  # fmt: skip


def _outcome(ready: Preparation, writer: Writer, change: Change, scrub: Scrub) -> InPlaceReport:
    """Return what became of the original rows."""
    return InPlaceReport(
        run_id=writer.workspace.run_id,
        backup=writer.backup.table if writer.backup else None,
        lost=tuple(describe_lost(dependant) for dependant in change.lost),
        scrubbed=scrub.done,
        remaining=scrub.remaining,
        not_ours=ready.protocol.not_ours,
    )


def _count(workspace: Workspace, profile: Profile, policy: Policy, given: Given) -> FrequencyTable:
    return count_combinations(workspace, profile, at_least=policy.privacy.least_k, splits=given.splits(workspace, profile))


def _run_id(entry: Entry | None) -> str | None:
    return entry.run_id if entry else None


def _room(workspace: Workspace, ready: Preparation, policy: Policy) -> Room:
    """Return the disk space that is needed to erase the original rows, if they are to be erased."""
    columns = [column.name for column in ready.profile.columns]
    return Room() if policy.publish.scrub == "off" else measure_room(workspace, ready.source.name, columns)


def _search_unlocked(workspace: Workspace, ready: Preparation, policy: Policy, given: Given) -> Solution | None:
    """Searches without a lock, or not at all where that is done under it."""
    # Opening the database may have been the lock; regions hold for the rows they were cut from, so they are cut under it.
    if workspace.backend.is_alone or policy.algorithm == "mondrian":
        return None
    with workspace.stage("count"):
        workspace.transaction.begin("search")
        frequencies = _count(workspace, ready.profile, policy, given)
    with workspace.stage("search"):
        solution = find_solution(workspace, frequencies, policy, given)
        workspace.transaction.start_over()
    return solution


def _held(workspace: Workspace, frequencies: FrequencyTable, found: Solution, policy: Policy) -> Solution:
    """The solution on the rows as they are under the lock, searched again or refused if it no longer holds."""
    held = still_holds(workspace, frequencies, found, policy)
    if held is not None:
        return held
    if policy.publish.on_change == "search":
        return find_solution(workspace, frequencies, policy, Given(compares=False))
    raise KanonError(
        f"table {policy.table} changed while the solution was searched, and it no longer satisfies the policy; nothing was changed: "
        "run again, or let the search be repeated under the lock (publish: {on_change: search})"
    )


def _stage(workspace: Workspace, ready: Preparation, recoding: Recoding, policy: Policy) -> tuple[StagedTable, Change]:
    """The staged table, and the exact change it stands for."""
    changes: list[Change] = []

    def stage(columns: Sequence[Column], select: str) -> TableName:
        present = ready.protocol.dependants()  # PostgreSQL's lock lets others make views
        changes.append(accept_change(ready, policy, recoding.recoded_columns, present, without_person(columns)))
        return ready.protocol.stage(changes[0], columns, select)

    staged = publish(workspace, ready.profile, recoding, stage, ready.protocol.label_column)
    return staged, changes[0]


def _dry_run(workspace: Workspace, ready: Preparation, policy: Policy, given: Given, room: Room) -> AnonymizeReport:
    """What the run would find, with temporary tables only."""
    workspace.transaction.begin("read")
    problems = Problems()
    with problems.noted(BackendError):
        room.require(written=False)
    frequencies = solution = None
    with workspace.stage("count"), problems.noted():
        frequencies = _count(workspace, ready.profile, policy, given)
    if frequencies is not None:
        with workspace.stage("search"), problems.noted():
            solution = find_solution(workspace, frequencies, policy, given)
    if frequencies is None or solution is None:
        with problems.noted():
            accept_before_search(ready, policy)
        raise problems.as_error()
    with workspace.stage("recode"):
        recoding = recode(workspace, frequencies, solution, policy.models)
        with problems.noted():
            accept_change(ready, policy, recoding.recoded_columns, ready.table.dependants)
    with workspace.stage("measure"):
        utility = measure(workspace, recoding, policy)
        dependent = find_dependent(workspace, policy, ready.profile, frequencies, solution)
        with problems.noted():
            require_utility(policy, utility)
        with problems.noted():
            require_risk_of_dry_run(workspace, policy, ready.profile, recoding)
        judged = Judged()
        with problems.noted():
            judged = judge_dry_run(workspace, policy, ready.profile, recoding, dependent)
        problems.require_none()
        drawn = given.drawn(workspace, recoding, policy)
    return report(
        policy, ready.profile, solution, recoding, utility, ready.source.name, workspace,
        dry_run=True, dependencies=judged.dependencies, warnings=judged.warnings, picture=drawn,
    )  # fmt: skip
