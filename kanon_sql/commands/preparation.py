"""What a run in place knows of the table before it changes anything, and what of the table would not survive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kanon_sql.artifacts import Profile
from kanon_sql.commands.solution import Given
from kanon_sql.commands.source import profile_for_release
from kanon_sql.errors import RequestError
from kanon_sql.policy import Policy
from kanon_sql.stages.profile.source import describe_source
from kanon_sql.stages.publish.staging import released_columns
from kanon_sql.stages.replace import Change, Protocol, protocol_for
from kanon_sql.stages.replace.change import Dependant
from kanon_sql.stages.replace.journal import Entry
from kanon_sql.stages.replace.preflight import accept, structure_of
from kanon_sql.tables import Column, TableDescription
from kanon_sql.workspace import Workspace
from kanon_sql.workspace.catalog import resolve


@dataclass(frozen=True)
class DescribedTable:
    """The table whose rows are to be replaced: its columns, everything else the catalog says of it, the engine's way to replace rows."""

    source: TableDescription
    dependants: Sequence[Dependant]
    protocol: Protocol


@dataclass(frozen=True)
class Preparation:
    """What is known before anything is done: the source, what is published of it, what is computed in it, who published it last."""

    table: DescribedTable
    profile: Profile
    generated: frozenset[str]
    earlier: Entry | None

    @property
    def source(self) -> TableDescription:
        """The table's columns."""
        return self.table.source

    @property
    def protocol(self) -> Protocol:
        """The engine's way to replace rows."""
        return self.table.protocol

    def differences(self) -> list[str]:
        """Return how the table differs now from what it was when it was described."""
        return structure_of(self.table.dependants).differences(structure_of(self.protocol.dependants()))

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


def describe_table(workspace: Workspace, policy: Policy) -> DescribedTable:
    """Describe the table in a transaction that reads, the rest of its structure in one before that, so no later change is missed."""
    found = resolve(workspace, policy.source)
    if found is None:
        describe_source(workspace, policy.source)  # raises an error that suggests another name
    if found is None or not found.is_table:
        raise RequestError(f"{policy.source} is a view; only the rows of a table can be replaced: publish into another table")
    protocol = protocol_for(workspace, found.name)
    workspace.transaction.begin("read")  # the settings of a transaction decide how definitions are spelled, here and under the lock
    dependants = protocol.dependants()
    workspace.transaction.start_over()
    workspace.transaction.begin("read")
    return DescribedTable(describe_source(workspace, policy.source), dependants, protocol)


def prepare_replacement(workspace: Workspace, table: DescribedTable, policy: Policy, earlier: Entry | None, given: Given) -> Preparation:
    """What will be done to the table."""
    profile = profile_for_release(workspace, table.source, policy)
    generated = frozenset(d.name for d in table.dependants if d.kind == "generated")
    profile = replace(profile, columns=tuple(c for c in profile.columns if c.name not in generated or c.name in profile.by_column))
    given.require_fitting(workspace, policy, profile)
    return Preparation(table, profile, generated, earlier)


def accept_before_search(ready: Preparation, policy: Policy) -> Change:
    """Refuses what is known before the search not to survive: what is about columns that are dropped or replaced."""
    return accept_change(ready, policy, frozenset(), ready.table.dependants)


def intent(ready: Preparation, policy: Policy) -> str:
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


def accept_change(
    ready: Preparation,
    policy: Policy,
    recoded: frozenset[str],
    dependants: Sequence[Dependant],
    columns: Sequence[Column] | None = None,
) -> Change:
    """The change with what is given up for it, refused if something else of the table would not survive it."""
    change = ready.change(columns or released_columns(ready.profile, recoded, ready.protocol.label_column), recoded)
    return accept(change, [*dependants, *ready.moved_columns()], ready.profile.by_column, policy.publish.allow_loss)
