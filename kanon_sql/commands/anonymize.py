"""Anonymize: from the source to a verified release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.artifacts import Profile, Recoding, Solution, StagedTable
from kanon_sql.backends import connect
from kanon_sql.catalog import describe
from kanon_sql.commands.anonymize_in_place import anonymize_in_place
from kanon_sql.commands.around import after_release, before_run, require_followed
from kanon_sql.commands.limits import require_risk, require_risk_of_dry_run, require_utility
from kanon_sql.commands.solution import Given, find_solution
from kanon_sql.commands.write import Writer
from kanon_sql.count import count_combinations
from kanon_sql.grants import grant_in_transaction, try_grants
from kanon_sql.in_place import Change, protocol_for
from kanon_sql.in_place.preflight import accept, describe_lost
from kanon_sql.in_place.recover import recover
from kanon_sql.measure_run import measure
from kanon_sql.plan import Plan
from kanon_sql.policy import Policy
from kanon_sql.policy_file import load_policy
from kanon_sql.profile_source import profile_source, read_source
from kanon_sql.pseudonyms import require_keys
from kanon_sql.publish import Target, check_target, drop_person, publish, swap, without_person
from kanon_sql.recode import recode
from kanon_sql.report import AnonymizeReport, report
from kanon_sql.tables import Column, TableName
from kanon_sql.utility import Utility
from kanon_sql.verify import verify_staged
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


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
    """Publishes the policy's table as a verified k-anonymous one and says what it cost; a dry run publishes nothing."""
    policy, given = load_policy(policy), Given(levels, plan, picture)
    given.require_possible(policy)
    if policy.publish.in_place:
        return anonymize_in_place(connection, policy, given, yes=yes, dry_run=dry_run, listener=listener)
    if replace:
        policy = policy.model_copy(update={"publish": policy.publish.model_copy(update={"replace": True})})
    return _anonymize_into(connection, policy, given, dry_run=dry_run, listener=listener)


def _anonymize_into(
    connection: Connectable, policy: Policy, given: Given, *, dry_run: bool, listener: StageListener | None
) -> AnonymizeReport:
    """Publishes into another table, which makes way for the release if it exists and may be replaced."""
    with Workspace(connect(connection, read_only=dry_run), None, listener) as workspace:
        if not dry_run:
            with workspace.stage("recover"):
                recover(workspace, protocol_for)
        before_run(workspace, policy, dry_run=dry_run)
        workspace.begin("read" if dry_run else "count")
        with workspace.stage("profile"):
            source = read_source(workspace, policy)
            target = check_target(workspace, source, policy.target, replace=policy.publish.replace or dry_run)
            profile = profile_source(workspace, source, policy)
            given.require_fitting(workspace, policy, profile)
            if not dry_run:
                require_keys(profile.identifiers)
        warnings: list[str] = []
        failed = None
        if dry_run:
            found = _find(workspace, profile, policy, given)
            require_risk_of_dry_run(workspace, policy, profile, found.recoding)
        else:
            run = Writer(workspace, protocol_for(workspace, target.name), policy, in_place=False, is_new=not target.replaces)
            with run.claimed():
                found = _find(workspace, profile, policy, given)
                workspace.begin_writing()
                if target.replaces:
                    _replace_target(run, profile, found.recoding, found.solution, found.utility)
                else:
                    _publish_new(run, profile, found, target)
            warnings = run.warnings
            failed = after_release(workspace, policy, target.name)
    told = report(
        policy, profile, found.solution, found.recoding, found.utility, target.name, workspace,
        dry_run=dry_run, warnings=warnings, picture=found.picture,
    )  # fmt: skip
    return require_followed(told, failed)


@dataclass(frozen=True)
class _Found:
    """A solution, what it makes of the rows, and what that costs."""

    solution: Solution
    recoding: Recoding
    utility: Utility
    picture: str | None


def _find(workspace: Workspace, profile: Profile, policy: Policy, given: Given) -> _Found:
    """Counts, searches, recodes and measures."""
    with workspace.stage("count"):
        frequencies = count_combinations(workspace, profile, at_least=policy.privacy.least_k, splits=given.splits(workspace, profile))
    with workspace.stage("search"):
        solution = find_solution(workspace, frequencies, policy, given)
    with workspace.stage("recode"):
        recoding = recode(workspace, frequencies, solution, policy.models)
    with workspace.stage("measure"):
        utility = measure(workspace, recoding, policy)
        require_utility(policy, utility)
        return _Found(solution, recoding, utility, given.drawn(workspace, recoding, policy))


def _publish_new(run: Writer, profile: Profile, found: _Found, target: Target) -> None:
    """Builds the release beside the target's name, verifies it, gives it that name, and records it."""
    workspace, policy, recoding = run.workspace, run.policy, found.recoding
    with workspace.stage("publish"):
        staged = publish(workspace, profile, recoding, partial(workspace.stage_beside, target.name))
    with workspace.stage("verify"):
        verify_staged(workspace, staged, recoding, policy.models)
        require_risk(workspace, policy, staged)
        drop_person(workspace, staged)
    with workspace.stage("swap"):
        grant_in_transaction(workspace, staged.table, policy.grants.select)
        try_grants(workspace, staged.table, policy.grants.select)
        swap(workspace, staged, target)
        run.committed = True
    if policy.publish.keeps_history:
        with workspace.stage("history"):
            run.record_new(found.solution, recoding, found.utility)


def _replace_target(run: Writer, profile: Profile, recoding: Recoding, solution: Solution, utility: Utility) -> None:
    """Builds the release as a table of the target's own shape, verifies it, and puts its rows in place of the target's."""
    workspace, policy = run.workspace, run.policy
    with workspace.stage("publish"):
        staged, change = _stage_for(run, profile, recoding)
    with workspace.stage("verify"):
        verify_staged(workspace, staged, recoding, policy.models)
        require_risk(workspace, policy, staged)
        drop_person(workspace, staged)
    with workspace.stage("write"):
        run.lock(begin=False)
        run.write(staged, change)
        run.verify(staged, change, recoding)
    with workspace.stage("swap"):
        grant_in_transaction(workspace, change.table, policy.grants.select)
        run.commit(solution, recoding, utility)
        run.warnings += [f"given up, as allowed: {describe_lost(dependant)}" for dependant in change.lost]
        run.warnings += run.scrub().remaining


def _stage_for(run: Writer, profile: Profile, recoding: Recoding) -> tuple[StagedTable, Change]:
    """The staged table in the shape of a table that is there already, and the change it stands for."""
    present = describe(run.workspace, run.protocol.table)
    dependants = run.protocol.dependants()
    generated = {d.name for d in dependants if d.kind == "generated"}
    changes: list[Change] = []

    def label_column(column: Column) -> Column:
        there = present.column(column.name)
        return run.protocol.label_column(there) if there else Column(column.name, run.workspace.backend.text_type, "text")

    def stage(columns: Sequence[Column], select: str) -> TableName:
        before = tuple(column for column in present.columns if column.name not in generated)
        change = Change(present.name, before, tuple(without_person(columns)), recoding.recoded_columns)
        changes.append(accept(change, dependants, profile.by_column, run.policy.publish.allow_loss))
        return run.protocol.stage(changes[0], columns, select)

    staged = publish(run.workspace, profile, recoding, stage, label_column)
    return staged, changes[0]
