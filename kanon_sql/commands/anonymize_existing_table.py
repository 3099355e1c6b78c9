"""Publish into a table that exists: stage, verify, then replace the target's rows under its lock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kanon_sql.artifacts import Profile, Recoding
from kanon_sql.artifacts.structure import Structure, require_unchanged
from kanon_sql.commands.claim import Progress, claimed
from kanon_sql.commands.pipeline import Run, Solved, Verified, solve_and_recode, verify_release
from kanon_sql.commands.source import RUN_AGAIN, ReadySource
from kanon_sql.commands.table_run import TableRun
from kanon_sql.commands.write import Claimed, commit, lock, prepare_write, scrub, write
from kanon_sql.policy import Policy
from kanon_sql.stages.publish.staging import publish, released_columns
from kanon_sql.stages.replace import Change, Protocol, Scrub, protocol_for
from kanon_sql.stages.replace.change import DependentObject
from kanon_sql.stages.replace.disk_space import DiskSpace
from kanon_sql.stages.replace.preflight import accept, describe_lost, structure_of
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import describe
from kanon_sql.workspace.grants import grant_in_transaction


@dataclass(frozen=True)
class ExistingTarget:
    """A target that exists: how it was defined when the run began, and the engine's protocol to replace its rows."""

    protocol: Protocol
    structure: Structure

    def require_unchanged(self) -> None:
        """Raise an error if the target was altered since the run began."""
        title = f"the target {self.protocol.table.table}"
        require_unchanged(self.structure, structure_of(self.protocol.dependents()), title, RUN_AGAIN)


@dataclass(frozen=True)
class _Replacement:
    """The target's columns, and the objects that depend on it, as they are when the release is staged."""

    policy: Policy
    profile: Profile
    protocol: Protocol
    present: TableDescription
    dependents: Sequence[DependentObject]

    def label_column(self, column: Column) -> Column:
        """Return the column that holds labels: as the target declares it where that takes any text."""
        return self.protocol.label_column(self.present.column(column.name) or Column(column.name, "", "other"))

    def change(self, columns: Sequence[Column], recoded: frozenset[str]) -> Change:
        """Return the change that gives the target these columns; raise an error if objects would be dropped without permission."""
        generated = {d.name for d in self.dependents if d.kind == "generated"}
        before = tuple(column for column in self.present.columns if column.name not in generated)
        change = Change(self.present.name, before, tuple(columns), recoded)
        return accept(change, self.dependents, self.profile.by_column, self.policy.publish.allow_loss)


def describe_target(workspace: Workspace, table: TableName) -> ExistingTarget:
    """Describe a target whose rows are to be replaced."""
    protocol = protocol_for(workspace, table)
    return ExistingTarget(protocol, structure_of(protocol.dependents()))


def accept_recoding(run: Run, profile: Profile, target: ExistingTarget, recoding: Recoding) -> None:
    """Raise an error if objects of the target would be dropped without permission."""
    replacement = _replacement(run, profile, target)
    columns = released_columns(profile, recoding.recoded_columns, replacement.label_column)
    replacement.change(columns, recoding.recoded_columns)


def publish_existing_table(run: Run, ready: ReadySource, target: ExistingTarget) -> tuple[Solved, Verified, list[str], Scrub]:
    """Replace the target's rows by the release; return the solution, the verified release, warnings, and what follows the commit."""
    workspace, protocol = run.workspace, target.protocol
    claim = Claimed(TableRun(workspace, run.policy, ready.target.name))
    with claimed(claim.run, claim) as progress:
        solved = solve_and_recode(run, ready.profile)
        workspace.transaction.begin_writing()
        with workspace.stage("publish"):
            replacement = _replacement(run, ready.profile, target)
            query = publish(workspace, ready.profile, solved.recoding, replacement.label_column)
            change = replacement.change(query.released, solved.recoding.recoded_columns)
            staged = query.staged_in(protocol.stage(change, query.columns, query.select))
            ready.require_same_source(workspace)
        verified = verify_release(run, staged, solved)
        warnings, scrubbed = _replace(progress, claim, target, change, verified, solved)
    return solved, verified, warnings, scrubbed


def _replace(
    progress: Progress, claim: Claimed, target: ExistingTarget, change: Change, verified: Verified, solved: Solved
) -> tuple[list[str], Scrub]:
    """Write the staged rows under the lock, if the target is still as it was described, and commit."""
    workspace = claim.workspace
    with workspace.stage("write"):
        locked = progress.reach(lock(claim, target.protocol, begin=False))
        target.require_unchanged()
        writing = progress.reach(prepare_write(locked, change))
        written = progress.reach(write(writing, verified.staged, solved.recoding))
    with workspace.stage("swap"):
        grant_in_transaction(workspace, change.table, claim.run.policy.grants.select)
        committed = progress.reach(commit(written, solved, DiskSpace()))
        scrubbed = scrub(committed)
    return [*committed.warnings, *(f"dropped with permission: {describe_lost(lost)}" for lost in change.lost)], scrubbed


def _replacement(run: Run, profile: Profile, target: ExistingTarget) -> _Replacement:
    protocol = target.protocol
    return _Replacement(run.policy, profile, protocol, describe(run.workspace, protocol.table), protocol.dependents())
