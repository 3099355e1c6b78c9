"""Anonymize in place: the table of the same name holds the anonymized rows when the run is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kanon_sql.artifacts import Earlier, FrequencyTable, Profile, Recoding, Solution, StagedTable
from kanon_sql.backends import connect
from kanon_sql.catalog import resolve
from kanon_sql.commands.around import after_release, before_run, require_followed
from kanon_sql.commands.erasure import failure_of, out_of_reach, scrub_of, unfinished
from kanon_sql.commands.limits import require_risk, require_risk_of_dry_run, require_utility
from kanon_sql.commands.solution import Given, find_solution, still_holds
from kanon_sql.commands.write import Writer, require_idle
from kanon_sql.count import count_combinations
from kanon_sql.errors import BackendError, KanonError, RequestError
from kanon_sql.in_place import Change, Protocol, protocol_for
from kanon_sql.in_place.change import Dependant
from kanon_sql.in_place.earlier import is_unchanged, last_run
from kanon_sql.in_place.journal import Entry
from kanon_sql.in_place.preflight import accept, describe_lost
from kanon_sql.in_place.recover import Recovered, recover
from kanon_sql.in_place.room import Room, measure_room
from kanon_sql.measure_run import measure
from kanon_sql.policy import Policy
from kanon_sql.profile_source import describe_source, profile_source
from kanon_sql.pseudonyms import require_keys
from kanon_sql.publish import drop_person, publish, without_person
from kanon_sql.recode import recode
from kanon_sql.report import AnonymizeReport, InPlaceReport, report, unchanged
from kanon_sql.tables import Column, TableDescription, TableName
from kanon_sql.verify import verify_staged
from kanon_sql.workspace import StageListener, Workspace

if TYPE_CHECKING:
    from kanon_sql.backends import Connectable


@dataclass(frozen=True)
class Preparation:
    """What is known before anything is done: the source, what is published of it, what is computed in it, who published it last."""

    source: TableDescription
    profile: Profile
    protocol: Protocol
    generated: frozenset[str]
    earlier: Entry | None

    def expected_columns(self, recoded: frozenset[str] = frozenset()) -> list[Column]:
        """The columns of the release, those that would be recoded as labels."""
        labelled = recoded | {i.column.name for i in self.profile.identifiers if i.action == "hash"}
        columns = []
        for column in self.profile.columns:
            q = self.profile.by_column.get(column.name)
            if q is not None and q.has_bounds:
                columns += [Column(name, column.type, column.kind) for name in q.published_names]
            else:
                columns.append(self.protocol.label_column(column) if column.name in labelled else column)
        return columns

    def moved_columns(self) -> list[Dependant]:
        """Columns that could not stay where they are."""
        split = [q for q in self.profile.quasi_identifiers if q.has_bounds and self.protocol.appends_columns]
        return [Dependant("column_order", q.column.name, frozenset(), detail=" and ".join(q.published_names)) for q in split]

    def change(self, columns: Sequence[Column], recoded: frozenset[str]) -> Change:
        """The change that gives the table these columns."""
        before = tuple(c for c in self.source.columns if c.name not in self.generated or c.name in self.profile.dropped)
        emptied = frozenset(i.column.name for i in self.profile.identifiers if i.action == "null")
        replaced = frozenset(i.column.name for i in self.profile.identifiers if i.action != "null")
        return Change(self.source.name, before, tuple(columns), recoded | replaced, emptied)


def anonymize_in_place(
    connection: Connectable, policy: Policy, given: Given, *, yes: bool, dry_run: bool, listener: StageListener | None = None
) -> AnonymizeReport:
    """Replaces the table's rows by verified k-anonymous ones; unchanged since the last run, there is nothing to do."""
    with Workspace(connect(connection, read_only=dry_run), None, listener) as workspace:
        recovered: list[Recovered] = []
        if not dry_run:
            with workspace.stage("recover"):
                if (found := resolve(workspace, policy.source)) is not None:
                    require_idle(protocol_for(workspace, found.name))
                recovered = recover(workspace, protocol_for)
        before_run(workspace, policy, dry_run=dry_run or not yes)
        with workspace.stage("profile"):
            workspace.begin("read")
            source = _describe_table(workspace, policy)
            earlier = last_run(workspace, source.name)
            if earlier is not None and is_unchanged(workspace, source, earlier, policy):
                return _unchanged(workspace, policy, earlier, recovered, connection)
            ready = _prepare(workspace, source, policy, earlier)
            given.require_fitting(workspace, policy, ready.profile)
            if not (yes or dry_run):
                raise RequestError(_intent(ready, policy))
            if not dry_run:
                require_keys(ready.profile.identifiers)
            room = _room(workspace, ready, policy)
            room.require(written=False)
            workspace.start_over()
        if dry_run:
            return _dry_run(workspace, ready, policy, given)
        writer = Writer(workspace, ready.protocol, policy, in_place=True, room=room, warnings=unfinished(recovered))
        with writer.claimed():
            told = _replace(workspace, ready, policy, writer, given)
        failed = after_release(workspace, policy, ready.source.name)
    warnings = (*told.warnings, *out_of_reach(writer.scrubbed))
    told = replace(told, warnings=warnings, stages=tuple(workspace.stages), statements=tuple(workspace.statements))
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


def _replace(workspace: Workspace, ready: Preparation, policy: Policy, writer: Writer, given: Given) -> AnonymizeReport:
    """Search without a lock; then lock, recount, recode, stage, verify, write, verify the table itself, commit, scrub."""
    found = None
    # Opening the database may have been the lock; regions hold for the rows they were cut from, so they are cut under it.
    if not workspace.backend.is_alone and policy.algorithm != "mondrian":
        found = _search_unlocked(workspace, ready.profile, policy, given)
    with workspace.stage("lock"):
        writer.lock()
        if _run_id(last_run(workspace, ready.source.name)) != _run_id(ready.earlier):
            raise BackendError(f"another run has published {ready.source.name} meanwhile; nothing was changed: run again")
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
    with workspace.stage("publish"):
        staged, change = _stage(workspace, ready, recoding, policy)
    with workspace.stage("verify"):
        verify_staged(workspace, staged, recoding, policy.models)
        require_risk(workspace, policy, staged)
        drop_person(workspace, staged)
    with workspace.stage("write"):
        writer.write(staged, change)
        writer.verify(staged, change, recoding)
    with workspace.stage("swap"):
        writer.commit(solution, recoding, utility)
    with workspace.stage("scrub"):
        scrub = writer.scrub()
    told = InPlaceReport(
        run_id=workspace.run_id,
        backup=workspace.finished(writer.backup.table) if writer.backup else None,
        lost=tuple(describe_lost(dependant) for dependant in change.lost),
        scrubbed=scrub.done,
        remaining=scrub.remaining,
        not_ours=ready.protocol.not_ours,
    )
    return report(
        policy, ready.profile, solution, recoding, utility, ready.source.name, workspace,
        dry_run=False, warnings=writer.warnings, in_place=told, picture=drawn,
    )  # fmt: skip


def _count(workspace: Workspace, profile: Profile, policy: Policy, given: Given) -> FrequencyTable:
    return count_combinations(workspace, profile, at_least=policy.privacy.least_k, splits=given.splits(workspace, profile))


def _run_id(entry: Entry | None) -> str | None:
    return entry.run_id if entry else None


def _describe_table(workspace: Workspace, policy: Policy) -> TableDescription:
    source = describe_source(workspace, policy.source)
    found = resolve(workspace, source.name)
    if found is None or not found.is_table:
        raise RequestError(f"{source.name} is a view; only the rows of a table can be replaced: publish into another table")
    return source


def _prepare(workspace: Workspace, source: TableDescription, policy: Policy, earlier: Entry | None) -> Preparation:
    """What will be done, refused here if something of the table would not survive it."""
    protocol = protocol_for(workspace, source.name)
    profile = profile_source(workspace, source, policy)
    dependants = protocol.dependants()
    generated = frozenset(d.name for d in dependants if d.kind == "generated")
    profile = replace(profile, columns=tuple(c for c in profile.columns if c.name not in generated or c.name in profile.by_column))
    ready = Preparation(source, profile, protocol, generated, earlier)
    _accept(ready, policy, ready.change(ready.expected_columns(), frozenset()), dependants)
    return ready


def _room(workspace: Workspace, ready: Preparation, policy: Policy) -> Room:
    """Return the disk space that is needed to erase the original rows, if they are to be erased."""
    columns = [column.name for column in ready.profile.columns]
    return Room() if policy.publish.scrub == "off" else measure_room(workspace, ready.source.name, columns)


def _intent(ready: Preparation, policy: Policy) -> str:
    """What would be done, for whoever has not yet agreed to it."""
    profile, publish = ready.profile, policy.publish
    replaced = [f"{i.column.name} ({i.action})" for i in profile.identifiers]
    lines = [
        f"generalize, as far as {policy.models.in_words()} needs: {', '.join(profile.by_column)}",
        *([f"drop: {', '.join(profile.dropped)}"] if profile.dropped else []),
        *([f"replace: {', '.join(replaced)}"] if replaced else []),
        *([f"keep as they are: {', '.join(c.name for c in profile.kept)}"] if profile.kept else []),
        "keep a copy of the original rows in a backup table" if publish.keep_backup else "keep no copy of the original rows",
    ]
    return (
        f"this would replace the rows of {ready.source.name} for good, and nothing was done:\n  "
        + "\n  ".join(lines)
        + "\nTo do it, say so: --yes (in Python: yes=True)"
    )


def _search_unlocked(workspace: Workspace, profile: Profile, policy: Policy, given: Given) -> Solution:
    with workspace.stage("count"):
        workspace.begin("search")
        frequencies = _count(workspace, profile, policy, given)
    with workspace.stage("search"):
        solution = find_solution(workspace, frequencies, policy, given)
        workspace.start_over()
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
        changes.append(_accept(ready, policy, ready.change(without_person(columns), recoding.recoded_columns)))
        return ready.protocol.stage(changes[0], columns, select)

    staged = publish(workspace, ready.profile, recoding, stage, ready.protocol.label_column)
    return staged, changes[0]


def _dry_run(workspace: Workspace, ready: Preparation, policy: Policy, given: Given) -> AnonymizeReport:
    """What the run would find, with temporary tables only."""
    workspace.begin("read")
    with workspace.stage("count"):
        frequencies = _count(workspace, ready.profile, policy, given)
    with workspace.stage("search"):
        solution = find_solution(workspace, frequencies, policy, given)
    with workspace.stage("recode"):
        recoding = recode(workspace, frequencies, solution, policy.models)
        _accept(ready, policy, ready.change(ready.expected_columns(recoding.recoded_columns), recoding.recoded_columns))
    with workspace.stage("measure"):
        utility = measure(workspace, recoding, policy)
        require_utility(policy, utility)
        require_risk_of_dry_run(workspace, policy, ready.profile, recoding)
        drawn = given.drawn(workspace, recoding, policy)
    return report(policy, ready.profile, solution, recoding, utility, ready.source.name, workspace, dry_run=True, picture=drawn)


def _accept(ready: Preparation, policy: Policy, change: Change, dependants: Sequence[Dependant] | None = None) -> Change:
    """The change with what is given up for it, refused if something else of the table would not survive it."""
    present = ready.protocol.dependants() if dependants is None else dependants
    return accept(change, [*present, *ready.moved_columns()], ready.profile.by_column, policy.publish.allow_loss)
