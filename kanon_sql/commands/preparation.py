"""What a run in place knows about the table before it changes anything, and the objects that the change would drop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kanon_sql.artifacts import Profile
from kanon_sql.commands.pipeline import Run
from kanon_sql.commands.source import profile_for_release
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.stages.profile.source import describe_source
from kanon_sql.stages.publish.staging import released_columns
from kanon_sql.stages.replace import Change, Protocol, protocol_for
from kanon_sql.stages.replace.change import DependentObject
from kanon_sql.stages.replace.disk_space import DiskSpace, measure_disk_space
from kanon_sql.stages.replace.journal import Entry
from kanon_sql.stages.replace.preflight import accept, structure_of
from kanon_sql.tables import Column, TableDescription
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import resolve


@dataclass(frozen=True)
class DescribedTable:
    """The table whose rows are to be replaced: its columns, its dependent objects, the engine's protocol to replace rows."""

    source: TableDescription
    dependents: Sequence[DependentObject]
    protocol: Protocol


@dataclass(frozen=True)
class Preparation:
    """What is known before anything is changed: the table, its profile, its generated columns, the last run that published it."""

    table: DescribedTable
    profile: Profile
    generated: frozenset[str]
    earlier: Entry | None  # None means that no run has published the table

    @property
    def source(self) -> TableDescription:
        """Return the table's columns."""
        return self.table.source

    @property
    def protocol(self) -> Protocol:
        """Return the engine's protocol to replace rows."""
        return self.table.protocol

    def differences(self) -> list[str]:
        """Return how the table differs now from what it was when it was described."""
        return structure_of(self.table.dependents).differences(structure_of(self.protocol.dependents()))

    def moved_columns(self) -> list[DependentObject]:
        """Return the columns that could not keep their position."""
        split = [q for q in self.profile.quasi_identifiers if q.has_bounds and self.protocol.appends_columns]
        return [DependentObject("column_order", q.column.name, frozenset(), detail=" and ".join(q.published_names)) for q in split]

    def change(self, columns: Sequence[Column], recoded: frozenset[str]) -> Change:
        """Return the change that gives the table these columns."""
        before = tuple(c for c in self.source.columns if c.name not in self.generated or c.name in self.profile.dropped)
        emptied = frozenset(i.column.name for i in self.profile.identifiers if i.action == "null")
        replaced = frozenset(i.column.name for i in self.profile.identifiers if i.action != "null")
        return Change(self.source.name, before, tuple(columns), recoded | replaced, emptied)


def describe_table(workspace: Workspace, policy: Policy) -> DescribedTable:
    """Describe the table: first its structure, then its columns in the transaction that reads it, so no later change is missed."""
    found = resolve(workspace, policy.source)
    if found is None:
        describe_source(workspace, policy.source)  # raises an error that suggests another name
    if found is None or not found.is_table:
        raise RequestError(f"{policy.source} is a view; only the rows of a table can be replaced: publish into another table")
    protocol = protocol_for(workspace, found.name)
    workspace.transaction.begin("read")  # the settings of a transaction decide how definitions are spelled, here and under the lock
    dependents = protocol.dependents()
    workspace.transaction.start_over()
    workspace.transaction.begin("read")
    return DescribedTable(describe_source(workspace, policy.source), dependents, protocol)


def prepare_replacement(run: Run, table: DescribedTable, earlier: Entry | None) -> Preparation:
    """Profile the table for a release in place, and check that the run's options fit it."""
    profile = profile_for_release(run.workspace, table.source, run.policy)
    generated = frozenset(d.name for d in table.dependents if d.kind == "generated")
    profile = replace(profile, columns=tuple(c for c in profile.columns if c.name not in generated or c.name in profile.by_column))
    run.options.require_fitting(run.workspace, run.policy, profile)
    return Preparation(table, profile, generated, earlier)


def required_disk_space(run: Run, ready: Preparation) -> DiskSpace:
    """Return the disk space that erasing the original rows needs, if the policy erases them."""
    columns = [column.name for column in ready.profile.columns]
    return DiskSpace() if run.policy.publish.scrub == "off" else measure_disk_space(run.workspace, ready.source.name, columns)


def accept_before_search(ready: Preparation, policy: Policy) -> Change:
    """Raise an error if objects on dropped or replaced columns would be dropped without permission: that is known before the search."""
    return accept_change(ready, policy, frozenset(), ready.table.dependents)


def intent(ready: Preparation, policy: Policy) -> str:
    """Return what the run would do, for a user who has not confirmed it."""
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
        + "\nTo confirm, add --yes (in Python: yes=True)"
    )


def accept_change(
    ready: Preparation,
    policy: Policy,
    recoded: frozenset[str],
    dependents: Sequence[DependentObject],
    columns: Sequence[Column] | None = None,
) -> Change:
    """Return the change with the objects that it drops; raise an error if one would be dropped without permission."""
    change = ready.change(columns or released_columns(ready.profile, recoded, ready.protocol.label_column), recoded)
    return accept(change, [*dependents, *ready.moved_columns()], ready.profile.by_column, policy.publish.allow_loss)
