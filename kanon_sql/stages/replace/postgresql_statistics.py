"""Replace PostgreSQL's statistics about a table's rows, and report those that may still describe the original rows.

ANALYZE alone leaves statistics as they are for a relation without rows, for a column or statistics object whose target is 0, and for
materialized views. So everything is removed first, if the user has the right to, and what ANALYZE leaves after that is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kanon_sql.tables import TableName
from kanon_sql.workspace import Workspace

_ADVICE = "kanon recover, run as a superuser, removes them"


@dataclass(frozen=True)
class _Statistics:
    """The statistics of one column or index expression, of a relation's own rows or of all its partitions."""

    oid: int
    inherited: bool
    relation: str
    column: str
    is_standard: bool  # ANALYZE replaces them whenever there are rows; an extension's type may have another rule
    set_default_target: str | None
    set_target_off: str | None


@dataclass(frozen=True)
class SetAside:
    """Statistics objects without their data: the statements that create them again, and those that could not be dropped."""

    creations: tuple[str, ...]
    remaining: tuple[str, ...]


def set_objects_aside(workspace: Workspace, table: TableName) -> SetAside:
    """Drop the statistics objects of everything that holds the table's rows, and with them their data.

    Comes before columns change their types, when PostgreSQL would create the objects again with another owner and target.
    """
    oids = [oid for oid, *_ in workspace.look_up("replace/described_relations", table.parts)]
    creations: list[str] = []
    remaining = []
    for name, is_ours, removal, statements in workspace.look_up("replace/extended_statistics", (oids,)):
        if is_ours:
            _run(workspace, [removal])
            creations += statements
        else:
            remaining.append(f"original values in the extended statistics {name}; {_ADVICE}")
    return SetAside(tuple(creations), tuple(remaining))


def renew_statistics(workspace: Workspace, table: TableName, aside: SetAside) -> tuple[str, ...]:
    """Replace the statistics of everything that holds the table's rows; return those that may still show original values.

    Runs in the transaction that replaces the rows, under the table's lock.
    """
    relations = workspace.look_up("replace/described_relations", table.parts)
    oids = [oid for oid, *_ in relations]
    views = [TableName((schema, name)) for _, schema, name, is_view in relations if is_view]
    _clear(workspace, oids)
    _run(workspace, aside.creations)
    old = [_Statistics(*row) for row in workspace.look_up("replace/old_statistics", (oids,))]
    _run(workspace, [statistics.set_default_target for statistics in old])
    for relation in (table, *views):
        workspace.define("workspace/ddl/analyze_table", table=relation)
    _run(workspace, [statistics.set_target_off for statistics in old])
    written = set(workspace.look_up("replace/analyzed_relations", (oids,)))
    return (*aside.remaining, *_described(s for s in old if (s.oid, s.inherited) not in written or not s.is_standard))


def _clear(workspace: Workspace, oids: Sequence[int]) -> None:
    """Remove the statistics of columns and index expressions, as far as the server and the user's rights allow."""
    ((has_function, may_delete),) = workspace.look_up("replace/rights_to_clear", ())
    if has_function:
        workspace.look_up("replace/clear_statistics", (oids,))
    elif may_delete:
        workspace.define("replace/delete_statistics", (oids,))


def _run(workspace: Workspace, statements: Iterable[str | None]) -> None:
    """Run statements that the catalog returned."""
    for statement in statements:
        if statement is not None:
            workspace.define("workspace/ddl/as_written", statement=statement)


def _described(statistics: Iterable[_Statistics]) -> list[str]:
    """Describe statistics by relation and columns."""
    columns: dict[str, list[str]] = {}
    for one in statistics:
        columns.setdefault(one.relation, []).append(one.column)
    listed = {relation: ", ".join(dict.fromkeys(found)) for relation, found in columns.items()}
    return [f"original values in the statistics of {relation} ({names}); {_ADVICE}" for relation, names in listed.items()]
