"""Anonymize: from the source to a verified release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanon_sql.artifacts import FrequencyTable, Profile, Recoding, Solution, StagedTable
from kanon_sql.artifacts.plan import Plan
from kanon_sql.artifacts.structure import Structure, require_unchanged
from kanon_sql.artifacts.utility import Utility
from kanon_sql.backends import connect
from kanon_sql.commands.anonymize_in_place import anonymize_in_place
from kanon_sql.commands.around import after_release, before_run, require_followed
from kanon_sql.commands.dependent import Judged, find_dependent, judge_dry_run, judge_staged
from kanon_sql.commands.erasure import failure_of, unfinished
from kanon_sql.commands.limits import require_risk_of_dry_run, require_utility
from kanon_sql.commands.problems import Problems
from kanon_sql.commands.solution import Given, find_solution
from kanon_sql.commands.source import profile_for_release
from kanon_sql.commands.write import Writer, is_recorded
from kanon_sql.policy import Policy
from kanon_sql.policy.file import load_policy
from kanon_sql.report.run import AnonymizeReport, report
from kanon_sql.stages.count.frequencies import count_combinations
from kanon_sql.stages.measure.run import measure
from kanon_sql.stages.profile.dependencies import Dependent
from kanon_sql.stages.profile.source import read_source
from kanon_sql.stages.profile.source_queries import hold_source, relations_read, source_structure
from kanon_sql.stages.publish.pseudonyms import require_keys
from kanon_sql.stages.publish.staging import Target, check_target, drop_person, publish, released_columns, swap, without_person
from kanon_sql.stages.recode.recoding import recode
from kanon_sql.stages.replace import Change, Protocol, protocol_for
from kanon_sql.stages.replace.change import Dependant
from kanon_sql.stages.replace.preflight import accept, describe_lost, structure_of
from kanon_sql.stages.replace.recover import recover
from kanon_sql.stages.verify import verify_staged
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import StageListener, Workspace
from kanon_sql.workspace.catalog import Relation, describe
from kanon_sql.workspace.grants import grant_in_transaction, try_grants

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable

_RUN_AGAIN = "Nothing was published. Run again"


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


@dataclass(frozen=True)
class Preparation:
    """What is known before the count: the source and the target, and how both are defined."""

    relations: Sequence[Relation]  # that the source names
    structure: Structure  # of these
    profile: Profile
    target: Target
    replaced: Structure | None  # of the target's present table, if its rows are to be replaced

    def require_same_source(self, workspace: Workspace) -> None:
        """Raise an error if the source was altered since the run began."""
        require_unchanged(self.structure, source_structure(workspace, self.relations), self.profile.title, _RUN_AGAIN)


@dataclass(frozen=True)
class Replacement:
    """A target that exists: its columns, and what belongs to it."""

    policy: Policy
    profile: Profile
    protocol: Protocol
    present: TableDescription
    dependants: Sequence[Dependant]

    @classmethod
    def of(cls, workspace: Workspace, policy: Policy, profile: Profile, protocol: Protocol) -> Replacement:
        """Describe the target as it is."""
        return cls(policy, profile, protocol, describe(workspace, protocol.table), protocol.dependants())

    def label_column(self, column: Column) -> Column:
        """Return the column that holds labels: as the target declares it where that takes any text."""
        return self.protocol.label_column(self.present.column(column.name) or Column(column.name, "", "other"))

    def change(self, columns: Sequence[Column], recoded: frozenset[str]) -> Change:
        """Return the change that gives the target these columns, refused if something of it would not survive."""
        generated = {d.name for d in self.dependants if d.kind == "generated"}
        before = tuple(column for column in self.present.columns if column.name not in generated)
        change = Change(self.present.name, before, tuple(without_person(columns)), recoded)
        return accept(change, self.dependants, self.profile.by_column, self.policy.publish.allow_loss)


def _anonymize_into(
    connection: Connectable, policy: Policy, given: Given, *, dry_run: bool, listener: StageListener | None
) -> AnonymizeReport:
    """Publishes into another table, which makes way for the release if it exists and may be replaced."""
    with Workspace(connect(connection, read_only=dry_run), None, listener) as workspace:
        warnings: list[str] = []
        if not dry_run:
            with workspace.stage("recover"):
                warnings = unfinished(recover(workspace, protocol_for))
        before_run(workspace, policy, dry_run=dry_run)
        with workspace.stage("profile"):
            ready = _prepare(workspace, policy, given, dry_run=dry_run)
        failed: list[str | None] = []
        if dry_run:
            found = _find(workspace, ready, policy, given, dry_run=True)
            judged = found.judged
        else:
            run = Writer(workspace, protocol_for(workspace, ready.target.name), policy, in_place=False, is_new=not ready.target.replaces)
            with run.claimed():
                found = _find(workspace, ready, policy, given, dry_run=False)
                judged = _publish(run, ready, found)
            warnings += run.warnings
            failed = [failure_of(run.scrubbed, connection), after_release(workspace, policy, ready.target.name)]
    told = report(
        policy, ready.profile, found.solution, found.recoding, found.utility, ready.target.name, workspace,
        dry_run=dry_run, dependencies=judged.dependencies, warnings=[*judged.warnings, *warnings], picture=found.picture,
    )  # fmt: skip
    return require_followed(told, *failed)


def _prepare(workspace: Workspace, policy: Policy, given: Given, *, dry_run: bool) -> Preparation:
    """Begins the transaction and describes source and target; how they are defined is read first, so no later change is missed."""
    relations = relations_read(workspace, policy)
    workspace.transaction.begin("read" if dry_run else "count")
    structure = hold_source(workspace, relations)
    source = read_source(workspace, policy)
    target = check_target(workspace, source, policy.target, replace=policy.publish.replace or dry_run)
    replaces = target.replaces and policy.publish.replace
    replaced = structure_of(protocol_for(workspace, target.name).dependants()) if replaces else None
    profile = profile_for_release(workspace, source, policy)
    given.require_fitting(workspace, policy, profile)
    if not dry_run:
        require_keys(profile.identifiers)
    return Preparation(relations, structure, profile, target, replaced)


@dataclass(frozen=True)
class _Found:
    """A solution, what it makes of the rows and what that costs; what is judged without a release, if there is to be none."""

    solution: Solution
    recoding: Recoding
    utility: Utility
    dependent: Dependent
    judged: Judged
    picture: str | None


def _find(workspace: Workspace, ready: Preparation, policy: Policy, given: Given, *, dry_run: bool) -> _Found:
    """Count, search, recode and measure; a dry run reports everything that would stop a run."""
    with workspace.stage("count"):
        frequencies = _count(workspace, ready.profile, policy, given)
    with workspace.stage("search"):
        solution = find_solution(workspace, frequencies, policy, given)
    with workspace.stage("recode"):
        recoding = recode(workspace, frequencies, solution, policy.models)
    problems, judged = Problems(), Judged()
    with workspace.stage("measure"):
        utility = measure(workspace, recoding, policy)
        dependent = find_dependent(workspace, policy, ready.profile, frequencies, solution)
        with problems.noted():
            require_utility(policy, utility)
        if dry_run:
            _note_problems(problems, workspace, ready, recoding, policy)
            with problems.noted():
                judged = judge_dry_run(workspace, policy, ready.profile, recoding, dependent)
        problems.require_none()
        return _Found(solution, recoding, utility, dependent, judged, given.drawn(workspace, recoding, policy))


def _count(workspace: Workspace, profile: Profile, policy: Policy, given: Given) -> FrequencyTable:
    return count_combinations(workspace, profile, at_least=policy.privacy.least_k, splits=given.splits(workspace, profile))


def _note_problems(problems: Problems, workspace: Workspace, ready: Preparation, recoding: Recoding, policy: Policy) -> None:
    """Notes what would stop a run after the search: what the target would lose, and risks above the policy's limits."""
    if ready.replaced is not None:
        replacement = Replacement.of(workspace, policy, ready.profile, protocol_for(workspace, ready.target.name))
        with problems.noted():
            columns = released_columns(ready.profile, recoding.recoded_columns, replacement.label_column)
            replacement.change(columns, recoding.recoded_columns)
    with problems.noted():
        require_risk_of_dry_run(workspace, policy, ready.profile, recoding)


def _publish(run: Writer, ready: Preparation, found: _Found) -> Judged:
    """Build the release, verify it, and give it the target's name or put its rows in place of the target's."""
    workspace, policy, recoding = run.workspace, run.policy, found.recoding
    workspace.transaction.begin_writing()
    change = None
    with workspace.stage("publish"):
        if ready.replaced is None:
            staged = publish(workspace, ready.profile, recoding, partial(workspace.permanent.stage, ready.target.name))
        else:
            staged, change = _stage_for(run, ready.profile, recoding)
        ready.require_same_source(workspace)
    with workspace.stage("verify"):
        verify_staged(workspace, staged, recoding, policy.models)
        judged = judge_staged(workspace, policy, staged, recoding, found.dependent)
        drop_person(workspace, staged)
    if change is None:
        _swap_new(run, ready, found, staged)
    else:
        _replace_target(run, ready, found, staged, change)
    return judged


def _swap_new(run: Writer, ready: Preparation, found: _Found, staged: StagedTable) -> None:
    """Give a staged table the target's name, and record the release."""
    workspace, policy = run.workspace, run.policy
    with workspace.stage("swap"):
        belongs_in_history = is_recorded(run)
        grant_in_transaction(workspace, staged.table, policy.grants.select)
        try_grants(workspace, staged.table, policy.grants.select)
        swap(workspace, staged, ready.target)
        run.committed = True
    if belongs_in_history:
        with workspace.stage("history"):
            run.record_new(found.solution, found.recoding, found.utility)


def _replace_target(run: Writer, ready: Preparation, found: _Found, staged: StagedTable, change: Change) -> None:
    """Put the staged rows in place of the target's, if the target is still what was described."""
    workspace, policy = run.workspace, run.policy
    with workspace.stage("write"):
        run.lock(begin=False)
        if ready.replaced is not None:
            present = structure_of(run.protocol.dependants())
            require_unchanged(ready.replaced, present, f"the target {ready.target.name.table}", _RUN_AGAIN)
        run.write(staged, change)
        run.verify(staged, change, found.recoding)
    with workspace.stage("swap"):
        grant_in_transaction(workspace, change.table, policy.grants.select)
        run.commit(found.solution, found.recoding, found.utility)
        run.warnings += [f"given up, as allowed: {describe_lost(dependant)}" for dependant in change.lost]
        run.scrub()


def _stage_for(run: Writer, profile: Profile, recoding: Recoding) -> tuple[StagedTable, Change]:
    """The staged table in the shape of a table that is there already, and the change it stands for."""
    replacement = Replacement.of(run.workspace, run.policy, profile, run.protocol)
    changes: list[Change] = []

    def stage(columns: Sequence[Column], select: str) -> TableName:
        changes.append(replacement.change(columns, recoding.recoded_columns))
        return run.protocol.stage(changes[0], columns, select)

    staged = publish(run.workspace, profile, recoding, stage, replacement.label_column)
    return staged, changes[0]
